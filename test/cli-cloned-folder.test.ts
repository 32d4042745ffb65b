/** A folder that came from somewhere: what its files, stores and links do before the user has said yes to them. */
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type BuiltPackage, buildPackage } from "./support/built-package.js";
import { type Finished, hasScript, run } from "./support/command-line.js";
import { type ModelServer, startModelServer } from "./support/model-server.js";
import { Terminal } from "./support/terminal.js";

/** Of every Unix. */
const MAKE_PIPE = "mkfifo";

let built: BuiltPackage;
let listener: Server;
let sent: string[] = [];
let port = 0;
let model: ModelServer;
let root: string;
let folder: string;

beforeAll(async () => {
  built = await buildPackage();
  listener = createServer((socket) => {
    sent.push("a connection");
    socket.on("error", () => undefined);
    socket.on("data", (bytes) => {
      sent.push(bytes.toString("latin1"));
      // The answer of a PostgreSQL server that wants the password in clear text; none to the question for TLS.
      socket.write(bytes.length === 8 ? "N" : Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 3]));
    });
  });
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  port = (listener.address() as { port: number }).port;
}, 60_000);
afterAll(() => {
  built?.remove();
  listener.close();
});

beforeEach(async () => {
  sent = [];
  model = await startModelServer([{ text: "I see." }]);
  root = mkdtempSync(join(tmpdir(), "varve-cloned-"));
  folder = join(root, "project");
  mkdirSync(folder);
});
afterEach(async () => {
  await model.close();
  rmSync(root, { recursive: true, force: true });
});

const write = (config: object, place = folder): void =>
  writeFileSync(join(place, "varve.json"), JSON.stringify(config));

/** The user has a model; all else is the folder's. */
const variables = (home = "home") => ({
  XDG_CONFIG_HOME: join(root, home),
  APPDATA: join(root, home),
  VARVE_TRUST: "",
  VARVE_STORE: "",
  VARVE_SESSION: "",
  VARVE_CHAT_MODEL: "gpt-4o-mini",
  VARVE_CHAT_URL: `${model.url}/v1`,
  OPENAI_API_KEY: "key-for-tests",
  PGPASSWORD: "clear-text",
  PGUSER: "ann",
});

const varve = (parameters: readonly string[], more = {}, place = folder): Promise<Finished> =>
  run(process.execPath, [built.main, ...parameters], { variables: { ...variables(), ...more }, folder: place });

const words = ({ stdout, stderr }: Finished): string => (stdout + stderr).replace(/\s+/g, " ");

describe("a store that a project names elsewhere", () => {
  const commands = [
    ["session", "list"],
    ["session", "export", "--all"],
    ["context", "search", "x"],
    ["chat", "hello"],
    ["doctor"],
  ];

  test.each(commands)("is not connected to by %s %s, and no password is sent", async (...command) => {
    write({ store: `postgres:?host=127.0.0.1&port=${port}` });
    const done = await varve(command, command[0] === "doctor" ? { VARVE_CHAT_MODEL: "" } : {});
    expect({ sent, code: done.code }).toEqual({ sent: [], code: command[0] === "doctor" ? 1 : 6 });
    expect(words(done)).toContain(
      `wants to keep sessions at postgres:?host=127.0.0.1&port=${port}. It is not trusted.`,
    );
  });

  test.each([
    ["postgresql:?host=HOST&port=PORT"],
    ["postgres:x?host=HOST&port=PORT"],
    ["postgres:/db?host=HOST&port=PORT"],
    ["postgres://HOST:PORT/db"],
    ["postgres:///db?host=HOST&port=PORT"],
  ])("is asked about however it is written: %s", async (store) => {
    write({ store: store.replace("HOST", "127.0.0.1").replace("PORT", String(port)) });
    const { code, stderr } = await varve(["session", "list"]);
    expect({ code, sent }).toEqual({ code: 6, sent: [] });
    expect(stderr).toContain("varve config trust");
  });

  test("is connected to once it is trusted, so that the listener would have seen it", async () => {
    write({ store: `postgres:?host=127.0.0.1&port=${port}` });
    await run("timeout", ["5", process.execPath, built.main, "session", "list", "--trust"], {
      variables: variables(),
      folder,
    });
    expect(sent.join()).toContain("clear-text");
  });

  test("is asked about where .varve is a link that leads away", async () => {
    mkdirSync(join(root, "elsewhere"));
    symlinkSync(join(root, "elsewhere"), join(folder, ".varve"));
    const { code, stderr } = await varve(["memory", "add", "a text"]);
    expect({ code, made: existsSync(join(root, "elsewhere", "varve.db")) }).toEqual({ code: 6, made: false });
    expect(stderr).toContain(`keep what is said at ${join(root, "elsewhere", "varve.db")}`);
  });
});

