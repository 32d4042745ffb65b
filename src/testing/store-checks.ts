import { strict as assert } from "node:assert";
import { identityOf, type Store } from "../store/store.js";
import type { Check } from "./check.js";
import { concurrencyChecks } from "./store-concurrency-checks.js";
import { documentChecks } from "./store-document-checks.js";
import { shapes } from "./store-messages.js";
import { durableReplaceChecks, replaceChecks } from "./store-replace-checks.js";
import {
  entriesOf,
  mustCommit,
  mustFail,
  mustRead,
  type StoreSubject,
  sameMessages,
  TIME,
  user,
} from "./store-subject.js";

type Act = (store: Store, again: () => Promise<Store>) => Promise<void>;

let places = 0;

/**
 * What every store must do, as a list of named checks for any test runner.
 *
 * @example
 * ```ts
 * import { storeChecks } from "varve/testing";
 *
 * const folder = mkdtempSync(join(tmpdir(), "store-"));
 * for (const { name, run } of storeChecks({ open: (place) => myStore(join(folder, place)) })) test(name, run);
 * ```
 */
export function storeChecks(subject: StoreSubject): Check[] {
  const acts: Record<string, Act> = {
    ...entryChecks,
    ...sessionChecks,
    ...documentChecks,
    ...replaceChecks,
    ...concurrencyChecks,
  };
  if (subject.durable !== false) Object.assign(acts, durableChecks, durableReplaceChecks);
  return Object.entries(acts).map(([name, act]) => ({ name, run: () => runOn(subject, act) }));
}

async function runOn(subject: StoreSubject, act: Act): Promise<void> {
  const place = `place-${process.pid}-${++places}`;
  const opened: Store[] = [];
  const open = async () => {
    const store = opened.length > 0 && subject.durable === false ? opened[0]! : await subject.open(place);
    opened.push(store);
    return store;
  };
  try {
    await act(await open(), open);
  } finally {
    await Promise.all(opened.map((store) => store.close()));
  }
}

const entryChecks: Record<string, Act> = {
  "has nothing of a session that nobody made": async (store) => {
    assert.equal(await store.read("s"), undefined);
    assert.equal(await store.version("s"), 0);
    assert.equal(await store.delete("s"), undefined);
    assert.deepEqual(await store.sessions(), { sessions: [], next: undefined });
  },

  "gives messages of every shape back as they were": async (store) => {
    await mustCommit(store, "s", { entries: entriesOf(shapes) });
    const { entries } = await mustRead(store, "s");
    sameMessages(entries, shapes);
    assert.ok(entries.every(({ message }) => Object.isFrozen(message)));
  },

  "gives entries back in order, with parent, time, role and whether they are blank": async (store) => {
    const messages = [user("a"), user(" "), ...shapes.slice(-2)];
    await mustCommit(store, "s", { entries: entriesOf(messages.slice(0, 1)) });
    await mustCommit(store, "s", { entries: entriesOf(messages.slice(1), 1) });
    const { entries, info } = await mustRead(store, "s");
    assert.deepEqual(
      entries.map(({ id, sequence, parent, time, role, blank }) => [id, sequence, parent, time, role, blank]),
      [
        ["e0", 0, null, TIME, "user", false],
        ["e1", 1, "e0", TIME, "user", true],
        ["e2", 2, "e1", TIME, "assistant", false],
        ["e3", 3, "e2", TIME, "tool", false],
      ],
    );
    assert.deepEqual([info.entries, info.head], [4, 3]);
  },

  "reads from any entry on, also behind thousands": async (store) => {
    const messages = Array.from({ length: 5_000 }, (_, at) => user(`message ${at}`));
    await mustCommit(store, "s", { entries: entriesOf(messages.slice(0, 3_000)) });
    await mustCommit(store, "s", { entries: entriesOf(messages.slice(3_000), 3_000) });
    for (const from of [0, 1, 1_023, 1_024, 1_025, 2_999, 4_999, 5_000, Number.POSITIVE_INFINITY]) {
      const entries = (await store.read("s", { from }))?.entries ?? [];
      assert.equal(entries.length, Math.max(0, 5_000 - from));
      if (entries.length > 0) sameMessages([entries[0]!, entries.at(-1)!], [messages[from]!, messages.at(-1)!]);
    }
  },

  "keeps branches: entries of one follow another's, and the head moves where it is told": async (store) => {
    await mustCommit(store, "s", { entries: entriesOf([user("a"), user("b"), user("c")]) });
    await mustCommit(store, "s", { head: 0 });
    assert.equal((await mustRead(store, "s")).info.head, 0);
    await mustCommit(store, "s", { entries: entriesOf([user("d"), user("e")], 3, 0) });
    const { entries, info } = await mustRead(store, "s");
    assert.deepEqual(
      entries.map(({ parent }) => parent),
      [null, "e0", "e1", "e0", "e3"],
    );
    assert.deepEqual([info.head, info.entries], [4, 5]);
  },

  "keeps a message of megabytes": async (store) => {
    const large = user(`${"0123456789abcdef€".repeat(200_000)}end`);
    await mustCommit(store, "s", { entries: entriesOf([large, user("small")]) });
    sameMessages((await mustRead(store, "s")).entries, [large, user("small")]);
  },

  "refuses to work once it is closed, and closes twice": async (store) => {
    await mustCommit(store, "s", { entries: entriesOf([user("a")]) });
    await store.close();
    await store.close();
    await mustFail(store.read("s"), "closed");
    await mustFail(store.commit("s", { version: 0, time: TIME }), "closed");
  },
};

