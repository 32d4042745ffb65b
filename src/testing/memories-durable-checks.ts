import { strict as assert } from "node:assert";
import type { Memories } from "../store/memories/memories.js";
import {
  asking,
  byWords,
  idsOf,
  listAll,
  type MemoriesActs,
  memoryOf,
  mustWrite,
  nearly,
  nearTo,
  OWN,
  OWN_KEY,
  putAll,
  vectorsOf,
} from "./memories-subject.js";
import { entriesOf, mustCommit, mustRead, TIME, user } from "./store-subject.js";

/** All that can be asked of memories, for comparing. */
async function stateOf(memories: Memories) {
  const asked = [{ embedder: "e", values: Float32Array.of(1, 0) }];
  const hits = await memories.search(OWN, asking("apple pear", { vectors: asked }));
  return {
    list: (await memories.list(OWN, { limit: 1_000 })).rows,
    found: await memories.find(OWN, ["k", "l"]),
    words: hits
      .filter(({ words }) => words > 0)
      .map(({ id }) => id)
      .sort(),
    near: hits
      .filter(({ cosines }) => cosines.e !== undefined)
      .map(({ id }) => id)
      .sort(),
    embedders: Object.fromEntries(await memories.embedders()),
  };
}

export const memoriesDurableChecks: MemoriesActs = {
  "has everything when it is opened again": async ({ store, memories, again }) => {
    const given = { thread: "talk", tags: ["t"], keys: ["k"], speaker: "ann", vectors: vectorsOf("e", [1, 0]) };
    await putAll(memories, memoryOf("b", "apple tree", given), memoryOf("a", "pear", { until: TIME + 1 }));
    await putAll(memories, memoryOf("c", "apple", { thread: "talk" }), memoryOf("d", "plum", { thread: "talk" }));
    const amend = [{ id: "a", until: TIME + 9, keys: ["l"], body: "{}" }];
    await mustWrite(memories, { amend, remove: ["d"], put: [memoryOf("b", "apple pie", given)] });
    await memories.addVectors("f", [{ id: "c", body: '{"text":"apple"}', values: [Float32Array.of(0, 1, 0)] }]);
    await memories.addVectors("g", [{ id: "c", body: '{"text":"apple"}', values: [Float32Array.of(1)] }]);
    await memories.dropVectors("g");
    const before = await stateOf(memories);
    assert.deepEqual(before.embedders, { "": 1, e: 1, f: 1 });
    await store.close();
    const second = (await again()).memories;
    assert.deepEqual(await stateOf(second), before);
    const [hit] = await second.search(OWN, nearTo("f", [0, 2, 0]));
    nearly(hit?.cosines.f, 1);
    await putAll(second, memoryOf("e", "fig", { thread: "talk" }));
    assert.deepEqual(
      (await second.get(OWN, ["b", "c", "e"])).map(({ place }) => place),
      [0, 1, 3],
    );
    assert.deepEqual(await byWords(second, "tree plum"), []);
  },

  "shows a second opener what was written and removed": async ({ memories, again }) => {
    const other = (await again()).memories;
    const first = await putAll(memories, memoryOf("a", "apple", { keys: ["k"], vectors: vectorsOf("e", [1, 0]) }));
    assert.equal((await other.find(OWN, ["k"])).version, first);
    assert.deepEqual(await byWords(other, "apple"), ["a"]);
    await mustWrite(other, { version: first, put: [memoryOf("b", "pear", { vectors: vectorsOf("e", [0, 1]) })] });
    assert.deepEqual(idsOf(await memories.search(OWN, nearTo("e", [0, 1]))), ["a", "b"]);
    await mustWrite(other, { remove: ["a"] });
    assert.deepEqual(await byWords(memories, "apple"), []);
    assert.deepEqual(idsOf(await memories.search(OWN, nearTo("e", [1, 0]))), ["b"]);
    assert.deepEqual((await memories.find(OWN, ["k"])).rows, []);
    await other.dropVectors("e");
    assert.deepEqual(await memories.search(OWN, nearTo("e", [1, 0])), []);
    await other.addVectors("f", [{ id: "b", body: '{"text":"pear"}', values: [Float32Array.of(1)] }]);
    assert.deepEqual(idsOf(await memories.search(OWN, nearTo("f", [1]))), ["b"]);
    assert.deepEqual(await listAll(memories), ["b"]);
  },

  "has taken text out of a session for good": async ({ store, memories, again }) => {
    const entries = entriesOf([user("my code is 1234"), user("more")]);
    const version = await mustCommit(store, "s", { entries, documents: new Map([["digest", "1234"]]) });
    await putAll(memories, memoryOf("a", "code 1234"));
    const messages = new Map([[0, '{"role":"user","content":"removed"}']]);
    const change = { version, time: TIME, documents: new Map([["digest", undefined]]) };
    await mustWrite(memories, { remove: ["a"], redact: [{ session: "s", messages, change }] });
    const now = await store.version("s");
    await store.close();
    const second = await again();
    const read = await mustRead(second.store, "s");
    assert.deepEqual([read.info.version, read.documents.size], [now, 0]);
    assert.ok(!JSON.stringify(read.entries).includes("1234"));
    await mustCommit(second.store, "s", { entries: entriesOf([user("next")], 2) });
  },

  "changes nothing when a change fails half-way": async ({ store, memories }) => {
    const version = await mustCommit(store, "s", { entries: entriesOf([user("1234")]) });
    const before = await putAll(memories, memoryOf("a", "apple"));
    const broken = {
      toJSON: () => {
        throw new Error("cannot be written");
      },
    };
    const change = { version, time: TIME, documents: new Map<string, unknown>([["broken", broken]]) };
    const messages = new Map([[0, '{"role":"user","content":"removed"}']]);
    const redact = [{ session: "s", messages, change }];
    const put = [memoryOf("b", "pear")];
    await assert.rejects(memories.write({ scope: OWN_KEY, version: undefined, put, remove: ["a"], redact }));
    assert.deepEqual(await listAll(memories), ["a"]);
    assert.deepEqual(await byWords(memories, "apple pear"), ["a"]);
    assert.equal((await memories.find(OWN, [])).version, before);
    const { info, entries } = await mustRead(store, "s");
    assert.deepEqual([info.version, entries[0]!.message.content], [version, "1234"]);
  },
};
