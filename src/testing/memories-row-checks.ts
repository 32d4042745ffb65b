import { strict as assert } from "node:assert";
import { type Memories, type NewMemory, scopeKey } from "../store/memories/memories.js";
import {
  asking,
  byWords,
  listAll,
  type MemoriesActs,
  memoryOf,
  mustWrite,
  nearTo,
  OWN,
  OWN_KEY,
  putAll,
  vectorsOf,
} from "./memories-subject.js";
import { mustFail, TIME } from "./store-subject.js";

/** Texts that some stores fold, cut or trip over. */
const STRANGE = [
  "a",
  "A",
  "ä",
  "a\u0308",
  "",
  " ",
  "a ",
  "'",
  '"',
  "%",
  "_",
  "\\",
  "null",
  "a\0b",
  "half \ud800",
  "👍",
  "x".repeat(3_000),
];

const placesOf = async (memories: Memories, ids: readonly string[]) =>
  (await memories.get({}, ids)).map(({ place }) => place);

export const rowChecks: MemoriesActs = {
  "has nothing where nothing was written": async ({ memories }) => {
    assert.deepEqual(await memories.find(OWN, ["k"]), { version: 0, rows: [] });
    assert.deepEqual(await memories.get(OWN, ["a"]), []);
    assert.deepEqual(await memories.at([{ scope: OWN_KEY, thread: "", place: 0 }]), []);
    assert.deepEqual(await memories.list(OWN), { rows: [], next: undefined });
    assert.deepEqual(await memories.search(OWN, asking("a")), []);
    assert.deepEqual(await memories.search(OWN, nearTo("e", [1, 0])), []);
    assert.deepEqual([...(await memories.embedders())], []);
    assert.deepEqual(await memories.without("e", { limit: 10 }), []);
    assert.deepEqual(await memories.orphans({ remove: true }), { passages: 0, vectors: 0, keys: 0 });
  },

  "gives rows back as they were, whatever they hold": async ({ memories }) => {
    const put = STRANGE.map((text, at) =>
      memoryOf(`m${at}`, "word", {
        scope: scopeKey({ user: text }),
        thread: text,
        tags: [text, "tag"],
        time: TIME + at,
        until: at % 2 === 0 ? undefined : TIME + 10 * at,
        speaker: text,
        keys: [text, `key:${text}`],
        body: JSON.stringify({ text, deep: [{ nothing: null }] }),
      }),
    );
    await putAll(memories, ...put);
    for (const [at, text] of STRANGE.entries()) {
      const { passages: _passages, vectors: _vectors, ...row } = put[at]!;
      const scope = { user: text, tags: [text, "tag"] };
      assert.deepEqual(await memories.get(scope, [`m${at}`]), [{ ...row, place: 0 }]);
      assert.deepEqual((await memories.find(scope, [text])).rows, [{ ...row, place: 0 }]);
      assert.deepEqual(await memories.at([{ scope: row.scope, thread: text, place: 0 }]), [{ ...row, place: 0 }]);
      assert.deepEqual((await memories.list(scope)).rows, [{ ...row, place: 0 }]);
    }
  },

  "keeps a body of megabytes": async ({ memories }) => {
    const body = JSON.stringify({ text: "0123456789abcdef€".repeat(100_000) });
    await putAll(memories, memoryOf("large", "word", { body }));
    assert.equal((await memories.get(OWN, ["large"]))[0]?.body, body);
  },

  "gives rows in the order of the ids, those that are there": async ({ memories }) => {
    await putAll(memories, memoryOf("a", "one"), memoryOf("b", "two"), memoryOf("c", "three"));
    const rows = await memories.get(OWN, ["c", "none", "a"]);
    assert.deepEqual(
      rows.map(({ id }) => id),
      ["c", "a"],
    );
  },

  "counts places in each thread of each scope, and finds neighbours by them": async ({ memories }) => {
    const other = scopeKey({ user: "bob" });
    const put = ["a", "b", "c"].map((id) => memoryOf(id, id, { thread: "talk" }));
    await putAll(memories, ...put, memoryOf("x", "x", { thread: "other" }));
    await putAll(
      memories,
      memoryOf("d", "d", { thread: "talk" }),
      memoryOf("y", "y", { thread: "talk", scope: other }),
    );
    assert.deepEqual(await placesOf(memories, ["a", "b", "c", "d", "x", "y"]), [0, 1, 2, 3, 0, 0]);
    const at = (place: number) => ({ scope: OWN_KEY, thread: "talk", place });
    const found = await memories.at([at(1), at(3), at(4), at(-1)]);
    assert.deepEqual(found.map(({ id }) => id).sort(), ["b", "d"]);
  },

  "gives no place again when its row is removed, as long as the thread has others": async ({ memories }) => {
    await putAll(memories, memoryOf("a", "a", { thread: "talk" }), memoryOf("b", "b", { thread: "talk" }));
    await mustWrite(memories, { remove: ["b"] });
    await putAll(memories, memoryOf("c", "c", { thread: "talk" }));
    await mustWrite(memories, { remove: ["c"] });
    await putAll(memories, memoryOf("d", "d", { thread: "talk" }));
    assert.deepEqual(await placesOf(memories, ["d"]), [3]);
  },

  "puts a row in the place of one with its id, with all that it is found by": async ({ memories }) => {
    const before = { thread: "talk", keys: ["old"], vectors: vectorsOf("e", [1, 0]) };
    await putAll(memories, memoryOf("a", "first apple", before), memoryOf("b", "second", { thread: "talk" }));
    await putAll(memories, memoryOf("a", "pear", { thread: "talk", keys: ["new"], tags: ["t"] }));
    assert.deepEqual(await placesOf(memories, ["a", "b"]), [0, 1]);
    assert.deepEqual(await listAll(memories), ["a", "b"]);
    assert.deepEqual(await byWords(memories, "apple first"), []);
    assert.deepEqual(await byWords(memories, "pear"), ["a"]);
    assert.deepEqual((await memories.find(OWN, ["old"])).rows, []);
    assert.equal((await memories.find(OWN, ["new"])).rows.length, 1);
    assert.deepEqual(await memories.search(OWN, nearTo("e", [1, 0])), []);
    assert.deepEqual([...(await memories.embedders())], [["", 2]]);
    assert.equal((await memories.list({ ...OWN, tags: ["t"] })).rows[0]?.body, JSON.stringify({ text: "pear" }));
  },

  "moves a row that is put with another owner: nobody else sees it": async ({ memories }) => {
    const scope = scopeKey({ user: "bob" });
    await putAll(memories, memoryOf("a", "apple", { keys: ["k"] }));
    await putAll(memories, memoryOf("a", "apple", { keys: ["k"], scope }), memoryOf("b", "pear", { scope }));
    assert.deepEqual(await listAll(memories), []);
    assert.deepEqual(await byWords(memories, "apple"), []);
    assert.deepEqual((await memories.find(OWN, ["k"])).rows, []);
    assert.deepEqual(await byWords(memories, "apple", { user: "bob" }), ["a"]);
    assert.deepEqual(new Set(await placesOf(memories, ["a", "b"])).size, 2);
  },

  "amends a row, which stays found by its passages": async ({ memories }) => {
    const given = { keys: ["old", "both"], vectors: vectorsOf("e", [1, 0]), speaker: "ann" };
    await putAll(memories, memoryOf("a", "apple", given));
    const amendment = { id: "a", until: TIME + 5, keys: ["both", "new"], body: '{"text":"changed"}' };
    await mustWrite(memories, { amend: [amendment, { ...amendment, id: "none" }] });
    const { passages: _passages, vectors: _vectors, ...row } = memoryOf("a", "apple", given);
    assert.deepEqual(await memories.get(OWN, ["a"]), [{ ...row, ...amendment, place: 0 }]);
    assert.deepEqual((await memories.find(OWN, ["old"])).rows, []);
    assert.equal((await memories.find(OWN, ["new", "both"])).rows.length, 1);
    assert.deepEqual(await byWords(memories, "apple"), ["a"]);
    const [hit] = await memories.search(OWN, nearTo("e", [1, 0]));
    assert.deepEqual([hit?.id, hit?.until], ["a", TIME + 5]);
    assert.deepEqual(await memories.get(OWN, ["none"]), []);
  },

  "finds rows by any of several keys, each once, in the order they were written in": async ({ memories }) => {
    await putAll(memories, memoryOf("b", "b", { keys: ["k", "l"] }), memoryOf("a", "a", { keys: ["l"] }));
    await putAll(memories, memoryOf("c", "c", { keys: ["m"] }), memoryOf("d", "d", { keys: ["K"] }));
    const { rows } = await memories.find(OWN, ["l", "k", "none", "l"]);
    assert.deepEqual(
      rows.map(({ id }) => id),
      ["b", "a"],
    );
    assert.deepEqual((await memories.find(OWN, [])).rows, []);
  },

  "carries a change out on the version that it was made on alone": async ({ memories }) => {
    const first = await putAll(memories, memoryOf("a", "a"));
    assert.equal((await memories.find(OWN, [])).version, first);
    const second = await mustWrite(memories, { version: first, put: [memoryOf("b", "b")] });
    assert.notEqual(second, first);
    const late = { scope: OWN_KEY, version: first, put: [memoryOf("c", "c")], remove: ["a"], amend: [] };
    assert.deepEqual(await memories.write(late), { status: "stale", version: second });
    assert.deepEqual(await listAll(memories), ["a", "b"]);
    const other = await memories.write({ scope: scopeKey({ user: "bob" }), version: 0 });
    assert.equal(other.status, "written");
    assert.equal((await memories.find(OWN, [])).version, second);
  },

  "counts the version of a scope up when its last row is gone, too": async ({ memories }) => {
    const first = await putAll(memories, memoryOf("a", "a"));
    const second = await mustWrite(memories, { remove: ["a"] });
    const third = await putAll(memories, memoryOf("b", "b"));
    assert.equal(new Set([0, first, second, third]).size, 4);
  },

  "refuses vectors of another size than the embedder's, with the whole change": async ({ memories }) => {
    await putAll(memories, memoryOf("a", "apple", { vectors: vectorsOf("e", [1, 0]) }));
    const { version } = await memories.find(OWN, []);
    const odd = memoryOf("c", "cherry", { vectors: vectorsOf("e", [1, 0, 0]) });
    const put: NewMemory[] = [memoryOf("a", "changed"), memoryOf("b", "banana", { keys: ["k"] }), odd];
    await mustFail(memories.write({ scope: OWN_KEY, version: undefined, put }), "invalid-option");
    assert.deepEqual(await memories.find(OWN, ["k"]), { version, rows: [] });
    assert.deepEqual(await byWords(memories, "banana cherry changed"), []);
    assert.deepEqual(await byWords(memories, "apple"), ["a"]);
  },

  "lists rows in pages, each once, while others are written and removed": async ({ memories }) => {
    const names = Array.from({ length: 30 }, (_, at) => `m${(at * 7) % 30}`);
    await putAll(memories, ...names.map((id) => memoryOf(id, id)));
    const seen: string[] = [];
    let after: string | undefined;
    for (let page = 0; ; page++) {
      const { rows, next } = await memories.list(OWN, { limit: 4, ...(after !== undefined && { after }) });
      seen.push(...rows.map(({ id }) => id));
      if (next === undefined) break;
      after = next;
      const gone = seen.at(-1)!;
      await mustWrite(memories, { remove: page % 2 === 0 ? [gone] : [], put: [memoryOf(names[29]!, "again")] });
    }
    assert.deepEqual(seen, names);
  },

  "lists rows in pages, the newest first, where that is asked": async ({ memories }) => {
    const names = Array.from({ length: 11 }, (_, at) => `m${(at * 7) % 11}`);
    await putAll(memories, ...names.map((id) => memoryOf(id, id)));
    const seen: string[] = [];
    let after: string | undefined;
    do {
      const { rows, next } = await memories.list(OWN, {
        newest: true,
        limit: 4,
        ...(after !== undefined && { after }),
      });
      seen.push(...rows.map(({ id }) => id));
      after = next;
      if (seen.length === 4) await putAll(memories, memoryOf("late", "late"));
    } while (after !== undefined);
    assert.deepEqual(seen, names.toReversed());
  },

  "refuses to work once its store is closed": async ({ store, memories }) => {
    await putAll(memories, memoryOf("a", "apple"));
    await store.close();
    await mustFail(memories.search(OWN, asking("apple")), "closed");
    await mustFail(memories.write({ scope: OWN_KEY, version: undefined }), "closed");
    await mustFail(memories.list(OWN), "closed");
  },
};
