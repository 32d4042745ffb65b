/** `varve import` and `varve replay`, run as a person runs them. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ImportData, ReplayData } from "../src/cli/output/recording-schemas.js";
import { failureSchema, outputSchemas } from "../src/cli/output/schemas.js";
import { type BuiltPackage, buildPackage } from "./support/built-package.js";
import { type Finished, hasScript, type RunOptions, run, SCRIPT, scriptParameters } from "./support/command-line.js";

const FOLDER = mkdtempSync(join(tmpdir(), "varve-cli-recordings-"));
const VARIABLES = {
  VARVE_STORE: `sqlite:${join(FOLDER, "varve.db")}`,
  XDG_CONFIG_HOME: join(FOLDER, "home"),
  APPDATA: join(FOLDER, "home"),
};
const ESCAPE = "\u001b";
const ERASED = "\r\u001b[K";

/** An agent that reads files and comes back to earlier ones. */
function recording(id: string, files: number): object {
  const read = (at: number, path: string): object[] => [
    {
      role: "assistant",
      content: null,
      tool_calls: [{ id: `c${at}`, type: "function", function: { name: "read", arguments: JSON.stringify({ path }) } }],
    },
    {
      role: "tool",
      tool_call_id: `c${at}`,
      content: `see src/part${at + 1}/index.ts\n${"lorem ipsum dolor ".repeat(60)}`,
    },
  ];
  const paths = Array.from({ length: files }, (_, at) => `src/part${at % 7 === 6 ? at - 5 : at}/index.ts`);
  return {
    id,
    model: "gpt-4.1",
    messages: [
      { role: "system", content: "You are a careful agent." },
      { role: "user", content: "Read everything from src/part0/index.ts on." },
      ...paths.flatMap((path, at) => read(at, path)),
      { role: "assistant", content: "Done." },
    ],
  };
}

const LINES = ["long", "short"].map((id, at) => JSON.stringify(recording(id, at === 0 ? 60 : 3))).join("\n");
const FILE = join(FOLDER, "sessions.jsonl.gz");

let built: BuiltPackage;
beforeAll(async () => {
  writeFileSync(FILE, gzipSync(LINES));
  built = await buildPackage();
}, 60_000);
afterAll(() => {
  built?.remove();
  rmSync(FOLDER, { recursive: true, force: true });
});

const varve = (parameters: readonly string[], options: RunOptions = {}): Promise<Finished> =>
  run(process.execPath, [built.main, ...parameters], { variables: VARIABLES, folder: FOLDER, ...options });

async function json<T>(parameters: readonly string[], options?: RunOptions): Promise<T> {
  const { code, stdout } = await varve([...parameters, "--json"], options);
  expect(code).toBe(0);
  const document = JSON.parse(stdout);
  expect(outputSchemas[document.command]?.safeParse(document).error?.issues).toBeUndefined();
  expect(document.command).toBe(parameters[0]);
  return document;
}

