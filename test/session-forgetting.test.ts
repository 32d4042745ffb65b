/** After a memory is forgotten nothing finds its text: no search, no view, no checkpoint, no export, no file. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import type { SessionOptions, Varve } from "../src/index.js";
import type { Session } from "../src/session/session.js";
import { PROVIDERS, violations } from "../src/wire/legality/violations.js";
import { calls, result, says, user, words } from "./support/build.js";
import { memoriesIn, remembering } from "./support/remembering.js";

const folder = mkdtempSync(join(tmpdir(), "varve-forgetting-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const scope = { user: "ann" };
const SECRET = "Kingfisher";
const CLAIM = `I work at ${SECRET}.`;
/** Also what an index makes of it. */
const TRACE = /kingfish/i;
const traceIn = (said: unknown): boolean => TRACE.test(typeof said === "string" ? said : JSON.stringify(said));
const options: SessionOptions = { window: 892, strategy: "hierarchical", memory: { scope, share: 0.3 } };

let places = 0;
const place = () => join(folder, String(++places));

/** A session that has told, digested, checkpointed, tracked and shown the text. */
async function tellIn(varve: Varve, id = "s"): Promise<Session> {
  const session = await varve.session(id, options);
  await session.append([user(CLAIM), says("Good to know, thank you.")]);
  await session.checkpoint("early");
  for (let turn = 0; turn < 12; turn++) {
    await session.append([user(words(30, "question")), calls(`c${turn}`), result(`c${turn}`, words(30))]);
    await session.append(says(words(20, "answer")));
    await session.view();
  }
  await session.checkpoint("late");
  session.track({ facts: [CLAIM, "Another fact"] });
  await session.append(user(`Where do I work at?`));
  expect(traceIn(await session.view())).toBe(true);
  await session.flush();
  return session;
}

/** Every text that a session can be made to say. */
async function everythingIn(varve: Varve, session: Session): Promise<unknown> {
  const said: unknown[] = [session.entries(), session.allEntries(), session.search(SECRET), session.context()];
  said.push((await session.view()).messages, await session.allReceipts(), session.receipts(), session.status());
  for (const { id } of session.entries()) said.push(session.expand(id));
  for (const name of ["late", "early"]) {
    await session.restore(name);
    said.push((await session.view()).messages);
  }
  for await (const line of varve.export()) said.push(line);
  for await (const line of varve.memory({ scope }).export()) said.push(line);
  said.push(await varve.memory({ scope }).retrieve(`Who works at ${SECRET}?`));
  return said;
}

function bytesIn(path: string): string {
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) return readFileSync(path, "latin1");
  return readdirSync(path)
    .map((name) => bytesIn(join(path, name)))
    .join("\n");
}

/** What the files of a folder with this ending hold. */
const filesIn = (path: string, ending: string): string =>
  readdirSync(path)
    .filter((name) => name.endsWith(ending))
    .map((name) => readFileSync(join(path, name), "utf8"))
    .join("\n");

describe.each([
  { kind: "memory", addressOf: () => "memory", filesOf: undefined },
  { kind: "SQLite", addressOf: (path: string) => `sqlite:${join(path, "v.db")}`, filesOf: (path: string) => path },
  { kind: "file", addressOf: (path: string) => `file:${path}`, filesOf: (path: string) => path },
])("a memory that is forgotten, on $kind", ({ addressOf, filesOf }) => {
  test("is found nowhere in the session that it came from, which goes on", async () => {
    const path = mkdtempSync(`${place()}-`);
    const varve = await remembering({ store: addressOf(path) });
    const session = await tellIn(varve);
    const receipt = await varve.memory({ scope }).forget("s:0");
    expect(receipt).toMatchObject({
      forgotten: ["s:0"],
      sessions: [{ session: "s", entries: 1 }],
      proof: { found: 0 },
    });
    expect(traceIn(await everythingIn(varve, session))).toBe(false);
    expect(session.context().facts).toContain("Another fact");
    expect(session.entries()[0]!.message).toEqual({ role: "user", content: "[forgotten]" });
    await session.append([user("Let us go on."), says("With pleasure, where were we?")]);
    const { messages } = await session.view();
    for (const provider of PROVIDERS) expect(violations(messages, provider)).toEqual([]);
    await varve.close();
    if (filesOf !== undefined) expect(traceIn(bytesIn(filesOf(path)))).toBe(false);
  });

  test("is found nowhere in other sessions that were shown it or tell its facts", async () => {
    const path = mkdtempSync(`${place()}-`);
    const varve = await remembering({ store: addressOf(path) });
    await varve.memory({ scope }).store(CLAIM, { id: "m" });
    const closed = await varve.session("closed", options);
    await closed.append([user("Hello, here I am again"), says("Welcome back, how are you?")]);
    await closed.close();
    const session = await varve.session("open", options);
    await session.append(user("Where do I work at?"));
    expect(memoriesIn((await session.view()).messages)).toContain(SECRET);
    expect(session.context().facts.join()).toContain(SECRET);
    await varve.memory({ scope }).forget("m");
    expect(traceIn((await session.view()).messages)).toBe(false);
    expect(session.context().facts).toEqual([]);
    await varve.close();
    if (filesOf !== undefined) expect(traceIn(bytesIn(filesOf(path)))).toBe(false);
  });

  test("is found nowhere in a session that is not open", async () => {
    const path = mkdtempSync(`${place()}-`);
    const varve = await remembering({ store: addressOf(path) });
    await (await tellIn(varve)).close();
    await varve.memory({ scope }).forget("s:0");
    if (filesOf !== undefined) expect(traceIn(filesIn(path, ".json"))).toBe(false);
    expect(traceIn(await everythingIn(varve, await varve.session("s")))).toBe(false);
    await varve.close();
    if (filesOf !== undefined) expect(traceIn(bytesIn(filesOf(path)))).toBe(false);
  });

  test("is not learnt again", async () => {
    const path = mkdtempSync(`${place()}-`);
    const varve = await remembering({ store: addressOf(path) });
    const session = await tellIn(varve);
    await varve.memory({ scope }).forget("s:0");
    await session.append(says("You never told me where you work."));
    await session.close();
    const again = await varve.session("s");
    await again.flush();
    expect(await varve.memory({ scope }).get("s:0")).toBeUndefined();
    await varve.close();
  });
});

test("a process that has the session open takes a forgetting by another over", async () => {
  const path = mkdtempSync(`${place()}-`);
  const store = `sqlite:${join(path, "v.db")}`;
  const mine = await remembering({ store });
  const theirs = await remembering({ store });
  const session = await tellIn(mine);
  await theirs.memory({ scope }).forget("s:0");
  await session.append([user("Let us go on."), says("With pleasure, where were we?")]);
  expect(traceIn((await session.view()).messages)).toBe(false);
  expect(traceIn(await everythingIn(mine, session))).toBe(false);
  await Promise.all([mine.close(), theirs.close()]);
  expect(traceIn(bytesIn(path))).toBe(false);
});

test("snapshots do not keep what was forgotten, of open sessions and of closed ones", async () => {
  for (const isOpen of [true, false]) {
    const path = mkdtempSync(`${place()}-`);
    const snapshots = { folder: join(path, "snapshots"), every: 2 };
    const varve = await remembering({ store: `sqlite:${join(path, "v.db")}`, snapshots });
    const session = await tellIn(varve);
    if (!isOpen) await session.close();
    await varve.memory({ scope }).forget("s:0");
    await varve.close();
    expect(traceIn(bytesIn(path))).toBe(false);
    if (isOpen) expect(readdirSync(snapshots.folder, { recursive: true }).join()).toContain(".json");
  }
});
