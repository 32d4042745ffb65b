import { describe, expect, test } from "vitest";
import { rescore } from "./rescore.js";

describe("rescore", () => {
  test("orders by the exact cosine, whatever the vectors' lengths", () => {
    const candidates = [
      { key: 1, vector: Float32Array.of(0, 9) },
      { key: 2, vector: Float32Array.of(30, 40) },
      { key: 3, vector: Float32Array.of(-1, 0) },
      { key: 4, vector: Float32Array.of(0.004, 0.003) },
    ];
    expect(rescore(Float32Array.of(2, 0), candidates)).toEqual([
      { key: 4, score: expect.closeTo(0.8, 6) },
      { key: 2, score: expect.closeTo(0.6, 6) },
      { key: 1, score: 0 },
      { key: 3, score: -1 },
    ]);
  });

  test("orders equal scores by key, those without a direction too", () => {
    const candidates = [9, 3, 5].map((key) => ({ key, vector: new Float32Array(2) }));
    expect(rescore(Float32Array.of(1, 0), candidates)).toEqual([3, 5, 9].map((key) => ({ key, score: 0 })));
  });

  test("refuses a vector of other dimensions", () => {
    const candidates = [{ key: 1, vector: Float32Array.of(1) }];
    expect(() => rescore(Float32Array.of(1, 0), candidates)).toThrow("1 numbers in the vector where 2 are wanted");
  });
});
