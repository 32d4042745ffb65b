/** Forgotten text is looked for as somebody would who means to find it: in every part of every message, and in the bytes. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Message, SessionOptions, Varve } from "../src/index.js";
import type { Session } from "../src/session/session.js";
import { says, user } from "./support/build.js";
import { describePostgres, type PostgresServer, startPostgres } from "./support/postgres.js";
import { remembering } from "./support/remembering.js";

const folder = mkdtempSync(join(tmpdir(), "varve-everywhere-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const scope = { user: "ann" };
const options: SessionOptions = { window: 8_000, memory: { scope } };
const WORD = "quokkaplum";
const CLAIM = `My vault word is ${WORD}.`;
/** In bytes too: a file that was attached. */
const BASE64 = Buffer.from(CLAIM).toString("base64");
const traceIn = (said: unknown): boolean => {
  const text = typeof said === "string" ? said : JSON.stringify(said);
  return text.includes(WORD) || text.includes(BASE64.slice(0, 20));
};

const call = { type: "tool-call", toolCallId: "c1", toolName: "save" } as const;
const result = { type: "tool-result", toolCallId: "c1", toolName: "save" } as const;
const closing = [says("That is done, what is next?")];
const called = (input: unknown, output: unknown): Message[] => [
  { role: "assistant", content: [{ ...call, input }] },
  { role: "tool", content: [{ ...result, output: output as never }] },
  ...closing,
];
const OK = { type: "text", value: "ok" };

/** Where else a session may have the words, told in a turn of its own. */
const PLACES: Record<string, Message[]> = {
  "a call's arguments": called({ note: CLAIM }, OK),
  "arguments that lie deep": called({ a: [{ b: { type: CLAIM } }] }, OK),
  "arguments as JSON text": called({ body: JSON.stringify({ note: CLAIM }) }, OK),
  "a name in arguments": called({ [CLAIM]: true }, OK),
  "a tool's text": called({}, { type: "text", value: `1: # notes\n2: ${CLAIM}\n3: the end` }),
  "a tool's JSON": called({}, { type: "json", value: { rows: [{ text: CLAIM }] } }),
  "a tool's parts": called({}, { type: "content", value: [{ type: "text", text: CLAIM }] }),
  "a tool's error": called({}, { type: "error-text", value: `cannot save: ${CLAIM}` }),
  "the agent's reasoning": [
    {
      role: "assistant",
      content: [{ type: "reasoning", text: `The user said: ${CLAIM}` }, ...textParts("Noted, go on.")],
    },
  ],
  "a user's own second message": [
    user(`As I said before: ${CLAIM.toUpperCase().replace(WORD.toUpperCase(), WORD)}`),
    ...closing,
  ],
  "an attached file": [
    {
      role: "user",
      content: [
        { type: "file", data: BASE64, mediaType: "text/plain" },
        { type: "text", text: "Read it" },
      ],
    },
    ...closing,
  ],
  "an attached file's name": [
    {
      role: "user",
      content: [
        { type: "file", data: "", mediaType: "text/plain", filename: `${CLAIM}txt` },
        { type: "text", text: "Read it" },
      ],
    },
    ...closing,
  ],
  "what a provider attached": [
    { ...says("Fine, what is next?"), providerOptions: { openai: { note: CLAIM } } } as Message,
  ],
};

function textParts(text: string) {
  return [{ type: "text", text } as const];
}

async function everythingIn(varve: Varve): Promise<string> {
  const said: unknown[] = [];
  for await (const line of varve.export()) said.push(line);
  for await (const line of varve.memory({ scope }).export()) said.push(line);
  return JSON.stringify(said);
}

function bytesIn(path: string): string {
  if (!statSync(path).isDirectory()) return readFileSync(path, "latin1");
  return readdirSync(path)
    .map((name) => bytesIn(join(path, name)))
    .join("\n");
}

