import { execFileSync, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { outputSchemas } from "../src/cli/output/schemas.js";
import { type BuiltPackage, buildPackage } from "./support/built-package.js";
import { environment, type Finished, hasScript, run, SCRIPT, scriptParameters } from "./support/command-line.js";

const ESCAPE = "\u001b";
const HIDE_CURSOR = "\u001b[?25l";
const SHOW_CURSOR = "\u001b[?25h";
/** Begins each frame that is drawn in place. */
const FRAME = "\u001b[?2026h";

let built: BuiltPackage;
beforeAll(async () => {
  built = await buildPackage();
}, 60_000);
afterAll(() => built?.remove());

const varve = (parameters: readonly string[], variables?: NodeJS.ProcessEnv): Promise<Finished> =>
  run(process.execPath, [built.main, ...parameters], { variables });

const shell = (command: string): Promise<Finished> => run("sh", ["-c", command]);
const demo = (): string => `'${process.execPath}' '${built.main}' demo`;

/** The largest view and the window, as the summary states them. */
function largestView(text: string): [view: number, window: number] {
  const [, view = "", window = ""] =
    /Largest view +([\d,]+) of ([\d,]+) tokens: never over the window/.exec(text) ?? [];
  return [Number(view.replaceAll(",", "")), Number(window.replaceAll(",", ""))];
}

describe.concurrent("the demo in a pipe", () => {
  test("prints what was done, one final window and the summary, with no escape code", async () => {
    const { code, stdout, stderr } = await varve(["demo"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).not.toContain(ESCAPE);
    expect(stdout).toMatch(/^ cut +e\d+–e\d+ left out: [\d,]+ → [\d,]+ tokens$/m);
    expect(stdout).toMatch(/^ shortened +e\d+ \(run_command\): /m);
    expect(stdout).toMatch(/^ repair +e\d+ \(call_\d+\): a call without a result is closed/m);
    expect(stdout.match(/System prompt/g)).toHaveLength(1);
    const [view, window] = largestView(stdout);
    expect(window).toBe(8_000);
    expect(view).toBeGreaterThan(4_000);
    expect(view).toBeLessThanOrEqual(window);
  });

  test("keeps another window as well", async () => {
    const [view, window] = largestView((await varve(["demo", "--window", "3_000"])).stdout);
    expect(window).toBe(3_000);
    expect(view).toBeGreaterThan(1_500);
    expect(view).toBeLessThanOrEqual(window);
  });

  test("uses colours where FORCE_COLOR asks for them, but does not move the cursor", async () => {
    const { stdout } = await varve(["demo"], { FORCE_COLOR: "1" });
    expect(stdout).toContain("\u001b[38;5;");
    expect(stdout).not.toContain(HIDE_CURSOR);
    expect(stdout).not.toContain(FRAME);
  });

  test("uses letters with --no-color whatever FORCE_COLOR says, and fits the columns that COLUMNS names", async () => {
    const { code, stdout } = await varve(["demo", "--no-color"], { FORCE_COLOR: "1", COLUMNS: "40" });
    expect(code).toBe(0);
    expect(stdout).not.toContain(ESCAPE);
    expect(stdout).toContain("S S");
    expect(Math.max(...stdout.split("\n").map((line) => line.length))).toBeLessThan(40);
  });

  test("ends quietly when the reader has enough", async () => {
    const { stdout, stderr } = await shell(`{ ${demo()}; echo "rc=$?" >&2; } | head -3`);
    expect(stdout).toMatch(/^\n A coding agent .*\n.*\n$/);
    expect(stderr).toBe("rc=0\n");
  });

  test("prints one JSON document with every view inside the window", async () => {
    const { code, stdout, stderr } = await varve(["demo", "--json"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const document = JSON.parse(stdout);
    expect(outputSchemas.demo?.safeParse(document)).toMatchObject({ success: true });
    expect(document.steps.length).toBeGreaterThan(40);
    for (const step of document.steps) expect(step.tokens).toBeLessThanOrEqual(8_000);
    expect(document.receipts.length).toBeGreaterThan(5);
    expect(document.summary).toMatchObject({ window: 8_000, views: document.steps.length, viewsOverWindow: 0 });
  });
});

describe.concurrent("the command line", () => {
  test("explains itself, exit codes included", async () => {
    const { code, stdout } = await varve(["--help"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/Exit codes:\n {2}0 .*\n {2}1 .*\n {2}2 .*\n {2}3 /);
    expect((await varve(["demo", "--help"])).stdout).toContain("--window <tokens>");
  });

  test("prints its version and nothing else", async () => {
    expect(await varve(["--version"])).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) });
  });

  test.each([
    ["an unknown command", ["demos"], "Did you mean demo?"],
    ["an unknown option", ["demo", "--windw", "3"], "Did you mean --window?"],
    ["a window that is no number", ["demo", "--window", "many"], "such as 8000"],
    ["an unknown strategy", ["demo", "--strategy", "guessing"], "Allowed choices are sliding-window, "],
    ["an unknown speed", ["demo", "--speed", "warp"], "Allowed choices are slow, normal, fast, instant"],
    ["no command at all", [], "Usage: varve"],
  ])("answers %s on stderr with exit code 2", async (_, parameters, hint) => {
    const { code, stdout, stderr } = await varve(parameters);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(hint);
  });

  test("says of a window that nothing fits what is the matter and what to do", async () => {
    const { code, stdout, stderr } = await varve(["demo", "--window", "300", "--json"]);
    const message = "the window has 297";
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ command: "demo", error: { message: expect.stringContaining(message) } });
    expect(stderr).toContain(message);
    expect(stderr).toMatch(/\nWhat to do: \S/);
  });
});

