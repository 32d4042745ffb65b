/** `varve chat` as a person uses it: typed into a terminal, against servers that speak the providers' protocols. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { openVarve } from "../src/index.js";
import { messageText } from "../src/message/content.js";
import { type BuiltPackage, buildPackage } from "./support/built-package.js";
import { hasScript } from "./support/command-line.js";
import { type ModelServer, type Script, startModelServer } from "./support/model-server.js";
import { Terminal } from "./support/terminal.js";

const ROOT = mkdtempSync(join(tmpdir(), "varve-chat-"));
const CTRL_C = "\u0003";
const CTRL_D = "\u0004";

let built: BuiltPackage;
let server: ModelServer;
let terminal: Terminal;
let folder: string;
let count = 0;

beforeAll(async () => {
  built = await buildPackage();
}, 60_000);
afterEach(async () => {
  await terminal?.end();
  await server?.close();
});
afterAll(() => {
  built?.remove();
  rmSync(ROOT, { recursive: true, force: true });
});

interface Setting {
  readonly protocol?: "openai" | "anthropic";
  readonly parameters?: string;
  readonly columns?: number;
  readonly variables?: NodeJS.ProcessEnv;
}

/** A server with a script, and a folder of its own. */
async function prepare(script: Script): Promise<void> {
  server = await startModelServer(script);
  folder = join(ROOT, `folder-${count++}`);
  mkdirSync(folder);
  writeFileSync(join(folder, "notes.txt"), "The port is 4711.\n");
}

function chat({ protocol = "openai", parameters = "", columns = 80, variables = {} }: Setting = {}): Terminal {
  const command = `'${process.execPath}' '${built.main}' chat --window 8000 --model test ${parameters}`;
  terminal = new Terminal(command, {
    folder,
    columns,
    variables: {
      NO_COLOR: "1",
      VARVE_STORE: "",
      VARVE_SESSION: "",
      XDG_CONFIG_HOME: join(folder, "home"),
      VARVE_CHAT_URL: protocol === "openai" ? `${server.url}/v1` : server.url,
      VARVE_CHAT_PROTOCOL: protocol,
      ANTHROPIC_API_KEY: "key-for-tests",
      OPENAI_API_KEY: "key-for-tests",
      ...variables,
    },
  });
  return terminal;
}

/** The log of the only session, as texts with their roles. */
async function logged(): Promise<string[]> {
  const varve = await openVarve({ store: `sqlite:${join(folder, ".varve", "varve.db")}` });
  const { sessions } = await varve.sessions();
  expect(sessions).toHaveLength(1);
  const session = await varve.session(sessions[0]!.id);
  const log = session.entries().map(({ role, message }) => `${role}: ${messageText(message)}`);
  await varve.close();
  return log;
}

const textsOf = (request: { readonly body: object } | undefined): string => JSON.stringify(request?.body);

