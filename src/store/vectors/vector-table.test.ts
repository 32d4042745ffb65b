import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { runs } from "../../../test/support/runs.js";
import { byScore } from "./best-matches.js";
import { quantise } from "./quantise.js";
import { rescore } from "./rescore.js";
import { VectorTable } from "./vector-table.js";
import { keysOf, sampleNumbers, sampleVector, sampleVectors } from "./vectors.test-helpers.js";

function tableOf(vectors: readonly Float32Array[]): VectorTable {
  const table = new VectorTable(vectors[0]!.length);
  for (const [key, vector] of vectors.entries()) table.set(key, vector);
  return table;
}

const exact = (vectors: Iterable<readonly [number, Float32Array]>, query: Float32Array) =>
  rescore(
    query,
    Array.from(vectors, ([key, vector]) => ({ key, vector })),
  );

/** Vectors around few centres, and so near to each other that quantisation mixes them up. */
function clusteredVectors(count: number, dimensions: number): Float32Array[] {
  const centres = sampleVectors(20, dimensions, 7);
  const next = sampleNumbers(8);
  return Array.from({ length: count }, (_, at) => centres[at % 20]!.map((each) => each + 0.3 * next()));
}

describe("the nearest rows", () => {
  test.each([
    ["random vectors", sampleVectors(3_000, 256)],
    ["clustered vectors", clusteredVectors(3_000, 256)],
  ])("hold the ten nearest of %s among four times as many", (_, vectors) => {
    const table = tableOf(vectors);
    const next = sampleNumbers(3);
    let found = 0;
    for (let query = 0; query < 40; query++) {
      const asked = vectors[query * 50]!.map((each) => each + next());
      const candidates = table.nearest(asked, { limit: 40 }).map(({ key }) => ({ key, vector: vectors[key]! }));
      const wanted = new Set(keysOf(exact(vectors.entries(), asked)).slice(0, 10));
      found += keysOf(rescore(asked, candidates))
        .slice(0, 10)
        .filter((key) => wanted.has(key)).length;
    }
    expect(found / 400).toBeGreaterThanOrEqual(0.99);
  });

  test.each([1, 7, 256, 384])("are scored with about their cosine in %i dimensions", (dimensions) => {
    const vectors = sampleVectors(50, dimensions, dimensions);
    const query = sampleVector(dimensions, sampleNumbers(99));
    const scores = new Map(exact(vectors.entries(), query).map(({ key, score }) => [key, score]));
    const matches = tableOf(vectors).nearest(query, { limit: 50 });
    expect(matches).toEqual(matches.toSorted(byScore));
    expect(new Set(keysOf(matches)).size).toBe(50);
    for (const { key, score } of matches) expect(Math.abs(score - scores.get(key)!)).toBeLessThan(0.005);
  });

  test("come by key where scores are equal, over many blocks", () => {
    const table = new VectorTable(3);
    for (let at = 0; at < 5_000; at++) {
      const key = (at * 4_283) % 5_000;
      table.set(key, Float32Array.of(1, 2, key % 2));
    }
    const even = Array.from({ length: 2_500 }, (_, at) => 2 * at);
    expect(keysOf(table.nearest(Float32Array.of(1, 2, 0), { limit: 2_502 }))).toEqual([...even, 1, 3]);
    expect(keysOf(table.nearest(Float32Array.of(1, 2, 0), { limit: 3 }))).toEqual([0, 2, 4]);
  });

  test("are none in an empty table and all in one below the limit", () => {
    const table = new VectorTable(2);
    expect(table.nearest(Float32Array.of(1, 0), { limit: 5 })).toEqual([]);
    table.set(4, Float32Array.of(2, 0));
    expect(table.nearest(Float32Array.of(1, 0), { limit: 5 })).toEqual([{ key: 4, score: expect.closeTo(1, 6) }]);
    table.delete(4);
    expect(table.nearest(Float32Array.of(1, 0), { limit: 5 })).toEqual([]);
  });

  test("score 0 where a vector or the query has no direction", () => {
    const table = tableOf([Float32Array.of(-1, 0), new Float32Array(2), Float32Array.of(1, 0)]);
    expect(keysOf(table.nearest(Float32Array.of(1, 0), { limit: 3 }))).toEqual([2, 1, 0]);
    expect(table.nearest(new Float32Array(2), { limit: 2 })).toEqual([
      { key: 0, score: 0 },
      { key: 1, score: 0 },
    ]);
  });

  test("are those of the groups that are asked for", () => {
    const vectors = sampleVectors(3_000, 5);
    const table = new VectorTable(5);
    for (const [key, vector] of vectors.entries()) table.set(key, vector, key % 7);
    const groups = fc.uniqueArray(fc.integer({ min: -1, max: 9 }));
    fc.assert(
      fc.property(groups, fc.integer({ min: 1, max: 50 }), (within, limit) => {
        const all = table.nearest(vectors[0]!, { limit: 3_000 });
        const expected = all.filter(({ key }) => within.includes(key % 7)).slice(0, limit);
        expect(table.nearest(vectors[0]!, { limit, within })).toEqual(expected);
      }),
      { numRuns: runs(40) },
    );
  });
});

