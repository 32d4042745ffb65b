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
  nearTo,
  OWN,
  OWN_KEY,
  putAll,
  vectorsOf,
} from "./memories-subject.js";
import { Random } from "./random.js";

const NONE = { passages: 0, vectors: 0, keys: 0 };

/** Every way of asking for a row of the key "k", the thread "talk" and the word "apple". */
async function traces(memories: Memories, id: string): Promise<string[]> {
  const places = Array.from({ length: 10 }, (_, place) => ({ scope: OWN_KEY, thread: "talk", place }));
  const found = [
    ["list", await listAll(memories)],
    ["get", idsOf(await memories.get(OWN, [id]))],
    ["find", idsOf((await memories.find(OWN, ["k", "own"])).rows)],
    ["at", idsOf(await memories.at(places))],
    ["words", await byWords(memories, "apple")],
    ["vectors", idsOf(await memories.search(OWN, nearTo("e", [1, 0])))],
    ["other vectors", idsOf(await memories.search(OWN, nearTo("f", [1, 0])))],
    ["both", idsOf(await memories.search(OWN, { ...nearTo("e", [1, 0]), terms: ["apple"] }))],
    ["without", idsOf(await memories.without("g", { limit: 100 }))],
  ] as const;
  return found.filter(([, ids]) => ids.includes(id)).map(([way]) => way);
}

const WAYS = ["list", "get", "find", "at", "words", "vectors", "other vectors", "both", "without"];

export const removalChecks: MemoriesActs = {
  "removes a row from every way of asking, and no other": async ({ memories }) => {
    const given = { thread: "talk", keys: ["k"], vectors: vectorsOf("e", [1, 0], [1, 0]) };
    const passages = [["apple", "tree"], ["apple"]];
    for (const id of ["a", "b"]) await putAll(memories, memoryOf(id, id, { ...given, passages }));
    const values = [Float32Array.of(1, 0), Float32Array.of(0, 1)];
    await memories.addVectors(
      "f",
      ["a", "b"].map((id) => ({ id, body: JSON.stringify({ text: id }), values })),
    );
    assert.deepEqual(await traces(memories, "a"), WAYS);
    await mustWrite(memories, { remove: ["a", "none"] });
    assert.deepEqual(await traces(memories, "a"), []);
    assert.deepEqual(await traces(memories, "b"), WAYS);
    assert.deepEqual(Object.fromEntries(await memories.embedders()), { e: 1, f: 1 });
    assert.deepEqual(await memories.orphans(), NONE);
  },

  "adds, closes and removes in one change": async ({ memories }) => {
    await putAll(memories, memoryOf("a", "apple", { keys: ["own"] }), memoryOf("b", "pear"), memoryOf("c", "plum"));
    const amend = [{ id: "b", until: 7, keys: ["own"], body: "{}" }];
    await mustWrite(memories, { put: [memoryOf("d", "fig", { keys: ["own"] })], amend, remove: ["a", "c"] });
    assert.deepEqual(await listAll(memories), ["b", "d"]);
    assert.deepEqual(idsOf((await memories.find(OWN, ["own"])).rows), ["b", "d"]);
    assert.deepEqual(await byWords(memories, "apple plum"), []);
  },

  "makes a row anew under the id of one that was removed, with nothing of it": async ({ memories }) => {
    const given = { keys: ["k"], thread: "talk", vectors: vectorsOf("e", [1, 0]) };
    await putAll(memories, memoryOf("a", "apple", given));
    await mustWrite(memories, { remove: ["a"] });
    await putAll(memories, memoryOf("z", "z"), memoryOf("a", "pear"));
    assert.deepEqual(await traces(memories, "a"), ["list", "get", "without"]);
    assert.deepEqual(await listAll(memories), ["z", "a"]);
    assert.deepEqual(await byWords(memories, "pear"), ["a"]);
  },

  "leaves nothing behind after many changes": async ({ memories }) => {
    const random = new Random(3);
    const kept = new Map<string, string>();
    for (let round = 0; round < 25; round++) {
      const ids = new Set(Array.from({ length: 6 }, () => `m${random.below(40)}`));
      const put = [...ids].map((id) => memoryOf(id, `w${random.below(12)} w${random.below(12)}`, someOf(random)));
      const remove = [...kept.keys()].filter((id) => !ids.has(id) && random.chance(0.2));
      await mustWrite(memories, { put, remove });
      for (const id of remove) kept.delete(id);
      for (const { id, passages } of put) kept.set(id, passages.flat().join(" "));
    }
    assert.deepEqual((await listAll(memories)).sort(), [...kept.keys()].sort());
    for (let word = 0; word < 12; word++) {
      const holding = [...kept].filter(([, text]) => text.split(" ").includes(`w${word}`));
      assert.deepEqual(idsOf(await memories.search(OWN, asking(`w${word}`))), holding.map(([id]) => id).sort());
    }
    assert.deepEqual(await memories.orphans(), NONE);
    await mustWrite(memories, { remove: [...kept.keys()] });
    assert.deepEqual(await memories.orphans({ remove: true }), NONE);
    assert.deepEqual(await listAll(memories, {}), []);
  },
};

const someOf = (random: Random) => ({
  keys: random.chance(0.5) ? [`k${random.below(5)}`] : [],
  vectors: random.chance(0.5) ? vectorsOf("e", [random.next(), 1]) : undefined,
});
