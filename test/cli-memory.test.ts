/** `varve memory`, run as a person runs it. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { basename, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { outputSchemas } from "../src/cli/output/schemas.js";
import { type BuiltPackage, buildPackage } from "./support/built-package.js";
import { type Finished, run } from "./support/command-line.js";

const FOLDER = mkdtempSync(join(tmpdir(), "varve-cli-memory-"));
const VARIABLES = {
  VARVE_STORE: `sqlite:${join(FOLDER, "varve.db")}`,
  XDG_CONFIG_HOME: join(FOLDER, "home"),
  APPDATA: join(FOLDER, "home"),
};

let built: BuiltPackage;
beforeAll(async () => {
  built = await buildPackage();
}, 60_000);
afterAll(() => {
  built?.remove();
  rmSync(FOLDER, { recursive: true, force: true });
});

const varve = (...parameters: string[]): Promise<Finished> =>
  run(process.execPath, [built.main, "memory", ...parameters], { variables: VARIABLES, folder: FOLDER });

async function json(...parameters: string[]): Promise<Record<string, unknown>> {
  const { code, stdout } = await varve(...parameters, "--json");
  expect(code).toBe(0);
  const document = JSON.parse(stdout);
  expect(outputSchemas[document.command]?.safeParse(document).error?.issues).toBeUndefined();
  expect(document.command).toBe(`memory ${parameters[0]}`);
  return document;
}

test("a memory from its adding to its forgetting", async () => {
  expect(await json("add", "I work at Acme", "--user", "ann", "--at", "2023-01-01", "--id", "job")).toMatchObject({
    id: "job",
    status: "stored",
  });
  const moved = await json("add", "I now work at Globex", "--user", "ann", "--at", "2025-01-01", "--tag", "work");
  expect(moved.superseded).toEqual([{ id: "job", slot: "user/employer", value: "Acme" }]);
  const now = (await json("search", "Where do I work?", "--user", "ann")) as { memories: { content: string }[] };
  expect(now.memories.map(({ content }) => content)).toEqual(["I now work at Globex"]);
  const then = (await json("search", "Where do I work?", "--user", "ann", "--as-of", "2024-01-01")) as typeof now;
  expect(then.memories.map(({ content }) => content)).toEqual(["I work at Acme"]);
  const tagged = (await json("list", "--user", "ann", "--tag", "work")) as typeof now;
  expect(tagged.memories).toHaveLength(1);
  expect(await json("update", "job", "I worked at Acme", "--user", "ann")).toMatchObject({
    versions: [{ content: "I work at Acme" }, { content: "I worked at Acme" }],
  });
  expect(await json("history", "job", "--user", "ann")).toMatchObject({
    versions: [{ content: "I work at Acme" }, { content: "I worked at Acme" }],
  });
  const file = join(FOLDER, "memories.jsonl");
  expect(await json("export", "--user", "ann", "-o", file)).toMatchObject({ file, memories: 3 });
  expect(readFileSync(file, "utf8").split("\n")[0]).toBe('{"varve":"memories","version":1}');
  expect(await json("import", file, "--user", "ben")).toMatchObject({ imported: 3 });
  expect(await json("audit", "--user", "ben")).toMatchObject({ memories: 3, duplicates: 0, mended: null });
  expect(await json("forget", "job", "--user", "ann", "--yes")).toMatchObject({
    forgotten: ["job"],
    receipts: [{ proof: { found: 0 } }],
  });
  expect(await json("forget", "--all", "--user", "ben", "--yes")).toMatchObject({ forgotten: expect.any(Array) });
  expect(await json("list", "--user", "ben")).toMatchObject({ memories: [] });
  expect(await json("embed")).toMatchObject({ done: 1, total: 1 });
}, 60_000);

test("people read lines", async () => {
  await varve("add", "The staging port is 5433", "--project", "atlas");
  const { code, stdout } = await varve("search", "staging port", "--project", "atlas");
  expect(code).toBe(0);
  expect(stdout).toContain("The staging port is 5433");
  expect(await varve("search", "x", "--project", "nothing")).toMatchObject({ stdout: "", stderr: "Nothing found.\n" });
}, 30_000);

test("a page is filled with what holds, and more is told of only where there is more", async () => {
  await varve("add", "The port is 1", "--id", "port", "--user", "dee");
  await varve("update", "port", "The port is 2", "--user", "dee");
  await varve("add", "The sky is grey", "--id", "sky", "--user", "dee");
  const first = await json("list", "--user", "dee", "--limit", "1");
  expect(first).toMatchObject({ memories: [{ content: "The port is 2" }], next: expect.any(String) });
  const rest = await json("list", "--user", "dee", "--limit", "1", "--after", String(first.next));
  expect(rest).toMatchObject({ memories: [{ id: "sky" }], next: null });
}, 60_000);

test("what is not there cannot be forgotten, nor anything beside it", async () => {
  await varve("add", "Eve likes tea", "--id", "tea", "--user", "eve");
  expect((await varve("forget", "tea", "nope", "--user", "eve", "--yes")).code).toBe(4);
  expect(await json("list", "--user", "eve")).toMatchObject({ memories: [{ id: "tea" }] });
}, 30_000);

test("whose memories are meant may stand in varve.json", async () => {
  const file = join(FOLDER, "own.json");
  writeFileSync(file, JSON.stringify({ memory: { scope: { user: "cid" } } }));
  await varve("add", "Cid likes tea", "--config", file);
  expect(await json("list", "--user", "cid")).toMatchObject({
    memories: [{ content: "Cid likes tea", scope: { user: "cid" } }],
  });
}, 30_000);

test("without a word on whose, they are the user's own of this project", async () => {
  await varve("add", "The build takes nine minutes");
  const { memories } = (await json("list")) as { memories: { scope: object }[] };
  expect(memories.map(({ scope }) => scope)).toEqual([{ user: userInfo().username, project: basename(FOLDER) }]);
}, 30_000);

test("what is refused says what to do", async () => {
  const refused = await varve("add", "My salary is 1. Do not save this.", "--user", "ann");
  expect(refused.code).toBe(1);
  expect(refused.stdout).toContain("Nothing was stored");
  const missing = await varve("import", "nowhere.jsonl", "--user", "ann", "--json");
  expect(JSON.parse(missing.stdout).error.code).toBe("not-found");
  const unsure = await varve("forget", "--all", "--user", "ann", "--json");
  expect(JSON.parse(unsure.stdout).error.code).toBe("aborted");
}, 30_000);

test("a memory that is not there is named, with the command that shows those that are", async () => {
  for (const call of [
    ["update", "nope", "some text"],
    ["history", "nope"],
  ]) {
    const { code, stderr } = await varve(...call, "--user", "ann");
    expect(code).not.toBe(0);
    expect(stderr).toContain('There is no memory "nope"');
    expect(stderr).toContain("varve memory list");
    expect(stderr).not.toContain("memory.list()");
  }
});