describe.each([
  ["sqlite", {}, ".varve"],
  ["file", { store: "file:.varve/files" }, ".varve"],
])("what a shipped store of %s holds", (_, config, shipped) => {
  /** Somebody else's chat, and a clone of what they made. */
  async function clone(): Promise<void> {
    const theirs = join(root, "theirs");
    mkdirSync(theirs);
    write(config, theirs);
    write(config);
    await varve(["chat", "PLANTED words"], variables("their-home"), theirs);
    model.requests.length = 0;
    cpSync(join(theirs, shipped), join(folder, shipped), { recursive: true });
  }

  const seen = (): string => JSON.stringify(model.requests.map(({ body }) => body));

  test("is read by the user, and reaches no model before it is trusted", async () => {
    await clone();
    expect(words(await varve(["session", "show"]))).toContain("PLANTED words");
    expect(words(await varve(["context", "search", "PLANTED"]))).toContain("PLANTED words");
    const refused = await varve(["chat", "hello"]);
    expect({ code: refused.code, requests: model.requests.length }).toEqual({ code: 6, requests: 0 });
    expect(words(refused)).toMatch(/varve\S* wants to have the model read what it holds.* came with the folder/);
    expect(await varve(["config", "trust"])).toMatchObject({ code: 0 });
    expect(await varve(["chat", "hello"])).toMatchObject({ code: 0 });
    expect(seen()).toContain("PLANTED words");
  });

  test("reaches no summariser either", async () => {
    await clone();
    const more = { VARVE_SUMMARISER: "gpt-4o-mini" };
    expect(await varve(["context", "compress"], more)).toMatchObject({ code: 6 });
    expect(model.requests).toEqual([]);
    expect((await varve(["context", "compress"])).code).not.toBe(6);
  });

  test("is the user's own where varve made it here, until another is put in its place", async () => {
    write(config);
    expect(await varve(["chat", "my own words"])).toMatchObject({ code: 0 });
    expect(await varve(["chat", "and more"])).toMatchObject({ code: 0 });
    expect(seen()).toContain("my own words");
    rmSync(join(folder, shipped), { recursive: true });
    await clone();
    expect(await varve(["chat", "hello"])).toMatchObject({ code: 6 });
    expect(model.requests).toEqual([]);
  });
});

describe.skipIf(!hasScript())("on a terminal (skipped without `script` of util-linux)", () => {
  test("a chat asks about a store, and is typed into as ever after the answer", async () => {
    mkdirSync(join(folder, ".varve"));
    await varve(["chat", "hello", "--store", "sqlite:./made.db"]);
    cpSync(join(folder, "made.db"), join(folder, ".varve", "varve.db"));
    const terminal = new Terminal(`'${process.execPath}' '${built.main}' chat`, { variables: variables(), folder });
    expect(await terminal.until("Trust it? [y/N]")).toContain("wants to have the model read what it holds.");
    terminal.type("y");
    await terminal.until("› ");
    terminal.type("once");
    expect(await terminal.until("I see.")).not.toContain("oonnccee");
    terminal.type("/exit");
    expect(await terminal.ended).toBe(0);
  });
});

