/** What lines of an import may do, and what they may not. */
import { describe, expect, test } from "vitest";
import { openVarve, type ScopedMemory, type Varve } from "../src/index.js";
import { says, user } from "./support/build.js";

const HEADER = '{"varve":"memories","version":1}\n';
const body = { id: "m", content: "Ann likes tea", stored: 1, source: "user" };
const line = (changes: object = {}, rest: object = {}): string =>
  `${JSON.stringify({ scope: { user: "ann" }, at: "2024-01-01", ...rest, body: { ...body, ...changes } })}\n`;

async function open(): Promise<{ varve: Varve; ann: ScopedMemory }> {
  const varve = await openVarve({ store: "memory" });
  return { varve, ann: varve.memory({ scope: { user: "ann" } }) };
}

async function bobsSession(varve: Varve) {
  const session = await varve.session("bob:1", { window: 5_000, memory: { scope: { user: "bob" } } });
  await session.append([user("My plan is to sail to Madeira in June"), says("A lovely plan.")]);
  await session.flush();
  return session;
}

const entries = [
  { session: "bob:1", sequence: 0 },
  { session: "bob:1", sequence: 1 },
];

describe("a line that names an owner whom the importer did not", () => {
  const planted = { scope: { tenant: "t", user: "boss", project: "other", session: "s" } };
  const line = (content: string) =>
    `${JSON.stringify({ ...planted, at: "2024-01-01", body: { ...body, id: content, content } })}\n`;

  test("is of the importer's scope, and not seen by that owner", async () => {
    const { varve } = await open();
    const atlas = varve.memory({ scope: { project: "atlas" } });
    await atlas.import([HEADER, line("The bank account is DE99")]);
    expect((await atlas.list()).memories.map(({ scope }) => scope)).toEqual([{ project: "atlas" }]);
    for (const scope of [{ user: "boss" }, { tenant: "t" }, { session: "s" }, { project: "other" }])
      expect(await varve.memory({ scope }).retrieve("bank account")).toEqual([]);
    await varve.close();
  });

  test("keeps a narrower scope where the importer believes the file", async () => {
    const { varve } = await open();
    await varve.memory({ scope: { project: "atlas" } }).import([HEADER, line("Tea")], { trusted: true });
    const [found] = await varve.memory({ scope: { user: "boss" } }).retrieve("Tea");
    expect(found!.scope).toEqual({ ...planted.scope, project: "atlas" });
    await varve.close();
  });
});

describe("an imported session", () => {
  async function exportOfBoss(): Promise<string[]> {
    const { varve } = await open();
    const session = await varve.session("s", { window: 5_000, memory: { scope: { user: "boss" } } });
    await session.append([user("My bank account is DE99"), says("Noted.")]);
    await session.flush();
    const lines: string[] = [];
    for await (const line of varve.export()) lines.push(line);
    return lines;
  }

  test("has no memories until it is opened with some, and neither reads nor fills those that the file names", async () => {
    const { varve } = await open();
    const boss = varve.memory({ scope: { user: "boss" } });
    await boss.store("The safe opens with 4711");
    await varve.import(await exportOfBoss());
    const session = await varve.session("s");
    await session.append([user("How does the safe open? I like tea."), says("I do not know.")]);
    expect(JSON.stringify((await session.view()).messages)).not.toContain("4711");
    await session.flush();
    expect(await session.learn()).toBe(0);
    expect((await boss.list()).memories).toHaveLength(1);
    await varve.close();
  });

  test("goes on with its memories where the importer believes the file", async () => {
    const { varve } = await open();
    await varve.import(await exportOfBoss(), { trusted: true });
    const session = await varve.session("s");
    await session.append([user("I like tea."), says("Noted.")]);
    await session.flush();
    expect((await varve.memory({ scope: { user: "boss" } }).list()).memories).not.toHaveLength(0);
    await varve.close();
  });
});

describe("another user's session", () => {
  test("stays as it is, whatever a line says of where it came from", async () => {
    const { varve, ann } = await open();
    const session = await bobsSession(varve);
    await ann.import([HEADER, line({ entries })]);
    expect((await ann.get("m"))!.entries).toBeUndefined();
    expect(await ann.forget("m")).toMatchObject({ forgotten: ["m"], sessions: [], kept: [] });
    await ann.import([HEADER, line({ entries })], { trusted: true });
    expect(await ann.forget("m")).toMatchObject({ forgotten: ["m"], sessions: [], kept: ["bob:1"] });
    expect(session.entries()[0]!.message.content).toContain("Madeira");
    await varve.close();
  });

  test("stays as it is where a text is stored as if it came from there, whoever forgets that", async () => {
    const varve = await openVarve({ store: "memory" });
    const scope = { tenant: "t", user: "bob" };
    const session = await varve.session("bob:1", { window: 5_000, memory: { scope, learn: false } });
    await session.append([user("My plan is to sail to Madeira in June"), says("A lovely plan.")]);
    await session.flush();
    const ann = varve.memory({ scope: { tenant: "t", user: "ann" } });
    for (const memory of [ann, varve.memory({ scope: { tenant: "t" } })]) {
      await ann.store("harmless words", { entries, id: "evil" });
      expect(await memory.forgetAll()).toMatchObject({ forgotten: ["evil"], sessions: [], kept: ["bob:1"] });
    }
    expect(session.entries()[0]!.message.content).toContain("Madeira");
    await varve.close();
  });

  test("entries that are none are refused", async () => {
    const { varve, ann } = await open();
    for (const wrong of ["s", [null], [{ session: "s" }], [{ session: "s", sequence: 0.5 }]])
      await expect(ann.store("harmless", { entries: wrong as never })).rejects.toMatchObject({
        details: { option: "entries" },
      });
    await varve.close();
  });
});