async function tell(varve: Varve, id = "s"): Promise<Session> {
  const session = await varve.session(id, options);
  await session.append([user(CLAIM), says("Good to know, thank you.")]);
  await session.flush();
  return session;
}

describe("the words of a forgotten memory are gone from", () => {
  test.each(Object.entries(PLACES))("%s, in its own session and in another", async (_, messages) => {
    const varve = await remembering();
    const session = await tell(varve);
    await session.append([user("Please go on."), ...messages]);
    const other = await varve.session("other", options);
    await other.append([user("Please go on."), ...messages]);
    await Promise.all([session.flush(), other.flush()]);
    expect(traceIn(await everythingIn(varve))).toBe(true);
    const { proof } = await varve.memory({ scope }).forget("s:0");
    expect(proof.found).toBe(0);
    expect(traceIn(await everythingIn(varve))).toBe(false);
    expect(traceIn((await other.view()).messages)).toBe(false);
    await varve.close();
  });

  test("a fork, with what the agent retold there", async () => {
    const varve = await remembering();
    const session = await tell(varve);
    await session.append([user("What was my vault word?"), says(`It is ${WORD}, as you told me.`)]);
    await session.flush();
    await varve.fork("s", "copy");
    await varve.memory({ scope }).forget("s:0");
    expect(traceIn(await everythingIn(varve))).toBe(false);
    const copy = await varve.session("copy");
    expect(copy.entries()[1]!.message.content).toBe("Good to know, thank you.");
    await varve.close();
  });

  test("an equal memory of another session, which no view recalls any more", async () => {
    const varve = await remembering();
    await tell(varve, "s");
    await tell(varve, "t");
    const { forgotten } = await varve.memory({ scope }).forget("s:0");
    expect([...forgotten].sort()).toEqual(["s:0", "t:0"]);
    const next = await varve.session("next", options);
    await next.append(user("What is my vault word?"));
    expect(traceIn((await next.view()).messages)).toBe(false);
    await varve.close();
  });

  test("a memory that says more, which goes on without them", async () => {
    const varve = await remembering();
    await tell(varve);
    const memory = varve.memory({ scope });
    await memory.store(`I have two cats. ${CLAIM}`, { id: "more" });
    await memory.store("The gate is green.", { id: "labels", thread: CLAIM, tags: [CLAIM], note: { about: CLAIM } });
    const { rewritten } = await memory.forget("s:0");
    expect([...rewritten].sort()).toEqual(["labels", "more"]);
    expect((await memory.get("more"))?.content).toContain("I have two cats.");
    expect((await memory.get("labels"))?.content).toBe("The gate is green.");
    expect(traceIn(await everythingIn(varve))).toBe(false);
    await varve.close();
  });

  test("what the session notes: facts, tasks, the names of checkpoints", async () => {
    const varve = await remembering();
    await tell(varve);
    const other = await varve.session("other", options);
    await other.append([user("Please go on."), ...closing]);
    other.track({ facts: [CLAIM, "Another fact"], tasks: [{ id: "t", description: `Note: ${CLAIM}` }] });
    await other.checkpoint(`before ${CLAIM}`);
    await other.flush();
    await varve.memory({ scope }).forget("s:0");
    expect(traceIn(await everythingIn(varve))).toBe(false);
    expect(other.context().facts).toEqual(["Another fact"]);
    await varve.close();
  });

  test("all of a scope, where more goes than one change takes", async () => {
    const varve = await remembering();
    const session = await varve.session("s", options);
    const many = Array.from({ length: 120 }, (_, at) => [
      user(`${CLAIM} It is number ${at}.`),
      says(`Number ${at} is noted.`),
    ]);
    await session.append(many.flat());
    await session.append([user("Please go on."), ...called({ note: `${CLAIM} It is number 119.` }, OK)]);
    await session.flush();
    await varve.fork("s", "copy");
    await varve.memory({ scope }).forgetAll();
    expect(traceIn(await everythingIn(varve))).toBe(false);
    await varve.close();
  });
});

