import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import fc from "fast-check";
import { afterEach, describe, expect, test, vi } from "vitest";
import { runs } from "../../../test/support/runs.js";
import { VectorTable } from "./vector-table.js";
import { sampleVectors } from "./vectors.test-helpers.js";

afterEach(() => vi.unstubAllGlobals());

function plainTable(dimensions: number): VectorTable {
  vi.stubGlobal("WebAssembly", undefined);
  const table = new VectorTable(dimensions);
  vi.unstubAllGlobals();
  return table;
}

/** The nearest of some vectors in a table, of which every third has group 1. */
function search(
  table: VectorTable,
  vectors: readonly Float32Array[],
  options: { limit: number; within?: readonly number[] },
) {
  for (const [at, vector] of vectors.entries()) table.set(at, vector, at % 3 === 0 ? 1 : 0);
  return table.nearest(vectors[0]!, options);
}

describe("the scans with and without SIMD", () => {
  test("find the same rows with the same scores to the last bit", () => {
    const within = fc.constantFrom([0], [1], [0, 1]);
    const sizes = fc.tuple(fc.integer({ min: 1, max: 70 }), fc.integer({ min: 1, max: 40 }));
    fc.assert(
      fc.property(sizes, fc.nat(), within, ([dimensions, count], seed, groups) => {
        const vectors = sampleVectors(count, dimensions, seed);
        const options = { limit: 20, within: groups };
        const found = search(new VectorTable(dimensions), vectors, options);
        expect(search(plainTable(dimensions), vectors, options)).toEqual(found);
      }),
      { numRuns: runs(60) },
    );
  });

  test("agree over many blocks", () => {
    const vectors = sampleVectors(5_000, 20);
    const found = search(new VectorTable(20), vectors, { limit: 300 });
    expect(search(plainTable(20), vectors, { limit: 300 })).toEqual(found);
  });

  test("do not overflow where all numbers are as large as can be", () => {
    for (const dimensions of [512, 4_096, 65_536]) {
      const up = new Float32Array(dimensions).fill(3);
      const down = up.map((each) => -each);
      for (const table of [new VectorTable(dimensions), plainTable(dimensions)]) {
        table.set(1, down);
        table.set(2, up);
        expect(table.nearest(up, { limit: 2 })).toEqual([
          { key: 2, score: expect.closeTo(1, 4) },
          { key: 1, score: expect.closeTo(-1, 4) },
        ]);
      }
    }
  });

  test("are chosen by what there is", () => {
    expect(new VectorTable(3).simd).toBe(true);
    expect(plainTable(3).simd).toBe(false);
    const real = Reflect.get(globalThis, "WebAssembly") as object;
    const failing = class {
      constructor() {
        throw new RangeError("could not allocate memory");
      }
    };
    vi.stubGlobal("WebAssembly", Object.create(real, { Memory: { value: failing } }));
    expect(new VectorTable(3).simd).toBe(false);
  });
});

test("the compiled scan is what its source compiles to", async () => {
  const script = fileURLToPath(new URL("../../../scripts/simd/build.mjs", import.meta.url));
  await promisify(execFile)(process.execPath, [script, "--check"]);
});