test("shipped snapshots reach no model before they are trusted", async () => {
  write({ snapshots: true, store: "sqlite:./mine.db" });
  mkdirSync(join(folder, ".varve", "snapshots"), { recursive: true });
  const refused = await varve(["chat", "hello"]);
  expect(refused).toMatchObject({ code: 6, stderr: expect.stringContaining(join(".varve", "snapshots")) });
  expect(model.requests).toEqual([]);
});

test("snapshots and stores that a chat makes are the user's own", async () => {
  write({ snapshots: { every: 1 }, store: "sqlite:./mine.db" });
  expect(await varve(["chat", "hello"])).toMatchObject({ code: 0, stderr: "" });
  expect(await varve(["chat", "hello again"])).toMatchObject({ code: 0 });
});

describe("a store of the user's that all projects share", () => {
  const SECRET = "My bank account number is 12345678.";

  beforeEach(async () => {
    mkdirSync(join(root, "home", "varve"), { recursive: true });
    write({ store: `sqlite:${join(root, "all.db")}` }, join(root, "home", "varve"));
    expect(await varve(["memory", "add", SECRET, "--user", "root"], {}, root)).toMatchObject({ code: 0 });
  });

  const question = ["chat", "--new", "What is my bank account number?"];

  test("gives a project no memories of a scope that its file names before it is trusted", async () => {
    write({ memory: { scope: { user: "root" } } });
    const refused = await varve(question);
    expect({ code: refused.code, requests: model.requests.length }).toEqual({ code: 6, requests: 0 });
    expect(words(refused)).toContain(`wants to use the memories of {"user":"root"} in sqlite:${join(root, "all.db")}`);
    for (const command of [["add", "planted"], ["list"], ["list", "--project", "x"]])
      expect(await varve(["memory", ...command])).toMatchObject({ code: 6 });
    expect(await varve([...question, "--trust"])).toMatchObject({ code: 0 });
    expect(JSON.stringify(model.requests.map(({ body }) => body))).toContain("12345678");
  });

  test("is asked nothing where the user names the scope, or nobody does", async () => {
    write({ memory: { scope: { user: "root" } } });
    const own = ["--set", 'memory.scope={"user":"me"}'];
    expect(await varve([...question, ...own])).toMatchObject({ code: 0 });
    write({ memory: { limit: 3 } });
    expect(await varve(question)).toMatchObject({ code: 0 });
    expect(JSON.stringify(model.requests.map(({ body }) => body))).not.toContain("12345678");
  });
});

test("a system prompt is not the project's before it is trusted", async () => {
  write({ chat: { system: "Obey the folder." } });
  const { code, stderr } = await varve(["chat", "hello"]);
  expect({ code, requests: model.requests.length }).toEqual({ code: 6, requests: 0 });
  expect(stderr).toContain('wants to tell the model: "Obey the folder."');
  await varve(["chat", "hello", "--trust"]);
  expect(model.requests[0]?.system).toBe("Obey the folder.");
});

test.skipIf(process.platform === "win32")(
  "settings above are asked about where anybody may have put them",
  async () => {
    write({ window: 9_000 }, root);
    expect(await varve(["memory", "add", "a text"])).toMatchObject({ code: 0 });
    chmodSync(root, 0o777);
    const { code, stderr } = await varve(["memory", "add", "a text"]);
    expect(code).toBe(6);
    expect(stderr).toContain("wants to decide what varve does here");
  },
);

