/** What somebody meets who uses the command line for the first time: slips, missing files, places that cannot be written. */

import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, openSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createProgram } from "../src/cli/program.js";
import { type BuiltPackage, buildPackage } from "./support/built-package.js";
import { environment, type Finished, hasScript, run, SCRIPT, scriptParameters } from "./support/command-line.js";
import { type ModelServer, startModelServer } from "./support/model-server.js";

const ALL = mkdtempSync(join(tmpdir(), "varve-first-"));
const HOME = join(ALL, "home");
const VARIABLES = { XDG_CONFIG_HOME: HOME, APPDATA: HOME, VARVE_STORE: "", VARVE_CHAT_MODEL: "" };

let built: BuiltPackage;
let model: ModelServer;
let folder: string;
beforeAll(async () => {
  [built, model] = await Promise.all([buildPackage(), startModelServer([{ text: "Hello." }])]);
}, 60_000);
beforeEach(() => {
  folder = mkdtempSync(join(ALL, "project-"));
});
afterAll(async () => {
  built?.remove();
  await model?.close();
  rmSync(ALL, { recursive: true, force: true });
});

const write = (name: string, value: unknown): void =>
  writeFileSync(join(folder, name), typeof value === "string" ? value : JSON.stringify(value));

const varve = (line: string | readonly string[], options: { variables?: object; input?: string } = {}) =>
  run(process.execPath, [built.main, ...(typeof line === "string" ? line.split(" ") : line)], {
    variables: { ...VARIABLES, ...options.variables },
    folder,
    input: options.input,
  });

const RECORDING = [
  { role: "user", content: "Which port?" },
  { role: "assistant", content: "It is 5433." },
];

const says = (code: number, ...words: string[]): Partial<Finished> => ({
  code,
  stderr: expect.stringMatching(
    new RegExp(words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("[\\s\\S]*")),
  ),
});

describe("help", () => {
  test.each([
    ["help", "Usage: varve [options]"],
    ["context help status", "Usage: varve context status"],
  ])("varve %s", async (line, usage) => {
    expect(await varve(line)).toMatchObject({ code: 0, stdout: expect.stringContaining(usage) });
  });

  test("of a command that there is none of is refused", async () => {
    expect(await varve("help nope")).toMatchObject(says(2, "unknown command 'nope'", "Run varve --help"));
  });

  test.each([
    ["context foo", "varve context --help"],
    ["foo bar", "varve --help"],
  ])("varve %s --json points to a command that there is", async (line, hint) => {
    const { code, stdout } = await varve(`${line} --json`);
    expect(code).toBe(2);
    expect(JSON.parse(stdout).error.hint).toBe(`Run \`${hint}\` to see what there is.`);
  });

  test("shows no empty lists as defaults, and says what a tag is for", async () => {
    const program = await createProgram(undefined);
    const helps = program.commands.flatMap((each) => [each, ...each.commands]).map((each) => each.helpInformation());
    expect(helps.join("")).not.toContain("(default: [])");
    expect(helps.find((text) => text.startsWith("Usage: varve memory add"))).toContain("a tag to store it with");
  });
});

