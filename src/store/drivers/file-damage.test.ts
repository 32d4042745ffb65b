import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { afterAll, describe, expect, test } from "vitest";
import type { VarveError } from "../../errors.js";
import { entriesOf, mustCommit, mustRead, sameMessages, TIME, user } from "../../testing/store-subject.js";
import type { Store } from "../store.js";
import { fileStore } from "./file.js";
import { contextFiles } from "./file-context.js";

const folder = mkdtempSync(join(tmpdir(), "varve-file-damage-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const at = (...names: string[]) => join(folder, ...names);

async function watched(place: string): Promise<{ store: Store; warnings: VarveError[] }> {
  const warnings: VarveError[] = [];
  return { warnings, store: await fileStore(at(place), { onWarning: (warning) => warnings.push(warning) }) };
}

/** Commits of one message each. */
async function fill(store: Store, id: string, texts: readonly string[]): Promise<void> {
  for (const [sequence, text] of texts.entries())
    await mustCommit(store, id, { entries: entriesOf([user(text)], sequence) });
}

function spoil(path: string, change: (text: string) => string): string {
  const text = change(readFileSync(path, "utf8"));
  writeFileSync(path, text);
  return text;
}

describe("the log of a session", () => {
  test("is known for another one when a session was made anew in the same file", async () => {
    const { store } = await watched("reused");
    const { store: elsewhere } = await watched("reused-elsewhere");
    await fill(store, "s", ["old"]);
    const version = await store.version("s");
    await fill(elsewhere, "s", ["new 1", "new 2", "new 3"]);
    const { ino } = statSync(at("reused", "s.log.jsonl"));
    writeFileSync(at("reused", "s.log.jsonl"), readFileSync(at("reused-elsewhere", "s.log.jsonl")));
    expect(statSync(at("reused", "s.log.jsonl")).ino).toBe(ino);
    const outcome = await store.commit("s", { version, time: TIME, entries: entriesOf([user("late")], 1) });
    expect(outcome).toEqual({ status: "stale", version: await elsewhere.version("s") });
    sameMessages((await mustRead(store, "s")).entries, [user("new 1"), user("new 2"), user("new 3")]);
    await store.close();
    await elsewhere.close();
  });

  const middles: Record<string, (text: string) => string> = {
    "lacks a commit": (text) => text.split("\n").toSpliced(3, 2).join("\n"),
    "has another letter in an entry": (text) => text.replace('"b"', '"d"'),
    "has another letter in the line that ends a commit": (text) =>
      text.replace(/"commit"(?=[^\n]*\n\{"sum":\d+,"entry":\[2)/, '"kommit"').replace('"b"', '"d"'),
  };
  test.each(Object.entries(middles))(
    "that %s in its middle shows the rest, says what is gone, and stays as it is",
    async (name, change) => {
      const place = `middle-${name}`.replaceAll(" ", "-");
      const { store } = await watched(place);
      await fill(store, "s", ["a", "b", "c"]);
      await store.close();
      const left = spoil(at(place, "s.log.jsonl"), change);
      const { store: again, warnings } = await watched(place);
      const { entries, info } = await mustRead(again, "s");
      expect([info.entries, info.head]).toEqual([3, 2]);
      sameMessages([entries[0]!, entries[2]!], [user("a"), user("c")]);
      expect(() => entries[1]!.message).toThrow(
        expect.objectContaining({ code: "store-damaged", details: { session: "s", entry: "e1" } }),
      );
      expect(warnings).toMatchObject([{ code: "store-damaged", details: { session: "s", entries: ["e1"] } }]);
      expect(readFileSync(at(place, "s.log.jsonl"), "utf8")).toBe(left);
      await mustCommit(again, "s", { entries: entriesOf([user("d")], 3) });
      sameMessages((await mustRead(again, "s")).entries.slice(2), [user("c"), user("d")]);
      await again.close();
    },
  );

  test("whose first commit of two is damaged keeps the second", async () => {
    const { store } = await watched("first-of-two");
    await fill(store, "s", ["a", "b"]);
    await store.close();
    spoil(at("first-of-two", "s.log.jsonl"), (text) => text.replace('"a"', '"d"'));
    const { store: again, warnings } = await watched("first-of-two");
    const { entries } = await mustRead(again, "s");
    sameMessages(entries.slice(1), [user("b")]);
    expect(warnings).toMatchObject([{ details: { entries: ["e0"] } }]);
    await again.close();
  });

  test("whose head is damaged shows all that is behind it, and warns", async () => {
    const { store } = await watched("head");
    await fill(store, "s", ["a", "b"]);
    await store.close();
    spoil(at("head", "s.log.jsonl"), (text) => text.replace('"session"', '"sessiom"'));
    const { store: again, warnings } = await watched("head");
    sameMessages((await mustRead(again, "s")).entries, [user("a"), user("b")]);
    expect(warnings).toMatchObject([{ code: "store-damaged", details: { session: "s", at: 0 } }]);
    await again.close();
  });

  test.each([0, 5])(
    "that was cut short by commits and %i bytes says so when it is read, and stays as it is",
    async (more) => {
      const place = `cut-${more}`;
      const { store } = await watched(place);
      await fill(store, "s", ["a", "b"]);
      const { size } = statSync(at(place, "s.log.jsonl"));
      await mustCommit(store, "s", { entries: entriesOf([user("c")], 2) });
      const whole = statSync(at(place, "s.log.jsonl")).size;
      await store.close();
      truncateSync(at(place, "s.log.jsonl"), size + more);
      const { store: again, warnings } = await watched(place);
      for (let each = 0; each < 2; each++) sameMessages((await mustRead(again, "s")).entries, [user("a"), user("b")]);
      expect(warnings).toMatchObject([{ code: "store-damaged", details: { entries: 2, bytes: whole - size } }]);
      expect(statSync(at(place, "s.log.jsonl")).size).toBe(size + more);
      expect((await again.verify!()).faults).toHaveLength(1);
      await mustCommit(again, "s", { entries: entriesOf([user("d")], 2) });
      sameMessages((await mustRead(again, "s")).entries, [user("a"), user("b"), user("d")]);
      expect(warnings).toHaveLength(more > 0 ? 2 : 1);
      await again.close();
    },
  );

  test("that 0.1.0 wrote is read, and gets its sums with the next commit", async () => {
    const { store } = await watched("former");
    await fill(store, "s", ["first", "second"]);
    await store.close();
    const path = at("former", "s.log.jsonl");
    const [head = "", ...lines] = readFileSync(path, "utf8").split("\n");
    const file = JSON.stringify({ varve: "log", format: 1, session: "s", file: JSON.parse(head).file });
    const former = lines.slice(0, -1).map((line, at) => {
      const plain = line.replace(/^\{"sum":\d+,/, "{");
      const entry = lines[at - 1]?.replace(/^\{"sum":\d+,/, "{");
      return at % 2 === 0 ? plain : plain.replace(/\}\}$/, `,"crc":${crc32(`${entry}\n`)}}}`);
    });
    writeFileSync(path, `${[file, ...former].join("\n")}\n`);
    const { store: again, warnings } = await watched("former");
    sameMessages((await mustRead(again, "s")).entries, [user("first"), user("second")]);
    await mustCommit(again, "s", { entries: entriesOf([user("third")], 2) });
    sameMessages((await mustRead(again, "s")).entries, [user("first"), user("second"), user("third")]);
    expect(
      readFileSync(path, "utf8")
        .split("\n")
        .slice(0, -1)
        .every((line) => line.startsWith('{"sum":')),
    ).toBe(true);
    expect(warnings).toEqual([]);
    await again.close();
  });

  test("has a commit also when it cannot be written anew behind it, and warns", async () => {
    const { store, warnings } = await watched("untidy");
    await fill(store, "s", ["a"]);
    for (let each = 1; each <= 100; each++)
      writeFileSync(at("untidy", `s.log.jsonl.${process.pid}-${each}.tmp`), "taken");
    for (let each = 0; each < 12; each++) {
      await mustCommit(store, "s", { documents: new Map([["large", `${each}${"x".repeat(1_000_000)}`]]) });
    }
    expect(warnings[0]).toMatchObject({ code: "store-failed", details: { path: at("untidy", "s.log.jsonl") } });
    expect((await mustRead(store, "s")).documents.get("large")).toMatch(/^"11x/);
    await store.close();
  });

  const changes: Record<string, (text: string) => string> = {
    "a letter of its message": (text) => text.replace("third", "thOrd"),
    "the front of its entry": (text) => text.replace('"entry":[2', '"enXry":[2'),
    "its count of lines": (text) => text.replace(/"lines":1(?=[^\n]*\n$)/, '"lines":2'),
    "its last line": (text) => text.replace(/"commit"(?=[^\n]*\n$)/, '"kommit"'),
    "its last byte": (text) => `${text.slice(0, -1)} `,
  };
  test.each(Object.entries(changes))(
    "whose last commit was changed in %s is read as it is, and sets it aside with the next commit",
    async (name, change) => {
      const place = `last-${name}`.replaceAll(" ", "-");
      const path = at(place, "s.log.jsonl");
      const { store } = await watched(place);
      await fill(store, "s", ["first", "second", "third"]);
      await store.close();
      const text = spoil(path, change);
      const { store: again, warnings } = await watched(place);
      sameMessages((await mustRead(again, "s")).entries, [user("first"), user("second")]);
      expect(warnings).toMatchObject([{ code: "store-damaged", details: { path, entries: 2 } }]);
      expect(readFileSync(path, "utf8")).toBe(text);
      await mustCommit(again, "s", { entries: entriesOf([user("fourth")], 2) });
      const aside = `${path}.damaged-1`;
      expect(warnings.slice(1)).toMatchObject([
        { code: "store-damaged", message: expect.stringContaining(aside), details: { path, aside } },
      ]);
      expect(text.endsWith(readFileSync(aside, "utf8"))).toBe(true);
      sameMessages((await mustRead(again, "s")).entries, [user("first"), user("second"), user("fourth")]);
      expect(warnings).toHaveLength(2);
      await again.delete("s");
      expect(readdirSync(at(place))).toEqual([".lock"]);
      await again.close();
    },
  );

  test("whose last commit is damaged is told so by a commit that comes before any read", async () => {
    const { store } = await watched("unread");
    await fill(store, "s", ["first", "second"]);
    await store.close();
    spoil(at("unread", "s.log.jsonl"), (text) => text.replace("second", "sec0nd"));
    const { store: again, warnings } = await watched("unread");
    await mustCommit(again, "s", { entries: entriesOf([user("third")], 1) });
    expect(warnings).toMatchObject([{ details: { aside: at("unread", "s.log.jsonl.damaged-1") } }]);
    expect(readFileSync(at("unread", "s.log.jsonl.damaged-1"), "utf8")).toContain("sec0nd");
    await again.close();
  });
});

describe("a folder with one log that cannot be read", () => {
  test("lists the other sessions, warns, and can delete the bad one", async () => {
    const { store } = await watched("one-bad");
    for (const id of ["bad", "good", "newer"]) await fill(store, id, ["word", "word"]);
    await store.close();
    spoil(at("one-bad", "bad.log.jsonl"), (text) => text.replaceAll('"sum"', '"sun"'));
    spoil(at("one-bad", "newer.log.jsonl"), (text) => text.replace(/^.*"format":2/, '{"varve":"log","format":3'));
    const { store: again, warnings } = await watched("one-bad");
    expect((await again.sessions()).sessions.map(({ id }) => id)).toEqual(["good"]);
    expect(warnings.map(({ code }) => code)).toEqual(["store-damaged", "store-newer"]);
    await expect(again.read("bad")).rejects.toMatchObject({ code: "store-damaged" });
    expect(await again.delete("bad")).toMatchObject({ entries: 0, bytes: expect.any(Number) });
    expect(await again.version("bad")).toBe(0);
    expect(readdirSync(at("one-bad")).filter((name) => name.startsWith("bad"))).toEqual([]);
    await again.close();
  });
});

describe("a repair of a folder", () => {
  test.each([
    ["is empty", ""],
    ["is cut in its head", '{"sum":1'],
    ["is garbage", "garbage\n".repeat(100)],
  ])("names the session whose log %s as gone, and leaves a store that is well", async (name, text) => {
    const place = `lost-${name}`.replaceAll(" ", "-");
    const { store } = await watched(place);
    for (const id of ["s", "t"]) {
      await fill(store, id, ["a", "b"]);
      await mustRead(store, id);
    }
    writeFileSync(at(place, "s.log.jsonl"), text);
    const { faults, backup } = await store.repair!();
    expect(faults.at(-1)).toMatchObject({ message: expect.stringContaining('"s" is gone'), details: { session: "s" } });
    expect(readFileSync(join(backup, "s.log.jsonl"), "utf8")).toBe(text);
    expect(await store.verify!()).toMatchObject({ sessions: 1, entries: 2, faults: [] });
    await store.close();
  });
});

describe("the document of a session", () => {
  const documents = new Map<string, unknown>([
    ["receipt/000000001", { id: "r1", replacedBy: "They talked about ports." }],
    ["receipt/000000002", { id: "r2" }],
  ]);

  test("comes back from the log, with summary and counts, when it is gone", async () => {
    const { store, warnings } = await watched("rebuilt");
    await mustCommit(store, "s", { entries: entriesOf([user("hello world")]), documents });
    for (let each = 0; each < 2; each++) {
      await mustRead(store, "s");
      expect(JSON.parse(readFileSync(at("rebuilt", "s.json"), "utf8"))).toMatchObject({
        long_term_summary: "They talked about ports.",
        recent_history: [{ content: "hello world", token_count: 6 }],
      });
      rmSync(at("rebuilt", "s.json"));
    }
    expect(warnings).toEqual([]);
    await store.close();
  });

  test("is loaded from the log when the damaged one was set aside, by programs without a session too", async () => {
    const { store } = await watched("loaded");
    await mustCommit(store, "s", { entries: entriesOf([user("hello")]), documents });
    writeFileSync(at("loaded", "s.json"), "{");
    const files = contextFiles(at("loaded"));
    await expect(files.load("s")).rejects.toMatchObject({ code: "store-damaged" });
    expect((await files.load("s")).recent_history).toMatchObject([{ content: "hello" }]);
    await store.close();
  });

  test("goes with its session, also where it is all there is of it", async () => {
    const { store } = await watched("alone");
    await contextFiles(at("alone")).load("s");
    expect(await store.delete("s")).toMatchObject({ entries: 0, bytes: expect.any(Number) });
    expect(readdirSync(at("alone"))).toEqual([".lock"]);
    expect(await store.delete("s")).toBeUndefined();
    await store.close();
  });
});