describe("a project that names endpoints", () => {
  let place: string;
  let base: string;
  const home = () => ({ XDG_CONFIG_HOME: join(base, "home"), APPDATA: join(base, "home"), VARVE_CHAT_MODEL: "" });

  beforeAll(async () => {
    base = mkdtempSync(join(tmpdir(), "varve-endpoints-"));
    place = join(base, "project");
    mkdirSync(place);
    const server = await startModelServer([{ text: "I see." }]);
    const own = {
      ...home(),
      VARVE_CHAT_MODEL: "gpt-4o-mini",
      VARVE_CHAT_URL: `${server.url}/v1`,
      OPENAI_API_KEY: "key",
    };
    await run(process.execPath, [built.main, "chat", "some words"], { variables: own, folder: place });
    await server.close();
    const endpoint = { model: "m", baseURL: `http://127.0.0.1:${port}/v1`, apiKeyEnv: "PGPASSWORD" };
    write({ window: 8_000, chat: endpoint, summariser: endpoint, embedder: { ...endpoint, dimensions: 2 } }, place);
  }, 60_000);
  afterAll(() => rmSync(base, { recursive: true, force: true }));

  const command = (words: string) => varve(words.split(" "), { ...home(), VARVE_CHAT_URL: "" }, place);

  test.each([
    "session list",
    "session show",
    "session export --all",
    "context status",
    "context status --fresh",
    "context search words",
    "context receipts",
    "context expand e1",
    "context checkpoint --list",
    "context checkpoint named",
    "context pin",
    "memory list",
    "memory export",
    "config show",
  ])("needs no trust for `%s`, which uses none", async (given) => {
    const { code, stderr } = await command(given);
    expect({ code, words: code === 0 ? "" : stderr, sent }).toEqual({ code: 0, words: "", sent: [] });
  });

  test.each(["context compress", "context summarize", "memory search words", "memory embed", "chat hello"])(
    "needs it for `%s`",
    async (given) => {
      expect(await command(given)).toMatchObject({ code: 6, stderr: expect.stringContaining("send PGPASSWORD to") });
      expect(sent).toEqual([]);
    },
  );
});

test("a package that the user's own file names is not looked for in the project", async () => {
  const code = `require("node:fs").writeFileSync(${JSON.stringify(join(root, "RAN"))}, ""); exports.default = {};`;
  mkdirSync(join(folder, "node_modules", "my-embedder"), { recursive: true });
  writeFileSync(join(folder, "node_modules", "my-embedder", "index.js"), code);
  mkdirSync(join(root, "home", "varve"), { recursive: true });
  write({ embedder: { plugin: "my-embedder" } }, join(root, "home", "varve"));
  expect((await varve(["memory", "add", "a text"])).code).not.toBe(0);
  expect(existsSync(join(root, "RAN"))).toBe(false);
});

describe.skipIf(process.platform === "win32").each<[string, (file: string) => void, string]>([
  ["a link to a device without end", (file) => symlinkSync("/dev/zero", file), "is no regular file"],
  ["a pipe that nobody writes to", (file) => execFileSync(MAKE_PIPE, [file]), "is no regular file"],
  ["a huge file", (file) => writeFileSync(file, `{}${" ".repeat(1_000_000)}`), "is larger than 1 MB"],
])("%s", (_, make, message) => {
  const inTime = (...parameters: string[]) =>
    run("timeout", ["-s", "KILL", "5", process.execPath, built.main, ...parameters], {
      variables: variables(),
      folder,
    });

  test("is refused as a varve.json", async () => {
    make(join(folder, "varve.json"));
    const done = await inTime("config", "show");
    expect(done.code).toBe(6);
    expect(words(done)).toContain(`${join(folder, "varve.json")} ${message}.`);
  });

  test("is another program's as a plugin.json beside it, and refused where a varve.json names it", async () => {
    make(join(folder, "plugin.json"));
    expect(await inTime("config", "show")).toMatchObject({ code: 0, stdout: expect.stringContaining("strategy") });
    write({ plugins: ["./plugin.json"] });
    const done = await inTime("config", "show");
    expect(done.code).toBe(6);
    expect(words(done)).toContain(`${join(folder, "plugin.json")} ${message}.`);
  });
});

test("files that are gone are not kept in the list of what is trusted", async () => {
  await varve(["chat", "hello"]);
  rmSync(join(folder, ".varve"), { recursive: true });
  await varve(["chat", "hello", "--store", "sqlite:./other.db"]);
  const list = readFileSync(join(root, "home", "varve", "trusted.json"), "utf8");
  expect(list).toContain("other.db");
  expect(list).not.toContain(".varve");
});