/** Ids that differ, but not on every file system or in every index. */
const IDS = [
  "user:agent:1",
  "a",
  "A",
  "a.b",
  "a/b",
  "a\\b",
  "../a",
  "..",
  ".",
  "con",
  "CON",
  "a ",
  "a.",
  "ä",
  "a\u0308",
  "a.json",
  "a.json.b",
  "a.json.damaged-1.b",
  "a.log.jsonl",
];

const sessionChecks: Record<string, Act> = {
  "keeps sessions apart, whatever their ids": async (store) => {
    const ids = [...IDS, "%", "_", "'", '"', "*?<>|", "👍", "x".repeat(300), `${"x".repeat(300)}y`, "é".repeat(200)];
    for (const id of ids) await mustCommit(store, id, { entries: entriesOf([user(id)]) });
    for (const id of ids) sameMessages((await mustRead(store, id)).entries, [user(id)]);
    const { sessions } = await store.sessions({ limit: 1_000 });
    assert.deepEqual(sessions.map(({ id }) => id).sort(), ids.toSorted());
    for (const id of ids.slice(0, 5)) await store.delete(id);
    for (const id of ids.slice(5)) sameMessages((await mustRead(store, id)).entries, [user(id)]);
  },

  "lists sessions in pages, each once": async (store) => {
    const ids = Array.from({ length: 12 }, (_, at) => `${at % 2 === 0 ? "even" : "odd"}:${at}`);
    for (const [at, id] of ids.entries())
      await mustCommit(store, id, { entries: entriesOf([user("a")]), time: TIME + at });
    const seen: string[] = [];
    let after: string | undefined;
    do {
      const page = await store.sessions({ limit: 5, ...(after !== undefined && { after }) });
      assert.ok(page.sessions.length <= 5);
      seen.push(...page.sessions.map(({ id }) => id));
      after = page.next;
    } while (after !== undefined);
    assert.deepEqual(seen.sort(), ids.toSorted());
    const { sessions } = await store.sessions({ prefix: "odd:" });
    assert.equal(sessions.length, 6);
  },

  "refuses a page of no size": async (store) => {
    for (const limit of [0, -1, 1.5, Number.NaN]) await mustFail(store.sessions({ limit }), "invalid-option");
  },

  "tells keys apart whatever they hold, and gives them back as they were": async (store) => {
    const keys = [
      "a",
      "a\0",
      "a\0b",
      "a\ud800",
      "a\udc00",
      "a\ufffd",
      "a\\",
      "a\\0000",
      "é",
      "e\u0301",
      "x".repeat(3_000),
    ];
    for (const [sequence, key] of keys.entries())
      await mustCommit(store, "s", { entries: entriesOf([user(key)], sequence), key });
    const known = (await store.read("s", { keys: true }))?.keys ?? new Map();
    assert.deepEqual([...known.keys()].sort(), keys.toSorted());
    for (const [first, key] of keys.entries()) assert.deepEqual(known.get(key), { first, count: 1 });
    const version = await store.version("s");
    const again = await store.commit("s", { version, time: TIME, key: "a\ud800", entries: [] });
    assert.deepEqual(again, { status: "repeated", version, first: 3, count: 1 });
  },

  "says of a session how large it is and when it was made and changed": async (store) => {
    await mustCommit(store, "s", { entries: entriesOf([user("x".repeat(1_000))]), time: TIME });
    await mustCommit(store, "s", { documents: new Map([["note", "y".repeat(500)]]), time: TIME + 5 });
    const { info } = await mustRead(store, "s");
    const listed = (await store.sessions()).sessions[0]!;
    const { bytes, ...rest } = info;
    assert.deepEqual(rest, { id: "s", version: info.version, entries: 1, head: 0, created: TIME, updated: TIME + 5 });
    assert.deepEqual({ ...listed }, { ...info });
    assert.ok(bytes >= 1_500 && bytes < 3_000, `${bytes} bytes`);
  },

  "removes every trace of a session, says what it was, and leaves others alone": async (store) => {
    const documents = new Map<string, unknown>([
      ["a", 1],
      ["b", 2],
    ]);
    await mustCommit(store, "s", { entries: entriesOf([user("a"), user("b")]), documents, key: "k" });
    await mustCommit(store, "t", { entries: entriesOf([user("kept")]), documents, key: "k" });
    const removed = await store.delete("s");
    assert.deepEqual([removed?.entries, removed?.documents, removed?.keys], [2, 2, 1]);
    assert.ok((removed?.bytes ?? 0) > 0);
    assert.equal(await store.read("s"), undefined);
    assert.equal(await store.version("s"), 0);
    assert.equal(await store.delete("s"), undefined);
    assert.equal((await mustRead(store, "t")).documents.size, 2);
    await mustCommit(store, "s", { entries: entriesOf([user("new")]), key: "k" });
    const { entries, documents: left } = await mustRead(store, "s");
    sameMessages(entries, [user("new")]);
    assert.equal(left.size, 0);
  },

  "tells who writes to a deleted session that it is stale, also when there is a new one": async (store) => {
    const version = await mustCommit(store, "s", { entries: entriesOf([user("a")]) });
    await store.delete("s");
    const late = { version, time: TIME, entries: entriesOf([user("late")], 1) };
    assert.deepEqual(await store.commit("s", late), { status: "stale", version: 0 });
    const made = await mustCommit(store, "s", { entries: entriesOf([user("new")]) });
    assert.deepEqual(await store.commit("s", late), { status: "stale", version: made });
    await mustCommit(store, "s", { entries: entriesOf([user("more")], 1) });
  },

  "gives a session one identity for life, and another to one made since under its id": async (store) => {
    const first = await mustCommit(store, "s", { entries: entriesOf([user("a")]) });
    const second = await mustCommit(store, "s", { entries: entriesOf([user("b")], 1) });
    assert.equal(identityOf(second), identityOf(first));
    await store.delete("s");
    const made = await mustCommit(store, "s", { entries: entriesOf([user("new")]) });
    assert.notEqual(identityOf(made), identityOf(first));
    assert.equal(identityOf(await store.version("s")), identityOf(made));
    assert.equal(identityOf((await mustRead(store, "s")).info.version), identityOf(made));
  },
};