const SECRET = "zanzibarkumquat";
const used: Message[] = [
  user("My locker word is zanzibarkumquat."),
  says("Noted."),
  user("use it"),
  {
    role: "assistant",
    content: [
      { type: "reasoning", text: `Right, ${SECRET}, so I use it` },
      { ...call, input: { word: SECRET, nested: [{ x: "pre-ZANZIBARKUMQUAT" }] } },
    ],
  },
  { role: "tool", content: [{ ...result, output: { type: "json", value: { [SECRET]: `is ${SECRET}` } } }] },
  says(`Opened with ${SECRET}.`),
];

describe("a word that came with a forgotten memory alone is gone from what was made of it", () => {
  const forgets: Record<string, (varve: Varve, session: Session) => Promise<unknown>> = {
    "by its id": (varve) => varve.memory({ scope }).forget("s:0"),
    "by the user's word": async (_, session) => {
      await session.append([user("Forget my locker word."), says("That is done.")]);
      await session.flush();
    },
  };
  test.each(Object.entries(forgets))("%s", async (_, forget) => {
    const varve = await remembering();
    const session = await varve.session("s", options);
    await session.append(used);
    await session.flush();
    session.track({ facts: [`The word was ${SECRET}`], preferences: { lock: `${SECRET} first` } });
    await session.checkpoint(`after ${SECRET}`);
    await session.flush();
    await forget(varve, session);
    expect((await everythingIn(varve)).toLowerCase()).not.toContain(SECRET);
    expect(JSON.stringify((await session.view()).messages).toLowerCase()).not.toContain(SECRET);
    expect(JSON.stringify(session.context())).not.toContain(SECRET);
    expect(session.entries()[5]!.message.content).toBe("[forgotten]");
    expect(JSON.stringify(await varve.memory({ scope }).retrieve("locker word"))).not.toContain(SECRET);
  });

  test("and where the user has said it again, it stays, and the proof names the places", async () => {
    const varve = await remembering();
    const session = await varve.session("s", options);
    await session.append(used);
    await session.append([user(`Does ${SECRET} also open the gate?`), says("It does not, I think.")]);
    await session.flush();
    const { proof } = await varve.memory({ scope }).forget("s:0");
    expect(proof.remains.join("\n")).toMatch(/session "s" .*e3, e4, e5, e6/);
    expect(proof.remains.join("\n")).toMatch(/Memories .*s:6/);
    expect(proof.remains.join("\n")).not.toContain(SECRET);
  });

  test("while words that were there before, and the words of others, stay", async () => {
    const varve = await remembering();
    const memory = varve.memory({ scope });
    await memory.store("Project Zephyrionix ships in May.", { id: "before" });
    await memory.store("The Zephyrionix port is 8080.", { id: "port" });
    const { proof, rewritten } = await memory.forget("port");
    expect([rewritten, proof.remains]).toEqual([[], []]);
    expect((await memory.get("before"))?.content).toBe("Project Zephyrionix ships in May.");
  });
});

test("what others said stays: another user's memory and session, and words that only look alike", async () => {
  const varve = await remembering();
  await tell(varve);
  const bobs = { ...options, memory: { scope: { user: "bob" } } };
  const bob = await varve.session("bob", bobs);
  await bob.append([user(CLAIM), says("Good to know, thank you.")]);
  await bob.flush();
  const own = await varve.session("own", options);
  await own.append([user("My vault has a green door."), says("A green door it is.")]);
  await own.flush();
  const { sessions } = await varve.memory({ scope }).forget("s:0");
  expect(sessions.map(({ session }) => session)).toEqual(["s"]);
  expect(bob.entries()[0]!.message.content).toBe(CLAIM);
  expect(own.entries().map(({ message }) => message.content)).toEqual([
    "My vault has a green door.",
    "A green door it is.",
  ]);
  await varve.close();
});