describe.concurrent("replay", () => {
  test("prints each conversation and the sum, with nothing over and nothing illegal", async () => {
    const { code, stdout, stderr } = await varve(["replay", FILE, "--window", "3000"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).not.toContain(ESCAPE);
    expect(stdout).toMatch(/^ +long +61 +[\d,]+ +\d+ +0\.0\u00a0% +0\.0\u00a0%/m);
    expect(stdout).toMatch(/^ +short +4 +[\d,]+ +0 /m);
    expect(stdout).toMatch(/^ +all +65 /m);
    expect(stdout).toContain("prices of gpt-4.1");
    const data = await json<ReplayData>(["replay", FILE, "--window", "3000", "--strategy", "sliding-window"]);
    expect(data.runs).toHaveLength(1);
    expect(data).toMatchObject({ model: "gpt-4.1", unit: "USD", recommended: null, applied: null });
    expect(data.runs[0]!.total).toMatchObject({ views: 65, over: 0, illegal: 0 });
    expect(data.runs[0]!.total.compactions).toBeGreaterThan(2);
  });

  test("compares settings with the present one, recommends what beats it, and writes it down with a page", async () => {
    const folder = join(FOLDER, "project");
    mkdirSync(folder);
    const file = join(folder, "varve.json");
    writeFileSync(file, JSON.stringify({ pinBudget: 0.2, trigger: 0.9 }));
    const parameters = ["--windows", "1000,2000", "--strategies", "sliding-window,hierarchical"];
    const wishes = [...parameters, "--thresholds", "default,0.8/0.5"];
    const page = join(FOLDER, "page.html");
    const data = await json<ReplayData>(["replay", FILE, "--compare", ...wishes, "--apply", "--html", page], {
      folder,
    });
    expect(data.runs).toHaveLength(9);
    expect(data.runs.at(-1)).toMatchObject({
      strategy: "hierarchical",
      trigger: 0.9,
      total: { compactions: 0, recall: 1 },
    });
    for (const { total } of data.runs) expect(total).toMatchObject({ views: 65, over: 0, illegal: 0 });
    const { recommended } = data;
    const best = Math.max(...data.runs.map(({ total }) => total.recall ?? 0));
    const near = data.runs.filter(({ total }) => (total.recall ?? 0) >= best - 0.01);
    const cheapest = Math.min(...near.map(({ total }) => total.cost.cached));
    const chosen = near.find(({ total }) => total.cost.cached === cheapest);
    expect(recommended).toMatchObject({ strategy: chosen?.strategy, window: chosen?.window, target: chosen?.target });
    const { trigger, target, ...kept } = JSON.parse(readFileSync(file, "utf8"));
    expect(kept).toEqual({ pinBudget: 0.2, strategy: recommended?.strategy, window: recommended?.window });
    expect([trigger ?? null, target ?? null]).toEqual([recommended?.trigger, recommended?.target]);
    expect(data).toMatchObject({ applied: file, html: page, reason: null });
    const text = readFileSync(page, "utf8");
    expect(text.match(/<figure>/g)?.length).toBeGreaterThanOrEqual(5);
    expect(text).not.toMatch(/https?:|src=|@import|url\(/);
    expect(text).toContain("prefers-color-scheme:dark");
    expect((await varve(["config", "show"], { folder })).stdout).toContain(String(recommended?.window));
    const again = await varve(["replay", FILE, "--compare", ...wishes, "--apply"], { folder });
    expect(again).toMatchObject({ code: 0, stderr: "There is nothing to change: varve.json stays as it is.\n" });
    expect(again.stdout).toContain("Nothing is recommended: no setting is better than the present one.");
  });

  test("recommends nothing where nothing is left out, and leaves varve.json alone", async () => {
    const folder = join(FOLDER, "short");
    mkdirSync(folder);
    const written = JSON.stringify({ window: 128_000, strategy: "hierarchical", strategyOptions: { lockLast: 2 } });
    writeFileSync(join(folder, "varve.json"), written);
    const input = JSON.stringify(recording("brief", 3));
    const data = await json<ReplayData>(["replay", "-", "--compare", "--apply"], { folder, input });
    expect(data).toMatchObject({
      recommended: null,
      reason: expect.stringContaining("fit every window"),
      applied: null,
    });
    expect(readFileSync(join(folder, "varve.json"), "utf8")).toBe(written);
  });

  test("replays what can be read, and tells what cannot", async () => {
    const { code, stdout, stderr } = await varve(["replay", "nowhere.jsonl", FILE, "--window", "3000", "--json"]);
    expect(code).toBe(4);
    const data = JSON.parse(stdout) as ReplayData;
    expect(data.runs[0]?.total.views).toBe(65);
    expect(data.failed).toEqual([expect.objectContaining({ file: "nowhere.jsonl", code: "not-found" })]);
    expect(stderr).toContain("nowhere.jsonl is not there.");
  });

  test("marks the recommended setting for people, and fits a narrow terminal", async () => {
    const wishes = ["--compare", "--windows", "3000", "--strategies", "hierarchical", "--thresholds", "1/0.75,0.8/0.5"];
    const { stdout } = await varve(["replay", FILE, ...wishes]);
    expect(stdout).toMatch(/^→ hierarchical +(?:1\/0\.75|0\.8\/0\.5) /m);
    expect(stdout).toMatch(/^ recommended +hierarchical, window 3,000, cut at/m);
    const narrow = await varve(["replay", FILE, ...wishes], { variables: { ...VARIABLES, COLUMNS: "40" } });
    expect(Math.max(...narrow.stdout.split("\n").map((line) => line.length))).toBeLessThan(40);
  });

  test("tells of a conversation that no view can be made for", async () => {
    const { code, stdout } = await varve(["replay", FILE, "--window", "40"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/2 conversations do not fit; long from call \d+ on/);
  });

  test.each([
    ["--apply without --compare", ["--apply"]],
    ["a page in no folder", ["--compare", "--html", "nowhere/page.html"]],
    ["--strategy with --compare", ["--compare", "--strategy", "importance"]],
    ["an unknown strategy", ["--strategy", "guessing"]],
  ])("refuses %s and says what to do", async (_, parameters) => {
    const { code, stdout, stderr } = await varve(["replay", FILE, ...parameters, "--json"]);
    expect(code).toBe(2);
    expect(failureSchema.parse(JSON.parse(stdout)).error.code).toBe("invalid-option");
    expect(stderr).toMatch(/\nWhat to do: \S/);
  });

  test.each([
    ["a target above its trigger", ["--compare", "--thresholds", "0.5/0.8"]],
    ["a format that is none", ["--format", "tape"]],
    ["no file", []],
  ])("answers %s with exit code 2", async (_, parameters) => {
    const { code, stderr } = await varve(["replay", ...(parameters.length === 0 ? [] : [FILE]), ...parameters]);
    expect(code).toBe(2);
    expect(stderr).not.toBe("");
  });
});

describe.concurrent("import", () => {
  test("takes recordings in as sessions that other commands go on with", async () => {
    const data = await json<ImportData>(["import", FILE]);
    expect(data.sessions).toEqual([
      { id: "long", file: FILE, entries: 123, model: "gpt-4.1" },
      { id: "short", file: FILE, entries: 9, model: "gpt-4.1" },
    ]);
    const { stdout } = await varve(["context", "search", "part41", "--session", "long"]);
    expect(stdout).toContain("src/part41/index.ts");
    const status = await varve(["context", "status", "--session", "short"]);
    expect(status).toMatchObject({ code: 0, stdout: expect.stringContaining("hierarchical") });
  });

  test("refuses, skips or replaces what is there already", async () => {
    const line = JSON.stringify(recording("again", 2));
    expect(await json<ImportData>(["import", "-"], { input: line })).toMatchObject({ entries: 7, skipped: [] });
    const refused = await varve(["import", "-", "--json"], { input: line });
    expect(refused.code).toBe(1);
    expect(JSON.parse(refused.stdout).error).toMatchObject({ hint: expect.stringContaining("--existing skip") });
    expect(await json<ImportData>(["import", "-", "--existing", "skip"], { input: line })).toMatchObject({
      skipped: ["again"],
    });
    const longer = JSON.stringify(recording("again", 4));
    expect(await json<ImportData>(["import", "-", "--existing", "replace"], { input: longer })).toMatchObject({
      entries: 11,
    });
    expect(await json<ImportData>(["import", "-", "--session", "mine"], { input: line })).toMatchObject({
      sessions: [{ id: "mine" }],
    });
  });

  test("says what could not be read, and takes the rest", async () => {
    const input = `${JSON.stringify(recording("cut", 2))}\n{"id":"half","mess`;
    const { code, stdout, stderr } = await varve(["import", "-"], { input });
    expect(code).toBe(0);
    expect(stdout).toMatch(/1 session, 7 entries from 1 file \(openai\)\. 1 warning\./);
    expect(stderr).toMatch(/^stdin:/);
  });

  test("takes in what can be read, and tells of every file that cannot", async () => {
    writeFileSync(join(FOLDER, "good.json"), JSON.stringify(recording("good", 2)));
    writeFileSync(join(FOLDER, "bad.json"), "no recording at all");
    const { code, stdout, stderr } = await varve(["import", "bad.json", "good.json", "gone.json", "--json"]);
    expect(code).toBe(6);
    const data = JSON.parse(stdout) as ImportData;
    expect(outputSchemas.import?.safeParse(data).success).toBe(true);
    expect(data.sessions).toMatchObject([{ id: "good" }]);
    expect(data.failed).toMatchObject([
      { file: "bad.json", code: "unknown-format" },
      { file: "gone.json", code: "not-found" },
    ]);
    expect(stderr).toMatch(/bad\.json[\s\S]*gone\.json/);
    const people = await varve(["import", "gone.json", "good.json", "--existing", "skip"]);
    expect(people.stdout).toContain("Nothing taken from 1 other file.");
  });

  test("a recording read as another format, with nothing in it, is no success", async () => {
    writeFileSync(join(FOLDER, "line.jsonl"), `${JSON.stringify({ type: "user", uuid: "u", message: {} })}\n`);
    const { code, stderr } = await varve(["import", "line.jsonl", "--format", "codex"]);
    expect(code).toBe(6);
    expect(stderr).toMatch(/line\.jsonl: As codex it holds no conversation\.[\s\S]*What to do: Leave --format out/);
  });

  test.each([
    ["a file that is not there", ["import", "nowhere.jsonl"], 4],
    ["a text of no known format", ["import", "-"], 6],
    ["one id for two conversations", ["import", FILE, "--session", "one"], 2],
  ])("refuses %s", async (_, parameters, code) => {
    const finished = await varve(parameters, { input: "no recording at all" });
    expect(finished.code).toBe(code);
    expect(finished.stderr).toMatch(/\nWhat to do: \S/);
  });
});

describe.skipIf(!hasScript())("on a terminal (skipped without `script` of util-linux)", () => {
  test("replay shows how far it is on one line, takes it away, and prints in colours", async () => {
    const command = `'${process.execPath}' '${built.main}' replay '${FILE}' --compare --windows 2000,3000`;
    const { code, stdout } = await run(SCRIPT, scriptParameters(command), { variables: VARIABLES, folder: FOLDER });
    expect(code).toBe(0);
    const drawn = stdout
      .split(ERASED)
      .flatMap((line) => /^(\d+\.\d)\u00a0%/.exec(line)?.[1] ?? [])
      .map(Number);
    expect(drawn.length).toBeGreaterThan(1);
    expect(drawn).toEqual(drawn.toSorted((a, b) => a - b));
    expect(drawn.at(-1)).toBeLessThanOrEqual(100);
    expect(stdout.lastIndexOf(ERASED)).toBeLessThan(stdout.indexOf("settings compared"));
    expect(stdout).toContain("\u001b[38;5;");
  });
});
