import { invalidOption } from "../../errors.js";
import { byScore, type VectorMatch } from "./best-matches.js";
import { checkLength, checkVector } from "./check-length.js";

/** A row with all of its vector, as its store keeps it. */
export interface ExactVector {
  readonly key: number;
  readonly vector: Float32Array;
}

/**
 * The exact cosines of what {@link VectorTable.nearest} found, from the best on. Ask it for four times as many rows as
 * are wanted, and keep the first of what comes out here.
 *
 * @example
 * ```ts
 * const query = Float32Array.of(1, 0);
 * rescore(query, [{ key: 1, vector: Float32Array.of(0, 1) }, { key: 2, vector: Float32Array.of(1, 1) }]);
 * // [{ key: 2, score: 0.707… }, { key: 1, score: 0 }]
 * ```
 */
export function rescore(query: Float32Array, candidates: Iterable<ExactVector>): VectorMatch[] {
  checkVector("query", query);
  if (!isIterable(candidates))
    throw invalidOption({ option: "candidates", value: candidates, allowed: "a list of { key, vector }" });
  const length = lengthOf(query);
  return Array.from(candidates, (candidate) => {
    checkVector("candidates", candidate?.vector);
    const { key, vector } = candidate;
    checkLength("vector", vector, query.length);
    const lengths = length * lengthOf(vector);
    return { key, score: lengths === 0 ? 0 : product(query, vector) / lengths };
  }).sort(byScore);
}

const isIterable = (value: unknown): boolean => typeof value === "object" && value !== null && Symbol.iterator in value;

const lengthOf = (vector: Float32Array): number => Math.sqrt(product(vector, vector));

function product(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < a.length; at++) sum += a[at]! * b[at]!;
  return sum;
}
