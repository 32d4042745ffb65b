import { strict as assert } from "node:assert";
import type { Memories, RowVectors } from "../store/memories/memories.js";
import {
  asking,
  hitOf,
  idsOf,
  type MemoriesActs,
  memoryOf,
  mustWrite,
  nearly,
  nearTo,
  OWN,
  putAll,
  vectorsOf,
} from "./memories-subject.js";
import { Random } from "./random.js";
import { TIME } from "./store-subject.js";

const rowVectors = (id: string, text: string, ...values: readonly (readonly number[])[]): RowVectors => ({
  id,
  body: JSON.stringify({ text }),
  values: values.map((numbers) => Float32Array.from(numbers)),
});

const counted = async (memories: Memories) => Object.fromEntries(await memories.embedders());

const DIMENSIONS = 24;

export const vectorChecks: MemoriesActs = {
  "says how near a row is, whatever the length of the vectors": async ({ memories }) => {
    await putAll(
      memories,
      memoryOf("same", "a", { vectors: vectorsOf("e", [10, 0]) }),
      memoryOf("half", "b", { vectors: vectorsOf("e", [0.1, 0.1]) }),
      memoryOf("other", "c", { vectors: vectorsOf("e", [0, 3]) }),
      memoryOf("against", "d", { vectors: vectorsOf("e", [-1, 0]) }),
    );
    const hits = await memories.search(OWN, nearTo("e", [5, 0]));
    for (const [id, cosine] of Object.entries({ same: 1, half: Math.SQRT1_2, other: 0, against: -1 }))
      nearly(hitOf(hits, id).cosines.e, cosine);
    assert.ok(hits.every(({ words }) => words === 0));
  },

  "scores a row by its nearest passage, and says which": async ({ memories }) => {
    const passages = [["one"], ["two"], ["three"]];
    const vectors = vectorsOf("e", [1, 0, 0], [0, 1, 0], [0, 0.9, 0.9]);
    await putAll(memories, memoryOf("a", "", { passages, vectors }));
    const [hit, ...more] = await memories.search(OWN, nearTo("e", [0, 0, 1]));
    assert.deepEqual([hit?.id, hit?.passage, more], ["a", 2, []]);
    nearly(hit?.cosines.e, Math.SQRT1_2);
  },

  "tells how near those are that were found by their words": async ({ memories }) => {
    const near = Array.from({ length: 30 }, (_, at) => memoryOf(`m${at}`, "pear", { vectors: vectorsOf("e", [1, 0]) }));
    await putAll(memories, ...near, memoryOf("far", "apple", { vectors: vectorsOf("e", [3, 4]) }));
    await putAll(memories, memoryOf("bare", "apple"));
    const hits = await memories.search(OWN, { ...nearTo("e", [1, 0], { limit: 5 }), terms: ["apple"] });
    assert.equal(hits.length, 7);
    nearly(hitOf(hits, "far").cosines.e, 0.6);
    assert.deepEqual(hitOf(hits, "bare").cosines, {});
  },

  "asks several embedders at once, and only those named": async ({ memories }) => {
    await putAll(memories, memoryOf("a", "apple", { vectors: vectorsOf("e", [1, 0]) }), memoryOf("b", "pear"));
    await memories.addVectors("f", [rowVectors("a", "apple", [0, 0, 1]), rowVectors("b", "pear", [0, 1, 0])]);
    const asked = [nearTo("e", [1, 1]), nearTo("f", [0, 0, 2])].flatMap(({ vectors }) => vectors);
    const hits = await memories.search(OWN, asking("", { vectors: asked }));
    assert.deepEqual(idsOf(hits), ["a", "b"]);
    const { e, f, ...rest } = hitOf(hits, "a").cosines;
    nearly(e, Math.SQRT1_2);
    nearly(f, 1);
    assert.deepEqual(rest, {});
    assert.deepEqual(Object.keys(hitOf(hits, "b").cosines), ["f"]);
    const one = await memories.search(OWN, nearTo("e", [1, 0]));
    assert.deepEqual(
      one.map(({ id, cosines }) => [id, Object.keys(cosines)]),
      [["a", ["e"]]],
    );
    assert.deepEqual(await memories.search(OWN, nearTo("unknown", [1, 0])), []);
  },

  "takes a vector of zeros for one that is near nothing": async ({ memories }) => {
    await putAll(memories, memoryOf("zero", "apple", { vectors: vectorsOf("e", [0, 0]) }));
    await putAll(memories, memoryOf("one", "apple", { vectors: vectorsOf("e", [0, 1]) }));
    const hits = await memories.search(OWN, { ...nearTo("e", [0, 1]), terms: ["apple"] });
    nearly(hitOf(hits, "one").cosines.e, 1);
    nearly(hitOf(hits, "zero").cosines.e ?? 0, 0);
    const none = await memories.search(OWN, { ...nearTo("e", [0, 0]), terms: ["apple"] });
    nearly(hitOf(none, "one").cosines.e ?? 0, 0);
  },

  "finds the same as looking at every vector": async ({ memories }) => {
    const random = new Random(11);
    const vector = () => Array.from({ length: DIMENSIONS }, () => random.next() - 0.5);
    const rows = Array.from({ length: 400 }, (_, at) => ({ id: `m${at}`, values: vector() }));
    await putAll(memories, ...rows.map(({ id, values }) => memoryOf(id, "", { vectors: vectorsOf("e", values) })));
    await mustWrite(memories, { remove: rows.slice(100, 150).map(({ id }) => id) });
    const left = [...rows.slice(0, 100), ...rows.slice(150)];
    for (let question = 0; question < 10; question++) {
      const asked = vector();
      const hits = await memories.search(OWN, nearTo("e", asked, { limit: 10 }));
      const cosines = new Map(left.map(({ id, values }) => [id, cosine(values, asked)]));
      for (const { id, cosines: found } of hits) nearly(found.e, cosines.get(id) ?? Number.NaN);
      const tenth = [...cosines.values()].sort((one, other) => other - one)[9]!;
      const missed = left.filter(({ id }) => cosines.get(id)! > tenth + 0.01 && !hits.some((hit) => hit.id === id));
      assert.deepEqual([hits.length, missed.length], [10, 0]);
    }
  },

  "counts rows by embedder, and those without any": async ({ memories }) => {
    await putAll(memories, memoryOf("a", "a", { vectors: vectorsOf("e", [1, 0]) }), memoryOf("b", "b"));
    await putAll(memories, memoryOf("c", "c", { passages: [["x"], ["y"]], vectors: vectorsOf("f", [1], [1]) }));
    assert.deepEqual(await counted(memories), { "": 1, e: 1, f: 1 });
    await memories.addVectors("f", [rowVectors("a", "a", [1]), rowVectors("b", "b", [1])]);
    assert.deepEqual(await counted(memories), { e: 1, f: 3 });
    await memories.dropVectors("f");
    assert.deepEqual(await counted(memories), { "": 2, e: 1 });
    await mustWrite(memories, { remove: ["a", "b", "c"] });
    assert.deepEqual(await counted(memories), {});
  },

  "walks through the rows without an embedder's vectors, and is done with them": async ({ memories }) => {
    const names = Array.from({ length: 25 }, (_, at) => `m${String(at).padStart(2, "0")}`);
    await putAll(memories, ...names.toReversed().map((id) => memoryOf(id, id)));
    await putAll(memories, memoryOf("m07", "m07", { vectors: vectorsOf("e", [1, 0]) }));
    await putAll(memories, memoryOf("m08", "m08", { passages: [] }));
    const seen: string[] = [];
    for (let after: string | undefined; ; ) {
      const rows = await memories.without("e", { limit: 4, ...(after !== undefined && { after }) });
      if (rows.length === 0) break;
      seen.push(...rows.map(({ id }) => id));
      after = rows.at(-1)!.id;
      await memories.addVectors(
        "e",
        rows.map(({ id }) => (id === "m08" ? rowVectors(id, id) : rowVectors(id, id, [0, 1]))),
      );
    }
    assert.deepEqual(
      seen,
      names.filter((id) => id !== "m07"),
    );
    assert.deepEqual(await memories.without("e", { limit: 100 }), []);
    assert.equal((await memories.without("f", { limit: 100 })).length, 25);
  },

  "adds no vectors to a row that has changed since, or is gone": async ({ memories }) => {
    await putAll(memories, memoryOf("a", "old"), memoryOf("b", "b"), memoryOf("c", "c"));
    await mustWrite(memories, { amend: [{ id: "a", until: TIME, keys: [], body: '{"text":"new"}' }], remove: ["b"] });
    await memories.addVectors("e", [
      rowVectors("a", "old", [1, 0]),
      rowVectors("b", "b", [1, 0]),
      rowVectors("c", "c", [1, 0]),
    ]);
    assert.deepEqual(await counted(memories), { "": 1, e: 1 });
    assert.deepEqual(idsOf(await memories.search(OWN, nearTo("e", [1, 0]))), ["c"]);
    assert.deepEqual(idsOf(await memories.without("e", { limit: 10 })), ["a"]);
    await memories.addVectors("e", [rowVectors("a", "new", [0, 1])]);
    assert.deepEqual(idsOf(await memories.search(OWN, nearTo("e", [0, 1]))), ["a", "c"]);
  },

  "puts new vectors in the place of those there": async ({ memories }) => {
    await putAll(memories, memoryOf("a", "a", { vectors: vectorsOf("e", [1, 0]) }));
    await memories.addVectors("e", [rowVectors("a", "a", [0, 1])]);
    const [hit] = await memories.search(OWN, nearTo("e", [0, 1]));
    nearly(hit?.cosines.e, 1);
    assert.deepEqual(await counted(memories), { e: 1 });
  },

  "forgets an embedder with its vectors, and takes another size of it afterwards": async ({ memories }) => {
    await putAll(memories, memoryOf("a", "apple", { vectors: vectorsOf("e", [1, 0]) }));
    await memories.addVectors("f", [rowVectors("a", "apple", [1, 0])]);
    await memories.dropVectors("e");
    await memories.dropVectors("never there");
    assert.deepEqual(await memories.search(OWN, nearTo("e", [1, 0])), []);
    assert.deepEqual(idsOf(await memories.search(OWN, nearTo("f", [1, 0]))), ["a"]);
    await memories.addVectors("e", [rowVectors("a", "apple", [0, 0, 1])]);
    const [hit] = await memories.search(OWN, nearTo("e", [0, 0, 1]));
    nearly(hit?.cosines.e, 1);
  },
};

function cosine(left: readonly number[], right: readonly number[]): number {
  const product = (one: readonly number[], other: readonly number[]) =>
    one.reduce((sum, value, at) => sum + value * other[at]!, 0);
  return product(left, right) / Math.sqrt(product(left, left) * product(right, right));
}
