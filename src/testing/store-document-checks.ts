import { strict as assert } from "node:assert";
import type { Store } from "../store/store.js";
import { entriesOf, mustCommit, mustRead, TIME, user } from "./store-subject.js";

const namesOf = (documents: ReadonlyMap<string, string>): string[] => [...documents.keys()];

export const documentChecks: Record<string, (store: Store) => Promise<void>> = {
  "writes, replaces and removes documents with the entries of a commit": async (store) => {
    const first = new Map<string, unknown>([
      ["state", { pins: ["e0"] }],
      ["receipt/1", [1, null, "ü"]],
    ]);
    await mustCommit(store, "s", { entries: entriesOf([user("a")]), documents: first });
    const second = new Map<string, unknown>([
      ["state", { pins: [] }],
      ["receipt/1", undefined],
      ["receipt/2", "two"],
    ]);
    await mustCommit(store, "s", { documents: second });
    const { documents, entries } = await mustRead(store, "s");
    const parsed = [...documents].map(([name, text]) => [name, JSON.parse(text)]);
    assert.deepEqual(parsed, [
      ["receipt/2", "two"],
      ["state", { pins: [] }],
    ]);
    assert.equal(entries.length, 1);
  },

  "reads the documents whose names begin as asked, and none unless asked": async (store) => {
    const names = ["state/a", "state/b", "receipt/1", "stat", "zebra"];
    await mustCommit(store, "s", { documents: new Map(names.map((name) => [name, name])) });
    const read = async (documents?: string[]) =>
      namesOf((await store.read("s", documents && { documents }))?.documents ?? new Map());
    assert.deepEqual(await read(), []);
    assert.deepEqual(await read(["state/"]), ["state/a", "state/b"]);
    assert.deepEqual(await read(["zebra", "state/b", "none"]), ["state/b", "zebra"]);
    assert.deepEqual(await read([""]), names.toSorted());
  },

  "finds nothing wrong with what it has written, where it can tell": async (store) => {
    const documents = new Map<string, unknown>([
      ["state/a", 1],
      ["receipt/1", { id: "r1" }],
    ]);
    await mustCommit(store, "s", { entries: entriesOf([user("a")]), documents, key: "k" });
    await mustCommit(store, "s", { entries: entriesOf([user("b")], 1), documents: new Map([["state/a", undefined]]) });
    await mustCommit(store, "t", { entries: entriesOf([user("c")]) });
    const report = await store.verify?.();
    if (report !== undefined)
      assert.deepEqual({ ...report, memories: 0 }, { sessions: 2, entries: 3, memories: 0, faults: [] });
  },

  "keeps a document of megabytes": async (store) => {
    const value = { text: "0123456789€".repeat(300_000) };
    await mustCommit(store, "s", { documents: new Map([["large", value]]) });
    assert.deepEqual(JSON.parse((await mustRead(store, "s")).documents.get("large")!), value);
  },

  "moves the version by one with each commit, and refuses another as stale": async (store) => {
    const version = await mustCommit(store, "s", { entries: entriesOf([user("a")]) });
    assert.ok(version > 0);
    assert.equal(await mustCommit(store, "s", { documents: new Map([["a", 1]]) }), version + 1);
    const change = { time: TIME, entries: entriesOf([user("b")], 1), documents: new Map([["a", 2]]), head: -1 };
    for (const wrong of [0, version, version + 2])
      assert.deepEqual(await store.commit("s", { ...change, version: wrong }), {
        status: "stale",
        version: version + 1,
      });
    const { info, entries, documents } = await mustRead(store, "s");
    assert.deepEqual([info.version, info.head, entries.length, documents.get("a")], [version + 1, 0, 1, "1"]);
    assert.equal(await store.version("s"), version + 1);
  },

  "refuses to make a session on a version that it never had": async (store) => {
    const outcome = await store.commit("s", { version: 7, time: TIME, entries: entriesOf([user("a")]) });
    assert.deepEqual(outcome, { status: "stale", version: 0 });
    assert.equal(await store.read("s"), undefined);
  },

  "carries an append with a key out once, and says where its entries are": async (store) => {
    await mustCommit(store, "s", { entries: entriesOf([user("a")]) });
    const version = await mustCommit(store, "s", { entries: entriesOf([user("b"), user("c")], 1), key: "k" });
    const again = { time: TIME, entries: entriesOf([user("b"), user("c")], 3), key: "k" };
    const repeated = { status: "repeated", version, first: 1, count: 2 };
    assert.deepEqual(await store.commit("s", { ...again, version }), repeated);
    assert.deepEqual(await store.commit("s", { ...again, version: version - 1 }), repeated);
    assert.equal((await mustRead(store, "s")).entries.length, 3);
    assert.equal((await store.read("s"))?.keys, undefined);
    assert.deepEqual((await store.read("s", { keys: true }))?.keys, new Map([["k", { first: 1, count: 2 }]]));
    await mustCommit(store, "t", { entries: entriesOf([user("b")]), key: "k" });
  },
};