describe("a table", () => {
  const change = fc.record({
    key: fc.integer({ min: 0, max: 30 }),
    numbers: fc.array(fc.integer({ min: -9, max: 9 }), { minLength: 17, maxLength: 17 }),
    kept: fc.boolean(),
  });

  test("holds what was set last and not deleted, after any changes", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(1, 7, 16, 17),
        fc.array(change, { maxLength: 80, size: "max" }),
        (dimensions, changes) => {
          const table = new VectorTable(dimensions);
          const expected = new Map<number, Float32Array>();
          for (const { key, numbers, kept } of changes) {
            const vector = Float32Array.from(numbers.slice(0, dimensions));
            if (kept) table.set(key, vector);
            else expect(table.delete(key)).toBe(expected.has(key));
            if (kept) expected.set(key, vector);
            else expected.delete(key);
          }
          const query = new Float32Array(dimensions).fill(1);
          const scores = new Map(exact(expected, query).map(({ key, score }) => [key, score]));
          const matches = table.nearest(query, { limit: 100 });
          expect(table.size).toBe(expected.size);
          expect(keysOf(matches).toSorted()).toEqual([...expected.keys()].toSorted());
          for (const { key, score } of matches) expect(Math.abs(score - scores.get(key)!)).toBeLessThan(0.02);
        },
      ),
    );
  });

  test("takes no more memory for rows that come and go, and gives it back when few are left", () => {
    const vectors = sampleVectors(6_000, 2);
    const table = tableOf(vectors);
    const full = table.bytes;
    for (let round = 0; round < 3; round++) {
      for (let key = 0; key < 6_000; key += 2) table.delete(key);
      for (let key = 0; key < 6_000; key += 2) table.set(key, vectors[key]!);
    }
    expect(table.bytes).toBe(full);
    for (let key = 10; key < 6_000; key++) table.delete(key);
    expect(table.bytes).toBeLessThan(full / 3);
    const left = tableOf(vectors.slice(0, 10));
    expect(table.nearest(vectors[0]!, { limit: 99 })).toEqual(left.nearest(vectors[0]!, { limit: 99 }));
  });

  test("is the same by rows and at once", () => {
    const quantised = sampleVectors(2_500, 7).map(quantise);
    const one = new VectorTable(7);
    const other = new VectorTable(7);
    for (const [key, vector] of quantised.entries()) one.set(key, vector, key % 2);
    other.set(3, Float32Array.of(1, 2, 3, 4, 5, 6, 7));
    other.load({
      keys: quantised.keys().toArray(),
      groups: quantised.map((_, key) => key % 2),
      codes: Int8Array.from(quantised.flatMap(({ codes }) => [...codes])),
      scales: quantised.map(({ scale }) => scale),
    });
    const query = Float32Array.of(1, -1, 1, -1, 1, -1, 1);
    expect(other.size).toBe(2_500);
    expect(other.nearest(query, { limit: 50, within: [1] })).toEqual(one.nearest(query, { limit: 50, within: [1] }));
    expect([other.has(3), other.has(2_500)]).toEqual([true, false]);
  });

  const two = Float32Array.of(1, 1);
  test.each<[string, (table: VectorTable) => unknown]>([
    ["a vector of other dimensions", (table) => table.set(1, Float32Array.of(1))],
    ["codes of other dimensions", (table) => table.set(1, { codes: Int8Array.of(1, 2, 3), scale: 1 })],
    ["a query of other dimensions", (table) => table.nearest(Float32Array.of(1), { limit: 1 })],
    ["a query that is not finite", (table) => table.nearest(Float32Array.of(1, Number.NaN), { limit: 1 })],
    ["a limit of 0", (table) => table.nearest(two, { limit: 0 })],
    ["half a key", (table) => table.set(0.5, two)],
    ["a group below 0", (table) => table.set(1, two, -1)],
    ["too few codes", (table) => table.load({ keys: [1, 2], codes: Int8Array.of(1, 2), scales: [1, 1] })],
    ["too few scales", (table) => table.load({ keys: [1], codes: Int8Array.of(1, 2), scales: [] })],
    ["too few groups", (table) => table.load({ keys: [1], codes: Int8Array.of(1, 2), scales: [1], groups: [] })],
  ])("refuses %s", (_, action) => {
    const table = new VectorTable(2);
    expect(() => action(table)).toThrow(expect.objectContaining({ code: "invalid-option" }));
    expect(table.size).toBe(0);
  });

  test.each([0, 1.5, 100_000])("refuses %d dimensions", (dimensions) => {
    expect(() => new VectorTable(dimensions)).toThrow(expect.objectContaining({ code: "invalid-option" }));
  });
});
