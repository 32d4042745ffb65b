import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { listFilesTool } from "./list-files.js";
import { openPlace, type Place } from "./place.js";
import { readFileTool } from "./read-file.js";
import { runCommandTool } from "./run-command.js";
import { searchFilesTool } from "./search-files.js";
import type { ChatTool, ToolInput } from "./tool.js";
import { editFileTool, writeFileTool } from "./write-file.js";

const FOLDER = mkdtempSync(join(tmpdir(), "varve-tools-"));
let place: Place;

beforeAll(async () => {
  mkdirSync(join(FOLDER, "src"));
  mkdirSync(join(FOLDER, "node_modules"));
  writeFileSync(join(FOLDER, "src", "a.ts"), "one\ntwo Port\nthree\n");
  writeFileSync(join(FOLDER, "node_modules", "b.ts"), "port");
  writeFileSync(join(FOLDER, "image.png"), Buffer.from([137, 80, 0, 1]));
  place = await openPlace(FOLDER);
});
afterAll(() => rmSync(FOLDER, { recursive: true, force: true }));

const does = async (make: (place: Place) => ChatTool, input: ToolInput): Promise<string> =>
  make(place).execute(input, new AbortController().signal);

describe("looking", () => {
  test("reads a file whole, or some lines with where they stand", async () => {
    expect(await does(readFileTool, { path: "src/a.ts" })).toBe("one\ntwo Port\nthree\n");
    expect(await does(readFileTool, { path: "src/a.ts", from: 2, lines: "1" })).toBe("two Port\n[lines 2 to 2 of 4]");
  });

  test.each([
    [{ path: "image.png" }, /is no text; it has 4 bytes/],
    [{ path: "src" }, /is no file/],
    [{ path: "none" }, /There is no none/],
    [{}, /"path" is missing/],
  ])("says why %o cannot be read", async (input, reason) => {
    await expect(does(readFileTool, input)).rejects.toThrow(reason);
  });

  test("lists what there is, without what others made", async () => {
    expect(await does(listFilesTool, {})).toBe("image.png\nnode_modules/\nsrc/\nsrc/a.ts");
    expect(await does(listFilesTool, { depth: 1, path: "src" })).toBe("src/a.ts");
  });

  test("finds lines; capitals count where they are asked for", async () => {
    expect(await does(searchFilesTool, { text: "port" })).toBe("src/a.ts:2: two Port");
    expect(await does(searchFilesTool, { text: "PORT" })).toBe("Nothing found.");
    expect(await does(searchFilesTool, { text: "Port", path: "src/a.ts" })).toBe("src/a.ts:2: two Port");
  });
});

describe("changing", () => {
  test("shows all that is going to be written, and writes it", async () => {
    const input = { path: "new/file.txt", content: "hello\nworld" };
    expect(await writeFileTool(place).consent?.(input)).toMatchObject({
      question: "Write new/file.txt (2 lines)?",
      lines: ["+ hello", "+ world"],
    });
    await does(writeFileTool, input);
    expect(readFileSync(join(FOLDER, "new/file.txt"), "utf8")).toBe("hello\nworld");
  });

  test("replaces a text that occurs once, as it stands, and no other", async () => {
    writeFileSync(join(FOLDER, "edit.txt"), "a b a $& c");
    await does(editFileTool, { path: "edit.txt", find: "b", replace: "$&$1" });
    expect(readFileSync(join(FOLDER, "edit.txt"), "utf8")).toBe("a $&$1 a $& c");
    await expect(does(editFileTool, { path: "edit.txt", find: "a", replace: "" })).rejects.toThrow(/more than once/);
    await expect(does(editFileTool, { path: "edit.txt", find: "z", replace: "" })).rejects.toThrow(/does not hold/);
  });
});

describe.skipIf(process.platform === "win32")("running", () => {
  const run = (input: ToolInput, signal = new AbortController().signal) =>
    runCommandTool(place, ["VARVE_TEST_NAMED"]).execute(input, signal);

  test("returns what a command prints and how it ended", async () => {
    expect(await run({ command: "echo said; pwd >&2; exit 3" })).toMatch(/said\n[\s\S]*\[exit code 3\]$/);
  });

  test.each([
    ["OPENAI_API_KEY", ""],
    ["PGPASSWORD", ""],
    ["DATABASE_URL", ""],
    ["GITHUB_PAT", ""],
    ["http_proxy", ""],
    ["SSH_AUTH_SOCK", ""],
    ["VARVE_TEST_OTHER", ""],
    ["VARVE_TEST_NAMED", "held"],
    ["HOME", "held"],
    ["LC_MESSAGES", "held"],
    ["TMPDIR", "held"],
  ])("shows a command of %s: %j", async (name, shown) => {
    vi.stubEnv(name, "held");
    expect(await run({ command: `echo "[$${name}]"` })).toBe(`[${shown}]\n[exit code 0]`);
    vi.unstubAllEnvs();
  });

  test("ends a command that takes too long, with what it started", async () => {
    const started = Date.now();
    expect(await run({ command: "sleep 30 & sleep 30", seconds: 1 })).toBe("[ended after 1 second]");
    expect(Date.now() - started).toBeLessThan(20_000);
  });

  test("keeps the beginning and the end of a long output", async () => {
    const output = await run({ command: "echo first; head -c 3000000 /dev/zero | tr '\\0' x; echo; echo last" });
    expect(output.length).toBeLessThan(2_001_000);
    expect(output).toMatch(/^first\n[\s\S]*1,000,012 characters left out[\s\S]*last\n\[exit code 0\]$/);
  });

  test("does not start what is stopped already", async () => {
    expect(await run({ command: "sleep 5" }, AbortSignal.abort())).toBe("[stopped by the user]");
  });
});