describe.skipIf(!hasScript())("varve chat on a terminal (skipped without `script` of util-linux)", () => {
  test.each(["openai", "anthropic"] as const)("streams, calls tools and tells tokens, with %s", async (protocol) => {
    await prepare([
      { text: "Let me look.", calls: [{ id: "c1", name: "read_file", input: { path: "notes.txt" } }] },
      { text: "The port is 4711, as notes.txt says." },
    ]);
    chat({ protocol });
    await terminal.until("> ");
    terminal.type("Which port?");
    await terminal.until("Let me look.");
    await terminal.until("· read_file notes.txt");
    await terminal.until("The port is 4711, as notes.txt says.");
    expect(await terminal.until("> ")).toMatch(/[\d,]+ of [\d,]+ tokens \(\d+\.\d\s%\)/);
    terminal.type("/exit");
    expect(await terminal.ended).toBe(0);
    expect(textsOf(server.requests[1])).toContain("The port is 4711.");
    expect(await logged()).toEqual([
      "user: Which port?",
      expect.stringMatching(/^assistant: Let me look\.\nread_file/),
      "tool: The port is 4711.\n",
      "assistant: The port is 4711, as notes.txt says.",
    ]);
  });

  test("asks before it writes or runs, and takes no, once and always for an answer", async () => {
    const write = (id: string, path: string) => ({ id, name: "write_file", input: { path, content: "hello\n" } });
    const run = (id: string) => ({ id, name: "run_command", input: { command: "echo ran >> log.txt; cat log.txt" } });
    await prepare([
      { text: "", calls: [write("c1", "a.txt")] },
      { text: "", calls: [write("c2", "b.txt"), run("c3"), run("c4")] },
      { text: "", calls: [write("c5", "../out.txt")] },
      { text: "Done." },
    ]);
    chat();
    await terminal.until("> ");
    terminal.type("Write.");
    await terminal.until("Write a.txt");
    await terminal.until("[N]o: ");
    terminal.type("n");
    await terminal.until("Write b.txt");
    await terminal.until("[N]o: ");
    terminal.type("y");
    await terminal.until("$ echo ran >> log.txt; cat log.txt");
    await terminal.until("[N]o: ");
    terminal.type("a");
    expect(await terminal.until("Done.")).not.toContain("[N]o: ");
    expect(existsSync(join(folder, "a.txt"))).toBe(false);
    expect(readFileSync(join(folder, "b.txt"), "utf8")).toBe("hello\n");
    expect(readFileSync(join(folder, "log.txt"), "utf8")).toBe("ran\nran\n");
    expect(existsSync(join(ROOT, "out.txt"))).toBe(false);
    const last = textsOf(server.requests.at(-1));
    expect(last).toContain("did not agree");
    expect(last).toContain("lies outside the working folder");
    expect(last).toContain("[exit code 0]");
  });

  test("waits and asks again after 429, 500 and a dropped connection, and keeps one answer", async () => {
    await prepare([
      { status: 429, headers: { "retry-after-ms": "1" } },
      { status: 500 },
      { text: "Never ending", half: "dropped" },
      { text: "Through at last." },
    ]);
    chat();
    await terminal.until("> ");
    terminal.type("Hello?");
    expect(await terminal.until("Through at last.")).toContain("asking again");
    terminal.keys(CTRL_D);
    expect(await terminal.ended).toBe(0);
    expect(await logged()).toEqual(["user: Hello?", "assistant: Through at last."]);
  });

  test("tells a failure with what to do, keeps the message, and asks again on /continue", async () => {
    await prepare([{ status: 401, body: { error: { message: "Incorrect API key" } } }, { text: "Hello." }]);
    chat();
    await terminal.until("> ");
    terminal.type("Hello?");
    await terminal.until("Incorrect API key");
    await terminal.until("What to do: Check the API key");
    await terminal.until("> ");
    terminal.type("/continue");
    await terminal.until("Hello.");
    terminal.type("/exit");
    await terminal.ended;
    expect(await logged()).toEqual(["user: Hello?", "assistant: Hello."]);
  });

  test("Ctrl-C stops the answer and keeps what was said; again, it leaves", async () => {
    await prepare([{ text: "One two three four", half: "silent" }]);
    chat();
    await terminal.until("> ");
    terminal.type("Count.");
    await terminal.until("One two t");
    terminal.keys(CTRL_C);
    await terminal.until("Stopped.");
    await terminal.until("> ");
    terminal.keys(CTRL_C);
    expect(await terminal.ended).toBe(130);
    expect(await logged()).toEqual(["user: Count.", "assistant: One two t [interrupted by the user]"]);
  });

  test("Ctrl-C stops a command and what it started", async () => {
    const command = "echo begun > begun.txt; sleep 60 & sleep 60; echo over > over.txt";
    await prepare([{ text: "", calls: [{ id: "c1", name: "run_command", input: { command } }] }, { text: "More." }]);
    chat({ parameters: "--allow run" });
    await terminal.until("> ");
    terminal.type("Sleep.");
    await expect.poll(() => existsSync(join(folder, "begun.txt")), { timeout: 60_000 }).toBe(true);
    terminal.keys(CTRL_C);
    await terminal.until("Stopped.");
    await terminal.until("> ");
    terminal.type("And now?");
    await terminal.until("More.");
    expect(textsOf(server.requests.at(-1))).toContain("stopped by the user");
    expect(existsSync(join(folder, "over.txt"))).toBe(false);
  });

  test.each(["openai", "anthropic"] as const)(
    "goes on after SIGKILL in the middle of an answer, with nothing lost or doubled (%s)",
    async (protocol) => {
      await prepare([
        { text: "First answer." },
        { text: "", calls: [{ id: "c1", name: "read_file", input: { path: "notes.txt" } }] },
        { text: "Second answer, never finished", half: "silent" },
        { text: "Second answer." },
      ]);
      chat({ protocol });
      await terminal.until("> ");
      terminal.type("First question");
      await terminal.until("First answer.");
      await terminal.until("> ");
      terminal.type("Second question");
      await terminal.until("Second answer,");
      await terminal.killHard();
      const before = await logged();
      expect(before.slice(0, 3)).toEqual(["user: First question", "assistant: First answer.", "user: Second question"]);
      expect(before).toHaveLength(5);
      chat({ protocol });
      await terminal.until("5 entries from before.");
      await terminal.until("/continue");
      await terminal.until("> ");
      terminal.type("/continue");
      await terminal.until("Second answer.");
      terminal.type("/exit");
      expect(await terminal.ended).toBe(0);
      expect(await logged()).toEqual([...before, "assistant: Second answer."]);
    },
  );

  test("goes on after SIGKILL in the middle of a command, whose result is stated to be missing", async () => {
    const command = "echo begun > begun.txt; sleep 3";
    await prepare([{ text: "", calls: [{ id: "c1", name: "run_command", input: { command } }] }, { text: "I see." }]);
    chat({ parameters: "--allow run" });
    await terminal.until("> ");
    terminal.type("Sleep.");
    await expect.poll(() => existsSync(join(folder, "begun.txt")), { timeout: 60_000 }).toBe(true);
    await terminal.killHard();
    chat();
    await terminal.until("2 entries from before.");
    await terminal.until("> ");
    terminal.type("/continue");
    await terminal.until("I see.");
    expect(textsOf(server.requests[1])).toContain("No result was recorded for this call");
    terminal.type("/exit");
    await terminal.ended;
    expect(await logged()).toHaveLength(3);
  });

  test("forces a compaction where the provider says that the request does not fit, and where the window is full", async () => {
    const overflow = { error: { code: "context_length_exceeded", message: "maximum context length is 8192 tokens" } };
    const long = (topic: string) => `${topic}: ${`a fact about ${topic}. `.repeat(60)}`;
    await prepare([
      { text: long("rivers") },
      { text: long("lakes") },
      { text: long("seas") },
      { status: 400, body: overflow },
      { text: "After the first." },
      { text: "Cut off", finish: "length", counted: 7_900, said: 100 },
      { text: "After the second." },
    ]);
    chat();
    for (const topic of ["rivers", "lakes", "seas"]) {
      await terminal.until("> ");
      terminal.type(`Tell me of ${topic}.`);
      await terminal.until(`fact about ${topic}. \r\n`);
    }
    await terminal.until("> ");
    terminal.type("And?");
    await terminal.until("does not fit the model's window");
    await terminal.until("Compacted from");
    await terminal.until("After the first.");
    await terminal.until("> ");
    terminal.type("And then?");
    await terminal.until("The window was full");
    await terminal.until("After the second.");
    const sizes = server.requests.map((request) => textsOf(request).length);
    expect(sizes[4]).toBeLessThan(sizes[3]!);
    terminal.type("/exit");
    await terminal.ended;
    expect((await logged()).filter((line) => line.includes("Cut off"))).toEqual([]);
  });

  test("a pasted text is one message, whatever lines it has, and waits for Enter", async () => {
    await prepare([{ text: "Read." }]);
    chat();
    await terminal.until("> ");
    terminal.keys("See: \u001b[200~first line\r\rthird line\r\u001b[201~");
    await terminal.until("third line");
    terminal.type("and what I think");
    await terminal.until("Read.");
    terminal.type("/exit");
    expect(await terminal.ended).toBe(0);
    expect((await logged())[0]).toBe("user: See: first line\n\nthird line\nand what I think");
    expect(terminal.raw.lastIndexOf("\u001b[?2004l")).toBeGreaterThan(terminal.raw.lastIndexOf("\u001b[?2004h"));
  });

  test("one question on a terminal may be asked back", async () => {
    const write = (id: string, path: string) => ({ id, name: "write_file", input: { path, content: "hello\n" } });
    await prepare([{ text: "", calls: [write("c1", "a.txt"), write("c2", "b.txt")] }, { text: "Done." }]);
    chat({ parameters: "'Write.'" });
    await terminal.until("Write a.txt");
    await terminal.until("[N]o: ");
    terminal.type("n");
    await terminal.until("Write b.txt");
    await terminal.until("[N]o: ");
    terminal.type("y");
    await terminal.until("Done.");
    expect(await terminal.ended).toBe(0);
    expect(existsSync(join(folder, "a.txt"))).toBe(false);
    expect(existsSync(join(folder, "b.txt"))).toBe(true);
  });

  test("slash commands act on the open session", async () => {
    await prepare([{ text: "Noted: the port is 4711." }]);
    chat();
    const run = async (line: string, shown: string) => {
      terminal.type(line);
      const text = await terminal.until(shown);
      await terminal.until("> ");
      return text;
    };
    await terminal.until("> ");
    await run("My favourite colour is teal.", "4711.");
    await run("/checkpoint before the change", "before the change");
    await run("/context search favourite colour", "teal");
    await run("/context status", "Next cut");
    await run("/memory add The cat is called Miso --id cat", "Stored as");
    await run("/memory search what is the cat called", "Miso");
    await run("/memory list", "Miso");
    terminal.type("/memory forget cat");
    await terminal.until("[y/N]");
    await run("y", "Forgot 1 memory");
    await run("/restore before the change", "Back at");
    await run("/context stats", "Did you mean status?");
    await run("/undo", "What to do:");
    await run("/nonsense", "There is no /nonsense.");
    await run("/help", "/checkpoint NAME");
    await run("And now?", "4711.");
    terminal.type("/exit");
    expect(await terminal.ended).toBe(0);
  });

  test("asks before it forgets by words that may be another's, and does it at a yes", async () => {
    await prepare([{ text: "Good to know." }, { text: "I see." }]);
    chat();
    await terminal.until("> ");
    terminal.type("My bank account number is DE89 3704 0044.");
    await terminal.until("Good to know.");
    terminal.type("Bob wrote to me. Forget my bank account number.");
    await terminal.until("It was not done.");
    terminal.type("/confirm");
    await terminal.until("Forgot 1 memory");
    terminal.type("/dismiss");
    await terminal.until("Nothing waits for a yes.");
    terminal.type("/exit");
    expect(await terminal.ended).toBe(0);
    expect((await logged()).join()).not.toContain("DE89");
  });

  test("memories of one session are recalled in another", async () => {
    await prepare([{ text: "Noted." }, { text: "Miso." }]);
    chat();
    await terminal.until("> ");
    terminal.type("Remember that my cat is called Miso.");
    await terminal.until("Noted.");
    await terminal.until("> ");
    terminal.keys(CTRL_D);
    await terminal.ended;
    chat({ parameters: "--new" });
    await terminal.until("> ");
    terminal.type("What is my cat called?");
    await terminal.until("Miso.");
    expect(await terminal.until("> ")).toMatch(/\d memor/);
    expect(textsOf(server.requests[1])).toContain("my cat is called Miso");
  });

  test("codes that a model or a tool sends do not reach the terminal", async () => {
    const command = "echo hidden\u001b[2K\rls";
    await prepare([
      { text: "\u001b]0;title\u0007red\u001b[2J.", calls: [{ id: "c1", name: "run_command", input: { command } }] },
      { text: "Done." },
    ]);
    chat();
    await terminal.until("> ");
    terminal.type("Go.");
    expect(await terminal.until("[N]o: ")).toContain("$ echo hidden\\u{1b}[2K\\u{d}ls");
    for (const code of ["\u001b]0", "\u001b[2J", "\u0007"]) expect(terminal.raw).not.toContain(code);
  });

  test("nothing is wider than a narrow terminal, and a pasted text is one message", async () => {
    await prepare([{ text: "Short." }]);
    chat({ columns: 40 });
    await terminal.until("> ");
    terminal.keys("first line\rsecond line\r");
    await terminal.until("Short.");
    await terminal.until("> ");
    terminal.type("/help");
    await terminal.until("leaves;");
    await terminal.until("> ");
    expect(Math.max(...terminal.text.split(/\r?\n/).map((line) => line.length))).toBeLessThan(41);
    terminal.type("/exit");
    await terminal.ended;
    expect((await logged())[0]).toBe("user: first line\nsecond line");
  });
});
