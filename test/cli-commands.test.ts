/** Every command, run as a person runs it: its output, its exit code, and what `--json` prints against its schema. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { failureSchema, outputSchemas } from "../src/cli/output/schemas.js";
import { type EntryScore, modelSummariser, openaiCompatible, openVarve, summarization } from "../src/index.js";
import { calls, result, says, user, words } from "./support/build.js";
import { type BuiltPackage, buildPackage } from "./support/built-package.js";
import { type Finished, hasScript, run, SCRIPT, scriptParameters } from "./support/command-line.js";
import { eventually } from "./support/eventually.js";
import { startModelServer } from "./support/model-server.js";

const ESCAPE = "\u001b";
const FOLDER = mkdtempSync(join(tmpdir(), "varve-cli-"));
const STORE = `sqlite:${join(FOLDER, "varve.db")}`;
const VARIABLES = { VARVE_STORE: STORE, XDG_CONFIG_HOME: join(FOLDER, "home"), APPDATA: join(FOLDER, "home") };

let built: BuiltPackage;
beforeAll(async () => {
  [built] = await Promise.all([buildPackage(), fillStore()]);
}, 60_000);
afterAll(() => {
  built?.remove();
  rmSync(FOLDER, { recursive: true, force: true });
});

/** Sessions as a program leaves them, the one called "ann:coder:1" changed last. */
async function fillStore(): Promise<void> {
  const varve = await openVarve({ store: STORE });
  for (const id of ["old", "spare", "ann:coder:1"]) {
    const session = await varve.session(id, { window: 4_000, strategy: "hierarchical" });
    for (let turn = 0; turn < 30; turn++) {
      await session.append([user(`request ${turn}: where is the port ${4_000 + turn}?`), calls(`c${turn}`)]);
      await session.append([result(`c${turn}`, `port ${4_000 + turn} ${words(60, `file-${turn}`)}`)]);
      await session.view({ system: "You are a careful engineer.", tools: [{ name: "read" }] });
      await session.append([says(`It is in src/part-${turn}.ts.`)]);
    }
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await varve.close();
}

const varve = (parameters: readonly string[], variables = {}): Promise<Finished> =>
  run(process.execPath, [built.main, ...parameters], { variables: { ...VARIABLES, ...variables }, folder: FOLDER });

/** What a command prints with `--json`, held against its schema. */
async function json(...parameters: string[]): Promise<Record<string, unknown>> {
  const { code, stdout, stderr } = await varve([...parameters, "--json"]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const document = JSON.parse(stdout);
  const schema = outputSchemas[document.command];
  expect(parameters.join(" ").startsWith(document.command)).toBe(true);
  const checked = schema?.safeParse(document);
  expect(checked?.error?.issues ?? []).toEqual([]);
  expect(checked?.success).toBe(true);
  return document;
}

describe("varve notes", () => {
  test("prints a session as Markdown, as long as asked for, and as data", async () => {
    const { code, stdout, stderr } = await varve(["notes"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/^# Notes on ann:coder:1\n\ne0 to e119\./);
    expect(stdout).toContain("> request 29: where is the port 4029?");
    const { text, tokens, notes } = await json("notes", "ann:coder:1", "--max-tokens", "300");
    expect(text).toMatch(/^# Notes on ann:coder:1\n/);
    expect(tokens).toBeLessThanOrEqual(300);
    expect(notes).toMatchObject({ version: 1, from: 0, to: 120 });
    expect((notes as { notes: object[] }).notes).toContainEqual(
      expect.objectContaining({ entry: "e116", kind: "user" }),
    );
  });

  test("writes a file, and leaves the store and a chat endpoint alone", async () => {
    const file = join(FOLDER, "notes.md");
    const before = await json("session", "show", "spare");
    const { stdout, stderr } = await varve(["notes", "spare", "-o", file]);
    expect({ stdout, stderr }).toEqual({
      stdout: "",
      stderr: expect.stringMatching(/^[\d,]+ tokens in .*notes\.md\.\n$/),
    });
    expect(readFileSync(file, "utf8")).toMatch(/^# Notes on spare\n/);
    expect(await json("session", "show", "spare")).toEqual(before);
    const project = mkdtempSync(join(tmpdir(), "varve-cli-"));
    writeFileSync(
      join(project, "varve.json"),
      '{ "chat": { "model": "m", "baseURL": "https://elsewhere.example/v1" } }',
    );
    const { code } = await run(process.execPath, [built.main, "notes", "spare"], {
      variables: VARIABLES,
      folder: project,
    });
    rmSync(project, { recursive: true, force: true });
    expect(code).toBe(0);
  });

  test("says where there is no such session, and where a file cannot be written", async () => {
    expect(await varve(["notes", "nobody"])).toMatchObject({ code: 4, stdout: "" });
    expect(await varve(["notes", "-o", join(FOLDER, "none", "notes.md")])).toMatchObject({ code: 4, stdout: "" });
    expect(await varve(["notes", "--max-tokens", "3"])).toMatchObject({ code: 2, stdout: "" });
  });
});

describe("varve context", () => {
  test("status tells what the program's last view held, system prompt and tools included", async () => {
    const status = await json("context", "status");
    expect(status).toMatchObject({ session: { id: "ann:coder:1", entries: 120 }, recorded: true, since: 1 });
    const blocks = Object.fromEntries(
      (status.blocks as { name: string; tokens: number }[]).map((each) => [each.name, each.tokens]),
    );
    expect(blocks.system).toBeGreaterThan(3);
    expect(blocks.tools).toBeGreaterThan(3);
    expect(status.cache).toMatchObject({ views: 30 });
    expect((status.cache as { share: number }).share).toBeGreaterThan(0.5);
    const total = (status.segments as { tokens: number }[]).reduce((sum, { tokens }) => sum + tokens, 0);
    expect(total).toBe(4_000);
  });

  test("status shows grid, legend and facts, without colours in a pipe and within the columns there are", async () => {
    const { code, stdout, stderr } = await varve(["context", "status"], { COLUMNS: "44" });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    for (const word of ["ann:coder:1", "System prompt", "Blocks", "Counting", "Cache", "Next cut"])
      expect(stdout).toContain(word);
    expect(stdout).not.toContain(ESCAPE);
    expect(Math.max(...stdout.split("\n").map((line) => line.length))).toBeLessThan(44);
  });

  test("status tells of a threshold that comes before the window, and of a summariser that fails", async () => {
    const server = await startModelServer([{ status: 500 }]);
    const store = `sqlite:${join(FOLDER, "failing.db")}`;
    const model = openaiCompatible({ baseURL: `${server.url}/v1`, model: "small", retries: 0 });
    const failing = await openVarve({ store, summariser: modelSummariser(model, { window: 20_000 }) });
    const session = await failing.session("s", { window: 20_000, strategy: summarization({ after: { entries: 20 } }) });
    for (let turn = 0; turn < 12; turn++) await session.append([user(`request ${turn}`), says(words(40))]);
    await eventually(() => expect(session.status().summariser).toBeDefined());
    await session.view();
    await session.append(user("and now?"));
    await failing.close();
    await server.close();
    const { next, summariser } = await json("context", "status", "--store", store);
    expect(next).toMatchObject({ entriesLeft: 8 }); // 12 were shown, and one has come since
    expect(summariser).toMatchObject({ times: 1, code: "model-failed", fallback: "extractive" });
    const { stdout } = await varve(["context", "status", "--store", store]);
    expect(stdout).toMatch(/Summariser +failed 1 time since .*, the conversation's own words/);
  });

  test("status makes a view of another window where one is asked for, and changes nothing", async () => {
    const before = await json("context", "status");
    expect(await json("context", "status", "--window", "3_000")).toMatchObject({
      recorded: false,
      budget: { window: 3_000 },
    });
    expect(await json("context", "status")).toEqual(before);
  });

  test("status tells how important each entry is and why, where the strategy goes by that", async () => {
    const on = ["context", "status", "--scores", "--strategy", "importance"];
    const { scores } = (await json(...on)) as unknown as { scores: EntryScore[] };
    expect(scores).toHaveLength(120);
    expect(scores[0]).toMatchObject({ entry: "e0", score: expect.any(Number), pinned: false });
    expect(scores[0]!.parts.words).toBeGreaterThan(0);
    const explained = await json("context", "explain", "--strategy", "importance", "--window", "2_000");
    expect((explained.receipt as { scores: unknown }).scores).toEqual(scores);
    expect((await varve(on)).stdout).toMatch(/ e0 +0\.\d\d +(?:\w+ 0\.\d\d(?:, )?)+ +request 0: where/);
    expect(await json("context", "status", "--scores")).toMatchObject({ scores: null });
  });

  test("explain, compress, receipts, undo: what was explained is done, listed and taken back", async () => {
    const [, , ...on] = ["", "", "--session", "spare"];
    const plan = await json("context", "explain", ...on);
    const { receipt } = (await json("context", "compress", ...on)) as unknown as {
      receipt: { id: string; tokensAfter: number };
    };
    expect(receipt.tokensAfter).toBe((plan.receipt as { tokensAfter: number }).tokensAfter);
    const listed = await json("context", "receipts", "--limit", "1", ...on);
    expect(listed.receipts).toMatchObject([{ id: receipt.id }]);
    expect(await json("context", "undo", ...on)).toMatchObject({ undone: { id: receipt.id } });
    expect((await json("context", "status", ...on)).recorded).toBe(false);
  });

  test("summarize keeps the messages asked for, and refuses a strategy without summaries", async () => {
    const { stdout } = await varve(["context", "summarize", "--keep", "4", "-s", "spare"]);
    expect(stdout).toMatch(/entries digested/);
    const { code, stderr } = await varve(["context", "summarize", "--strategy", "sliding-window", "-s", "spare"]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/makes no summaries\.\nWhat to do: Switch it over/);
  });

  test("compress says that there is nothing left to remove with exit code 5", async () => {
    let last: Finished | undefined;
    for (let attempt = 0; attempt < 12 && last?.code !== 5; attempt++)
      last = await varve(["context", "compress", "-s", "old"]);
    expect(last).toMatchObject({ code: 5, stderr: expect.stringMatching(/nothing to leave out[\s\S]*What to do:/) });
  });

  test("checkpoint and restore go back, by name, and keep what came after", async () => {
    const made = await json("context", "checkpoint", "before the refactor", "-s", "old");
    expect(made.made).toMatchObject({ name: "before the refactor", entries: 120 });
    const varveHere = await openVarve({ store: STORE });
    await (await varveHere.session("old")).append(user("one more"));
    await varveHere.close();
    expect(await json("context", "restore", "before the refactor", "-s", "old")).toMatchObject({
      removed: 1,
      added: 0,
    });
    const { stdout } = await varve(["context", "checkpoint", "--list", "-s", "old"]);
    expect(stdout).toContain("before the refactor");
  });

  test("search, expand and pins work on what is found", async () => {
    const found = await json("context", "search", "4017", "--limit", "2");
    const [hit] = found.hits as { id: string; excerpt: string }[];
    expect(hit?.excerpt).toContain("4017");
    const page = await json("context", "expand", hit!.id, "--limit", "10");
    expect(page).toMatchObject({ next: 10, text: expect.stringMatching(/^.{10}$/s) });
    expect((await varve(["context", "expand", hit!.id])).stdout).toContain("4017");
    expect((await json("context", "pin", hit!.id)).pins).toMatchObject([{ entry: hit!.id, by: "user" }]);
    expect((await varve(["context", "pin"])).stdout).toContain(hit!.id);
    expect((await json("context", "unpin", hit!.id)).pins).toEqual([]);
  });
});

describe("varve session", () => {
  test("list shows the newest first", async () => {
    const { sessions } = (await json("session", "list")) as unknown as { sessions: { id: string }[] };
    expect(sessions.map(({ id }) => id)).toEqual(expect.arrayContaining(["ann:coder:1", "old", "spare"]));
    expect((await json("session", "list", "--prefix", "ann", "--limit", "1")).total).toBe(1);
  });

  test("show tells what a session is and what was said last", async () => {
    const shown = await json("session", "show", "ann:coder:1", "--entries", "2");
    expect(shown.options).toMatchObject({ window: 4_000, strategy: "hierarchical" });
    expect((shown.entries as { text: string }[]).at(-1)?.text).toBe("It is in src/part-29.ts.");
  });

  test("fork, export, delete and import carry a session whole", async () => {
    expect(await json("session", "fork", "ann:coder:1", "copy")).toMatchObject({ id: "copy", entries: 120 });
    const file = join(FOLDER, "copy.jsonl");
    expect(await json("session", "export", "copy", "--output", file)).toMatchObject({ sessions: 1, entries: 120 });
    const { stdout } = await varve(["session", "export", "copy"]);
    expect(stdout.split("\n").slice(1)).toEqual(readFileSync(file, "utf8").split("\n").slice(1));
    const unconfirmed = await varve(["session", "delete", "copy"]);
    expect(unconfirmed).toMatchObject({ code: 1, stderr: expect.stringContaining("--yes") });
    expect((await json("session", "delete", "copy", "--yes")).deleted).toMatchObject([{ id: "copy", entries: 120 }]);
    expect(await json("session", "import", file)).toMatchObject({ sessions: ["copy"], entries: 120 });
    const again = await varve(["session", "import", file]);
    expect(again).toMatchObject({ code: 1, stderr: expect.stringMatching(/already\.\nWhat to do/) });
    expect(await json("session", "import", file, "--existing", "skip")).toMatchObject({ skipped: ["copy"] });
    await json("session", "delete", "copy", "--yes");
  });

  test("fork goes back to a checkpoint in the copy, and copies nothing where there is none", async () => {
    await json("context", "checkpoint", "here", "-s", "spare");
    expect(await json("session", "fork", "spare", "branch", "--at", "here")).toMatchObject({ checkpoint: "c1" });
    expect((await varve(["session", "fork", "spare", "other", "--at", "nowhere"])).code).toBe(4);
    expect((await json("session", "list", "--prefix", "other")).total).toBe(0);
  });
});

describe("varve config, doctor and completions", () => {
  test("show names the source of each value", async () => {
    const shown = await json("config", "show", "--window", "8000");
    expect(shown.values).toEqual(
      expect.arrayContaining([
        { path: "store", value: STORE, source: { kind: "environment", name: "VARVE_STORE" } },
        { path: "window", value: 8_000, source: { kind: "flag", name: "--window" } },
        { path: "strategy", value: "hierarchical", source: { kind: "default" } },
      ]),
    );
  });

  test("init writes a file that show reads, and does not write over it", async () => {
    const { file } = (await json("config", "init", "--model", "gpt-4.1")) as unknown as { file: string };
    expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({
      model: "gpt-4.1",
      $schema: expect.stringContaining("schema.json"),
    });
    expect(await varve(["config", "init"])).toMatchObject({ code: 1, stderr: expect.stringContaining("--force") });
    expect((await json("config", "show")).files).toMatchObject({ project: file });
    rmSync(file);
  });

  test("a wrong file is refused with the path, the value and what may stand there, with exit code 6", async () => {
    const file = join(FOLDER, "wrong.json");
    writeFileSync(file, '{ "memory": { "similarityTreshold": 2 } }');
    const { code, stdout, stderr } = await varve(["config", "show", "--config", file, "--json"]);
    expect(code).toBe(6);
    expect(stderr).toContain(`"memory.similarityTreshold" of ${file} is 2`);
    expect(stderr).toContain('Did you mean "similarityThreshold"?');
    expect(failureSchema.parse(JSON.parse(stdout)).error.details).toMatchObject({
      path: "memory.similarityTreshold",
      value: 2,
    });
  });

  test("schema prints the JSON Schema of varve.json, and of what commands print", async () => {
    expect((await json("config", "schema")).schema).toMatchObject({ additionalProperties: false });
    expect((await json("config", "schema", "--of", "context status")).schema).toMatchObject({
      required: expect.arrayContaining(["varve", "blocks"]),
    });
    expect((await varve(["config", "schema", "--of", "context stats"])).stderr).toContain(
      'Did you mean "context status"?',
    );
  });

  test("doctor checks everything, and fails with a remedy where something is wrong", async () => {
    const { checks } = (await json("doctor", "--window", "8000")) as unknown as {
      checks: { name: string; status: string }[];
    };
    expect(checks.map(({ name }) => name)).toEqual([
      "node",
      "configuration",
      "store",
      "integrity",
      "permissions",
      "disk",
      "clock",
      "window",
      "strategy",
      "chat",
      "summariser",
      "embedder",
    ]);
    expect(checks.filter(({ status }) => status === "failed")).toEqual([]);
    const { code, stdout } = await varve([
      "doctor",
      "--set",
      "chat.model=m",
      "--set",
      "chat.baseURL=http://127.0.0.1:9/v1",
    ]);
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /FAILED +chat +http:\/\/127\.0\.0\.1:9\/v1 cannot be\s+reached[\s\S]*What to do: Start the server/,
    );
  });

  test.each(["bash", "zsh", "fish"])("completions for %s know commands and options", async (shell) => {
    const { script } = (await json("completions", shell)) as unknown as { script: string };
    for (const word of ["checkpoint", "--window", "completions", "fork"]) expect(script).toContain(word);
  });

  test("completions for bash complete", async () => {
    const { stdout: script } = await varve(["completions", "bash"]);
    const ask = 'COMP_WORDS=(varve context st); COMP_CWORD=2; _varve; echo "$COMPREPLY"';
    expect((await run("bash", ["-c", `${script}\n${ask}`])).stdout).toBe("status\n");
  });
});

describe("what goes wrong", () => {
  test.each([
    ["no such session", ["context", "status", "-s", "nobody"], 4, "`varve session list` shows"],
    ["no such entry", ["context", "expand", "e999"], 4, "varve context search"],
    ["no such checkpoint", ["context", "restore", "never"], 4, "lists those there are"],
    ["no store yet", ["session", "list", "--store", "sqlite:./none.db"], 4, "name another store"],
    ["a store of the wrong kind", ["session", "list", "--store", "redis:x"], 2, "sqlite:PATH"],
    ["a store that forgets", ["session", "list", "--store", "memory"], 2, "lasting store"],
    ["an unknown subcommand", ["context", "stats"], 2, "Did you mean status?"],
    ["a missing argument", ["context", "search"], 2, "missing required argument"],
    ["a wrong number", ["context", "status", "--window", "many"], 2, "such as 8000"],
  ])("%s is told on stderr with what to do next", async (...[, parameters, code, hint]) => {
    const { stdout, ...told } = await varve(parameters);
    expect({ code: told.code, stdout }).toEqual({ code, stdout: "" });
    expect(told.stderr).toContain(hint);
    expect(told.stderr).not.toMatch(/\n {4}at /);
  });

  test("looking makes no store", async () => {
    expect(existsSync(join(FOLDER, "none.db"))).toBe(false);
  });
});

describe.skipIf(!hasScript())("on a terminal (skipped without `script` of util-linux)", () => {
  const onTerminal = (
    parameters: string,
    { columns = 80, ...variables }: { columns?: number; NO_COLOR?: string } = {},
  ) =>
    run(SCRIPT, scriptParameters(`'${process.execPath}' '${built.main}' ${parameters}`, { columns }), {
      variables: { ...VARIABLES, ...variables },
      folder: FOLDER,
    });

  test("status is drawn in colours, and in letters with NO_COLOR", async () => {
    const coloured = await onTerminal("context status");
    expect(coloured.code).toBe(0);
    expect(coloured.stdout).toContain("\u001b[38;5;");
    const plain = await onTerminal("context status", { NO_COLOR: "1" });
    expect(plain.stdout).not.toContain(ESCAPE);
    expect(plain.stdout).toContain("S ");
  });

  test("nothing is wider than a narrow terminal", async () => {
    for (const parameters of [
      "context status",
      "session list",
      "session show",
      "doctor",
      "config show",
      "context receipts",
    ]) {
      const { stdout } = await onTerminal(`${parameters} 2>/dev/null`, { columns: 40, NO_COLOR: "1" });
      expect(Math.max(...stdout.split(/\r?\n/).map((line) => line.length))).toBeLessThan(40);
    }
  });

  test("delete asks, and takes no for an answer", async () => {
    const { stdout, code } = await run(
      SCRIPT,
      scriptParameters(`'${process.execPath}' '${built.main}' session delete old`),
      { variables: VARIABLES, folder: FOLDER, input: "n\n" },
    );
    expect(code).toBe(1);
    expect(stdout).toContain("[y/N]");
    expect((await json("session", "list", "--prefix", "old")).total).toBe(1);
  });
});