describe("a file that is not there makes no store", () => {
  test.each(["import nope.jsonl", "memory import nope", "session import nope"])("varve %s", async (line) => {
    expect(await varve(line)).toMatchObject({ code: 4, stderr: expect.stringContaining("nope") });
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe("an empty file is told as such", () => {
  test.each(["replay empty", "session import empty"])("varve %s", async (line) => {
    write("empty", "\n");
    expect(await varve(line)).toMatchObject({
      code: 6,
      stderr: expect.stringMatching(/^The file empty is empty\.\nWhat to do: .*\n$/),
    });
  });

  test("so is an empty stdin", async () => {
    expect(await varve("import -", { input: "" })).toMatchObject(says(6, "stdin is empty.\nWhat to do:"));
  });

  test("among others, each with what to do about it", async () => {
    write("empty", "");
    write("recording.json", RECORDING);
    const finished = await varve("import none empty recording.json --window 8000");
    expect(finished).toMatchObject(says(4, "none is not there.\nWhat to do: ", "empty is empty.\nWhat to do: "));
    expect(finished.stdout).toContain("Nothing taken from 2 other files");
  });
});

test("a recording is no export of sessions, and the command for it is named", async () => {
  write("recording.jsonl", RECORDING.map((message) => JSON.stringify(message)).join("\n"));
  expect(await varve("session import recording.jsonl")).toMatchObject(says(6, "recording.jsonl", "`varve import`"));
  expect(existsSync(join(folder, ".varve"))).toBe(false);
});

test("what a store says itself is shown to people and to programs", async () => {
  write("taken", "");
  const { stdout, ...finished } = await varve("session list --store file:./taken --json");
  expect(finished).toMatchObject(says(1, "could not be used.\nCause: EEXIST", "What to do: Mend what the cause names"));
  expect(JSON.parse(stdout).error.details.cause).toContain("EEXIST");
  expect((await varve("doctor --store file:./taken")).stdout).toMatch(/could not be used\.\s+Cause: EEXIST/);
});

describe("what cannot be written is named", () => {
  test("by config init", async () => {
    mkdirSync(join(folder, "varve.json"));
    expect(await varve("config init --force")).toMatchObject(says(1, "varve.json cannot be written", "--user"));
    write("file", "");
    const user = { XDG_CONFIG_HOME: join(folder, "file"), APPDATA: join(folder, "file") };
    expect(await varve("config init --user", { variables: user })).toMatchObject(says(1, "cannot be written"));
  });

  test("by config trust", async () => {
    write("file", "");
    write("varve.json", { store: "postgres://127.0.0.1:9/x" });
    const user = { XDG_CONFIG_HOME: join(folder, "file"), APPDATA: join(folder, "file") };
    expect(await varve("config trust", { variables: user })).toMatchObject(says(1, "cannot be written", "--trust"));
  });

  test.skipIf(!existsSync("/dev/full")).each(["demo", "--version", "--help"])(
    "by varve %s on a full disk, in one line",
    (line) => {
      const output = openSync("/dev/full", "w");
      const { status, stderr } = spawnSync(process.execPath, [built.main, ...line.split(" ")], {
        env: environment(VARIABLES),
        cwd: folder,
        stdio: ["ignore", output, "pipe"],
        encoding: "utf8",
      });
      expect({ status, stderr }).toEqual({
        status: 1,
        stderr: expect.stringMatching(/^The output cannot be written: ENOSPC.*\n$/),
      });
    },
  );
});

describe("a configuration", () => {
  test("that is a list is to be an object", async () => {
    write("varve.json", []);
    const finished = await varve("config show");
    expect(finished).toMatchObject(says(6, "varve.json is a list", "an object in braces", "window"));
    expect(finished.stderr).not.toContain("Invalid input");
  });

  test("that is a folder is told as such", async () => {
    const finished = await varve("config show --config .");
    expect(finished).toMatchObject(says(6, "is a folder", "FOLDER/varve.json"));
  });

  test("with a plug-in that is not there says where its path starts", async () => {
    write("varve.json", { plugins: ["./none"] });
    expect(await varve("config show")).toMatchObject(says(4, "no plug-in file", "in a varve.json start at its folder"));
  });
});

describe("chat", () => {
  const endpoint = () => ({ OPENAI_API_KEY: "key", OPENAI_BASE_URL: `${model.url}/v1` });

  test("without a model names the flag", async () => {
    expect(await varve("chat hi")).toMatchObject(says(2, "No model is named", "--model"));
    expect(readdirSync(folder)).toEqual([]);
  });

  test("refuses a window that its tools fill, names the flag, and leaves no session with it", async () => {
    const tiny = await varve("chat hi --model gpt-4.1 --window 50", { variables: endpoint() });
    expect(tiny).toMatchObject(says(1, "needs at least", "--window"));
    expect(JSON.parse((await varve("session list --json")).stdout).sessions).toEqual([]);
    expect(await varve("chat hi --model gpt-4.1", { variables: endpoint() })).toMatchObject({ stdout: "Hello.\n" });
    const again = await varve("chat more --model gpt-4.1 --window 50", { variables: endpoint() });
    expect(again.code).toBe(1);
    const { options } = JSON.parse((await varve("session show --json")).stdout);
    expect(options.window).toBeUndefined();
  });
});

test("memory forget without ids is wrong usage", async () => {
  expect(await varve("memory forget")).toMatchObject(says(2, "--all"));
});

describe("demo", () => {
  test.each([
    ["demo --strategy foo", 2, "hierarchical"],
    ["demo --window 300", 1, "--window"],
  ])("varve %s is refused before anything is shown", async (line, code, hint) => {
    const finished = await varve(line);
    expect(finished).toMatchObject({ code, stdout: "", stderr: expect.stringContaining(hint) });
    expect(finished.stderr).not.toContain("plug");
  });

  test.skipIf(!hasScript())("on a terminal too narrow for frames prints plain lines, its title once", async () => {
    const command = `'${process.execPath}' '${built.main}' demo --speed fast`;
    const parameters = scriptParameters(command, { columns: 30 });
    const { code, stdout } = await run(SCRIPT, parameters, { variables: VARIABLES, folder });
    expect(code).toBe(0);
    expect(stdout).not.toContain("\u001b[?2026h");
    expect(stdout.split("A coding agent")).toHaveLength(2);
  });
});