/** A Node before 22 that happens to be installed here. */
function findOldNode(): string | undefined {
  const candidates = (process.env.PATH ?? "").split(delimiter).map((folder) => join(folder, "node"));
  return candidates.find((path) => {
    if (!existsSync(path)) return false;
    const major = Number(/^v(\d+)/.exec(execFileSync(path, ["--version"], { encoding: "utf8" }))?.[1]);
    return major >= 14 && major < 22;
  });
}

const oldNode = findOldNode();

test.skipIf(oldNode === undefined)(
  "an old Node is told what to do, with exit code 3 (skipped where none is installed)",
  async () => {
    const { code, stdout, stderr } = await run(oldNode ?? "", [built.main, "demo"]);
    expect({ code, stdout }).toEqual({ code: 3, stdout: "" });
    expect(stderr).toMatch(/^varve needs Node 22\.13 or later; this is Node \d/);
  },
);

describe.skipIf(!hasScript()).concurrent("the demo on a terminal (skipped without `script` of util-linux)", () => {
  const onTerminal = (command: string, variables?: NodeJS.ProcessEnv): Promise<Finished> =>
    run(SCRIPT, scriptParameters(command), { variables });

  test("draws in place with the cursor hidden, and shows it again", async () => {
    const { code, stdout } = await onTerminal(`${demo()} --speed fast`);
    expect(code).toBe(0);
    expect(stdout).toContain("\u001b[38;5;");
    expect(stdout.split(FRAME).length).toBeGreaterThan(50);
    expect(stdout.split(HIDE_CURSOR)).toHaveLength(2);
    expect(stdout.lastIndexOf(SHOW_CURSOR)).toBeGreaterThan(stdout.lastIndexOf(FRAME));
    expect(stdout).toContain("never over the window");
  });

  test("shows the cursor again after Ctrl-C, and exits with 130", async () => {
    const child = spawn(SCRIPT, scriptParameters(`${demo()} --speed slow`), { env: environment() });
    let output = "";
    let interrupted = false;
    child.stdout.on("data", (data) => {
      output += data;
      if (interrupted || !output.includes(HIDE_CURSOR)) return;
      interrupted = true;
      child.stdin.write("\u0003");
    });
    const code = await new Promise((resolve) => child.on("close", resolve));
    expect(code).toBe(130);
    expect(output.lastIndexOf(SHOW_CURSOR)).toBeGreaterThan(output.lastIndexOf(FRAME));
    expect(output).not.toContain("Summary");
  });

  test("neither moves nor colours with --speed instant and NO_COLOR", async () => {
    const { code, stdout } = await onTerminal(`${demo()} --speed instant`, { NO_COLOR: "1" });
    expect(code).toBe(0);
    expect(stdout).not.toContain(ESCAPE);
    expect(stdout).toContain("S S");
  });
});
