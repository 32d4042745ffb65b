import type { VectorMatch } from "./best-matches.js";

/** Numbers from -1 to 1 that are the same in every run. */
export function sampleNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 31 - 1;
  };
}

export const sampleVector = (dimensions: number, next: () => number): Float32Array =>
  Float32Array.from({ length: dimensions }, next);

export const sampleVectors = (count: number, dimensions: number, seed = 1): Float32Array[] => {
  const next = sampleNumbers(seed);
  return Array.from({ length: count }, () => sampleVector(dimensions, next));
};

export const keysOf = (matches: readonly VectorMatch[]): number[] => matches.map(({ key }) => key);