const durableChecks: Record<string, Act> = {
  "has everything when it is opened again": async (store, again) => {
    const documents = new Map([["note", { text: "kept" }]]);
    const version = await mustCommit(store, "s", { entries: entriesOf(shapes), documents, key: "k" });
    await store.close();
    const second = await again();
    const { info, entries, documents: kept } = await mustRead(second, "s");
    sameMessages(entries, shapes);
    assert.equal(info.version, version);
    assert.deepEqual(JSON.parse(kept.get("note")!), { text: "kept" });
    const repeated = await second.commit("s", { version: 0, time: TIME, key: "k", entries: [] });
    assert.deepEqual(repeated, { status: "repeated", version, first: 0, count: shapes.length });
  },

  "shows a second opener what was committed": async (store, again) => {
    const other = await again();
    const version = await mustCommit(store, "s", { entries: entriesOf([user("a")]) });
    assert.equal(await other.version("s"), version);
    sameMessages((await mustRead(other, "s")).entries, [user("a")]);
    await mustCommit(other, "s", { entries: entriesOf([user("b")], 1) });
    sameMessages((await mustRead(store, "s")).entries, [user("a"), user("b")]);
    await other.delete("s");
    assert.equal(await store.read("s"), undefined);
    await mustCommit(other, "s", { entries: entriesOf([user("new")]) });
    await mustCommit(store, "s", { entries: entriesOf([user("more")], 1) });
    sameMessages((await mustRead(other, "s")).entries, [user("new"), user("more")]);
  },

  "changes nothing when a commit fails half-way": async (store) => {
    const version = await mustCommit(store, "s", { entries: entriesOf([user("a")]) });
    const broken = {
      toJSON: () => {
        throw new Error("cannot be written");
      },
    };
    const documents = new Map<string, unknown>([
      ["good", 1],
      ["broken", broken],
    ]);
    await assert.rejects(store.commit("s", { version, time: TIME, entries: entriesOf([user("b")], 1), documents }));
    const { info, entries, documents: left } = await mustRead(store, "s");
    assert.deepEqual([info.version, entries.length, left.size], [version, 1, 0]);
  },
};