describe("a line that is no memory", () => {
  test.each([
    ["no time of storing", { stored: undefined }],
    ["a time that no calendar has", { stored: 1e300 }],
    ["no id", { id: undefined }],
    ["an id with a line break", { id: "m\n1" }],
    ["an unknown source", { source: "evil<script>" }],
    ["facts that are none", { facts: "zzz" }],
    ["an empty fact", { facts: [null] }],
    ["a fact with a wrong time", { facts: [{ text: "x", kind: "fact", validUntil: "soon" }] }],
    ["a text that is none", { content: 7 }],
  ])("%s is refused with its line, and the scope works on", async (_, changes) => {
    const { varve, ann } = await open();
    await ann.store("Ann likes coffee");
    const taking = ann.import([HEADER, line({ id: "first" }), line(changes)], { trusted: true });
    await expect(taking).rejects.toMatchObject({ code: "invalid-document", details: { line: 3 } });
    expect((await ann.list()).memories.map(({ content }) => content)).toEqual(["Ann likes coffee"]);
    expect(await ann.retrieve("coffee")).toHaveLength(1);
    await varve.close();
  });
});

describe("what is taken in", () => {
  test.each([false, true])("has its secrets masked, trusted (%s) or not", async (trusted) => {
    const { varve, ann } = await open();
    const secret = "hunter2!x";
    const content = `The password is ${secret}`;
    const facts = [{ text: content, kind: "fact", slot: "user/password", value: `password: ${secret}` }];
    await ann.import([HEADER, line({ content, facts, metadata: { password: secret } })], { trusted });
    const lines: string[] = [];
    for await (const text of ann.export()) lines.push(text);
    expect(lines.join("")).not.toContain(secret);
    await varve.close();
    const open2 = await openVarve({ store: "memory" });
    const vault = open2.memory({ scope: { user: "ann" }, allowSecrets: true });
    await vault.import([HEADER, line({ content })], { trusted });
    expect((await vault.get("m"))!.content).toBe(content);
    await open2.close();
  });

  test("becomes a version of what has its id, the present one only where that is not believed more or said later", async () => {
    const { varve, ann } = await open();
    await ann.store("first words", { id: "m", at: "2025-01-01" });
    await ann.import([HEADER, line({ content: "words of a file" }, { at: "2026-01-01" })]);
    expect((await ann.get("m"))!.content).toBe("first words");
    expect((await ann.history("m")).map(({ content }) => content).toSorted()).toEqual([
      "first words",
      "words of a file",
    ]);
    await ann.import([HEADER, line({ content: "earlier words" })], { trusted: true });
    expect((await ann.get("m"))!.content).toBe("first words");
    await ann.import([HEADER, line({ content: "later words" }, { at: "2026-02-01" })], { trusted: true });
    expect((await ann.get("m"))!.content).toBe("later words");
    expect(await ann.history("m")).toHaveLength(4);
    await ann.update("m", "last words");
    expect(new Set((await ann.history("m")).map(({ content }) => content)).size).toBe(5);
    await varve.close();
  });

  test("is there once, however often it is taken in", async () => {
    const { varve, ann } = await open();
    await ann.store("one thing", { id: "m" });
    await ann.update("m", "two things");
    const lines: string[] = [];
    for await (const text of ann.export()) lines.push(text);
    for (const trusted of [true, false]) await ann.import(lines, { trusted });
    const { memories } = await ann.list({ superseded: true });
    expect(memories.map(({ content, source }) => [content, source])).toEqual([
      ["two things", "user"],
      ["one thing", "user"],
    ]);
    await varve.close();
  });

  test("ends no value that the user told, at once or in an audit", async () => {
    const { varve, ann } = await open();
    await ann.store("I live in Paris", { at: "2024-01-01" });
    const facts = [{ text: "I live in Minsk", kind: "fact", slot: "user/home city", value: "Minsk", update: true }];
    await ann.import([HEADER, line({ content: "I live in Minsk", facts }, { at: "2025-01-01" })]);
    expect((await ann.get("m"))!.facts).toEqual([]);
    await ann.import([HEADER, line({ id: "n", content: "I live in Minsk", facts, source: "import" })], {
      trusted: true,
    });
    expect((await ann.audit({ mend: true })).stale).toBe(0);
    const [home] = await ann.retrieve("Where do I live?", { where: { source: "user" } });
    expect(home).toMatchObject({ content: "I live in Paris" });
    expect(home!.validUntil).toBeUndefined();
    await varve.close();
  });

  test("ends what it may where it is believed", async () => {
    const { varve, ann } = await open();
    await ann.store("I live in Paris", { at: "2024-01-01" });
    const { varve: elsewhere, ann: there } = await open();
    await there.store("I moved to Lyon", { at: "2025-01-01" });
    const lines: string[] = [];
    for await (const text of there.export()) lines.push(text);
    await ann.import(lines, { trusted: true });
    expect((await ann.list()).memories.map(({ content }) => content)).toEqual(["I moved to Lyon"]);
    await Promise.all([varve.close(), elsewhere.close()]);
  });
});