describe.each([
  { kind: "SQLite", addressOf: (path: string) => `sqlite:${join(path, "v.db")}` },
  { kind: "file", addressOf: (path: string) => `file:${path}` },
])("the files of the $kind store hold nothing of it", ({ addressOf }) => {
  test("right after it was forgotten, while the store is open", async () => {
    const path = mkdtempSync(join(folder, "files-"));
    const varve = await remembering({ store: addressOf(path) });
    const session = await tell(varve);
    for (const messages of Object.values(PLACES)) await session.append([user("Please go on."), ...messages]);
    await session.flush();
    await varve.fork("s", "copy");
    const memory = varve.memory({ scope });
    await memory.store(CLAIM, { id: "m", thread: `about ${CLAIM}` });
    session.track({ facts: [CLAIM] });
    await session.flush();
    session.track({ forget: [CLAIM] });
    await session.flush();
    const { proof } = await memory.forget("m");
    expect(proof.remains).toEqual([]);
    await session.flush();
    expect(traceIn(bytesIn(path))).toBe(false);
    await varve.close();
    expect(traceIn(bytesIn(path))).toBe(false);
  });

  test("but for what another connection still reads, or a file that was set aside, which the receipt names", async () => {
    const path = mkdtempSync(join(folder, "kept-"));
    const address = addressOf(path);
    const varve = await remembering({ store: address });
    await tell(varve);
    const release = await hold(address, path);
    const { proof } = await varve.memory({ scope }).forget("s:0");
    expect(proof.remains).toHaveLength(1);
    expect(proof.remains[0]).toMatch(/another connection|no session reads/);
    await release();
    await varve.close();
  });
});

/** Keeps the words in the files: a reader of an older state, or a damaged file that was set aside. */
async function hold(address: string, path: string): Promise<() => Promise<void>> {
  if (address.startsWith("file:")) {
    const { writeFileSync } = await import("node:fs");
    writeFileSync(join(path, "s.log.jsonl.damaged"), `{"content":"${CLAIM}"}\n`);
    return async () => undefined;
  }
  const { DatabaseSync } = await import("node:sqlite");
  const reader = new DatabaseSync(join(path, "v.db"));
  reader.exec("BEGIN");
  reader.prepare("SELECT count(*) FROM entries").get();
  return async () => reader.close();
}

describePostgres("a PostgreSQL database", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  }, 120_000);
  afterAll(() => server.stop());

  test("shows nothing of it, has no dead rows left, and the receipt says what the server keeps", async () => {
    const varve = await remembering({ store: await server.database("forget") });
    const session = await tell(varve);
    await session.append([user("Please go on."), ...PLACES["a tool's JSON"]!]);
    await session.flush();
    const memory = varve.memory({ scope });
    await expect.poll(() => memory.get("s:5"), { timeout: 10_000 }).toBeDefined();
    await memory.store(CLAIM, { id: "m", thread: CLAIM });
    const { proof } = await memory.forget("m");
    expect(proof.remains.join("\n")).toMatch(/write-ahead log.*backups/s);
    expect(proof.remains.join("\n")).not.toMatch(/until VACUUM has run/);
    const tables = await server.sql(
      "SELECT table_name FROM information_schema.tables WHERE table_schema = 'varve'",
      "forget",
    );
    for (const { table_name: table } of tables)
      expect([table, traceIn(await server.sql(`SELECT t::text FROM varve."${table}" t`, "forget"))]).toEqual([
        table,
        false,
      ]);
    const dead = `SELECT relname FROM pg_stat_user_tables WHERE schemaname = 'varve' AND vacuum_count > 0`;
    expect((await server.sql(dead, "forget")).map(({ relname }) => relname)).toEqual(
      expect.arrayContaining(["entries", "memories", "memory_keys"]),
    );
    await varve.close();
  });
});
