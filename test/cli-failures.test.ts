/** What goes wrong on the command line, and how it is told to people and to programs. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { failureSchema } from "../src/cli/output/schemas.js";
import { openVarve, type PlanInput, planMessages } from "../src/index.js";
import { says, user } from "./support/build.js";
import { type BuiltPackage, buildPackage } from "./support/built-package.js";
import { type Finished, hasScript, run } from "./support/command-line.js";
import { Terminal } from "./support/terminal.js";

const FOLDER = mkdtempSync(join(tmpdir(), "varve-failures-"));
const STORE = `sqlite:${join(FOLDER, "varve.db")}`;
const VARIABLES = { VARVE_STORE: STORE, XDG_CONFIG_HOME: join(FOLDER, "home"), APPDATA: join(FOLDER, "home") };

let built: BuiltPackage;
beforeAll(async () => {
  [built] = await Promise.all([buildPackage(), fillStore()]);
  writeFileSync(
    join(FOLDER, "recording.json"),
    JSON.stringify([
      { role: "user", content: "Which port?" },
      { role: "assistant", content: "It is 5433." },
    ]),
  );
}, 60_000);
afterAll(() => {
  built?.remove();
  rmSync(FOLDER, { recursive: true, force: true });
});

async function fillStore(): Promise<void> {
  const opened = await openVarve({ store: STORE });
  const session = await opened.session("plain", { window: 4_000, memory: { scope: { user: "ann" } } });
  await session.append([user("Where is the port?"), says("In server.toml.")]);
  const plan = (input: PlanInput) => planMessages("gone", [], input);
  const own = await opened.session("foreign", { window: 4_000, strategy: { name: "gone", plan } as never });
  await own.append([user("Where is the port?"), says("In server.toml.")]);
  await opened.close();
}

const varve = (parameters: readonly string[], variables = {}): Promise<Finished> =>
  run(process.execPath, [built.main, ...parameters], { variables: { ...VARIABLES, ...variables }, folder: FOLDER });

describe("hints speak of commands", () => {
  test.each<[string, string[], number, string]>([
    ["nothing to undo", ["context", "undo", "-s", "plain"], 4, "varve context receipts"],
    ["no such checkpoint", ["context", "restore", "x", "-s", "plain"], 4, "varve context checkpoint --list"],
    ["no such entry", ["context", "expand", "e9", "-s", "plain"], 4, "varve context search"],
    ["a model that is not known", ["context", "status", "--model", "zzz", "-s", "plain"], 6, "--window 128000"],
    ["no such session", ["session", "export", "nobody"], 4, "varve session list"],
    ["a strategy that is not known here", ["context", "search", "port", "-s", "foreign"], 2, "--strategy hierarchical"],
  ])("%s", async (...[, parameters, code, hint]) => {
    const finished = await varve(parameters);
    expect(finished.stderr).toContain(hint);
    expect(finished.stderr).not.toMatch(/\w\(\)|\{ /);
    expect(finished.code).toBe(code);
  });

  test("a session that is there already", async () => {
    const file = join(FOLDER, "plain.jsonl");
    await varve(["session", "export", "plain", "-o", file]);
    const { code, stderr } = await varve(["session", "import", file]);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining("--existing skip") });
  });
});

describe("wrong usage", () => {
  test.each([
    [["context", "search"], "context search"],
    [["session", "list", "--limt", "1"], "session list"],
    [["context", "status", "--window", "many"], "context status"],
  ])("%j is a document for programs and names the command's own help", async (parameters, command) => {
    const { code, stdout, stderr } = await varve([...parameters, "--json"]);
    expect(code).toBe(2);
    const { error } = failureSchema.parse(JSON.parse(stdout));
    expect(error).toMatchObject({ code: "wrong-usage", hint: expect.stringContaining(`varve ${command} --help`) });
    expect(stderr).toContain(`Run varve ${command} --help`);
  });

  test.each([
    ["a strategy", ["context", "status", "--strategy", "hierachical"], 2, 'Did you mean "hierarchical"?'],
    ["a store", ["session", "list", "--store", "redis:x"], 2, "sqlite:PATH"],
    ["a setting", ["config", "show", "--set", "windw=1"], 2, 'Did you mean "window"?'],
    ["a strategy to write", ["config", "init", "--strategy", "nope"], 2, "sliding-window"],
  ])("%s that cannot be is refused", async (...[, parameters, code, hint]) => {
    expect(await varve(parameters)).toMatchObject({ code, stderr: expect.stringContaining(hint) });
    expect(existsSync(join(FOLDER, "varve.json"))).toBe(false);
  });

  test("in a file it is a wrong configuration", async () => {
    const file = join(FOLDER, "wrong.json");
    for (const wrong of [{ strategy: "nope" }, { store: "redis:x" }, { trigger: 0.3, target: 0.5 }]) {
      writeFileSync(file, JSON.stringify(wrong));
      expect((await varve(["config", "show", "--config", file], { VARVE_STORE: "" })).code).toBe(6);
      expect((await varve(["doctor", "--config", file], { VARVE_STORE: "" })).stdout).toContain("FAILED");
    }
  });

  test("an export to a folder that is not there is told as such", async () => {
    const { code, stderr } = await varve(["session", "export", "plain", "-o", join(FOLDER, "none", "x")]);
    expect({ code, stderr }).toEqual({ code: 4, stderr: expect.stringContaining("There is no folder") });
    expect((await varve(["session", "export", "plain", "-o", FOLDER])).stderr).toContain("cannot be written");
  });
});

describe("a session", () => {
  test("without a window can be searched, expanded, pinned, checkpointed and forked", async () => {
    const store = ["--store", `sqlite:${join(FOLDER, "recorded.db")}`];
    expect((await varve(["import", "recording.json", ...store])).code).toBe(0);
    const { stdout } = await varve(["session", "list", "--json", ...store]);
    const id: string = JSON.parse(stdout).sessions[0].id;
    const looks = ["search 5433", "expand e1", "receipts"].map((line) =>
      varve(["context", ...line.split(" "), ...store]),
    );
    for (const { code, stderr } of await Promise.all(looks))
      expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining("128,000 tokens are taken") });
    for (const line of ["checkpoint first", "pin e1"])
      expect((await varve(["context", ...line.split(" "), ...store])).code).toBe(0);
    expect((await varve(["session", "fork", id, "copy", "--at", "first", ...store])).code).toBe(0);
  });

  test("with a strategy that is not known goes on with the one that is named or configured", async () => {
    const search = ["context", "search", "port", "-s", "foreign"];
    expect((await varve([...search, "--strategy", "importance"])).code).toBe(0);
    const configured = await varve(search, { VARVE_STRATEGY: "hierarchical" });
    expect(configured).toMatchObject({ code: 0, stderr: expect.stringContaining("goes on with hierarchical") });
  });

  test("is shown with its options in words", async () => {
    const { stdout } = await varve(["session", "show", "plain"]);
    expect(stdout).not.toContain("[object Object]");
    expect(stdout).toContain("ann");
  });
});

test("a plug-in's store is made once, closed once, and may be a class", async () => {
  const log = join(FOLDER, "made.log");
  const module = join(FOLDER, "store.mjs");
  writeFileSync(
    module,
    `import { appendFileSync } from "node:fs";
     import { sqliteStore } from ${JSON.stringify(join(built.root, "dist", "store", "drivers", "sqlite.js"))};
     const log = (word) => appendFileSync(${JSON.stringify(log)}, word + " ");
     class Mine {
       #inner = sqliteStore(${JSON.stringify(join(FOLDER, "varve.db"))});
       async commit(...all) { log("commit"); return (await this.#inner).commit(...all); }
       async read(...all) { return (await this.#inner).read(...all); }
       async version(...all) { return (await this.#inner).version(...all); }
       async replace(...all) { return (await this.#inner).replace(...all); }
       async sessions(...all) { return (await this.#inner).sessions(...all); }
       async delete(...all) { return (await this.#inner).delete(...all); }
       async close() { log("close"); return (await this.#inner).close(); }
       name = "mine";
     }
     export const make = () => { log("made"); return new Mine(); };`,
  );
  const search = ["context", "search", "port", "-s", "foreign", "--strategy", "importance"];
  const store = ["--set", `store=${JSON.stringify({ plugin: `${module}#make` })}`];
  const found = await varve([...search, ...store], { VARVE_STORE: "" });
  expect(found).toEqual({ code: 0, stdout: expect.stringContaining("port"), stderr: "" });
  expect(readFileSync(log, "utf8")).toBe("made close ");
});

test("doctor checks the chat's model and the summariser's apart, and the strategy", async () => {
  const flags = ["--set", "chat.model=m", "--set", "chat.baseURL=http://127.0.0.1:9/v1"];
  const summariser = ["--set", 'summariser={"model":"s","baseURL":"http://127.0.0.1:19/v1"}'];
  const { stdout } = await varve(["doctor", "--json", ...flags, ...summariser]);
  const checks: { name: string; status: string; text: string }[] = JSON.parse(stdout).checks;
  const of = (name: string) => checks.find((check) => check.name === name);
  expect(of("chat")).toMatchObject({ status: "failed", text: expect.stringContaining("127.0.0.1:9/") });
  expect(of("summariser")).toMatchObject({ status: "failed", text: expect.stringContaining("127.0.0.1:19/") });
  expect(of("strategy")).toMatchObject({ status: "ok", text: "hierarchical" });
});

describe.skipIf(!hasScript())("on a terminal (skipped without `script` of util-linux)", () => {
  test.each([
    ["Ctrl-C", "\u0003"],
    ["Ctrl-D", "\u0004"],
  ])("%s at a question deletes nothing", async (_, key) => {
    const terminal = new Terminal(`'${process.execPath}' '${built.main}' session delete plain`, {
      variables: VARIABLES,
      folder: FOLDER,
    });
    await terminal.until("[y/N]");
    terminal.keys(key);
    expect(await terminal.ended).toBe(130);
    expect(terminal.text).toContain("was not deleted");
    expect(terminal.text).not.toMatch(/\n {4}at /);
  });
});

test("variables that varve reads elsewhere are not told to be unread", async () => {
  const { stderr } = await varve(["config", "show"], { VARVE_DEBUG: "1", VARVE_TRUST: "0" });
  expect(stderr).not.toMatch(/VARVE_(?:DEBUG|TRUST) is not read/);
});
