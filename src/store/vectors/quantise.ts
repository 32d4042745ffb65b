import { invalidOption } from "../../errors.js";
import { checkVector } from "./check-length.js";

/** A vector's direction in one byte a number: `codes` times `scale` is about the vector at length 1. */
export interface QuantisedVector {
  readonly codes: Int8Array;
  readonly scale: number;
}

const LARGEST_CODE = 127;

/**
 * A vector in a quarter of its bytes. Its length is left out, as only directions are compared; a vector of zeros has
 * none, and scale 0.
 *
 * @example
 * ```ts
 * const { codes, scale } = quantise(Float32Array.of(3, -4));
 * codes[1]! * scale; // about -0.8
 * ```
 */
export function quantise(vector: Float32Array): QuantisedVector {
  checkVector("vector", vector);
  const codes = new Int8Array(vector.length);
  return { codes, scale: writeCodes(vector, codes, LARGEST_CODE) };
}

/** Writes a query's codes, as fine as sums of products with a row's codes allow in 32 bits. Returns their scale. */
export function writeQuery(query: Float32Array, codes: Int16Array): number {
  const room = Math.floor((2 ** 31 - 1) / ((LARGEST_CODE + 1) * query.length));
  return writeCodes(query, codes, Math.min(2 ** 15 - 1, room));
}

function writeCodes(vector: Float32Array, codes: Int8Array | Int16Array, largestCode: number): number {
  const largest = largestOf(vector);
  const factor = largest === 0 ? 0 : largestCode / largest;
  let square = 0;
  for (let at = 0; at < vector.length; at++) {
    const code = Math.round(vector[at]! * factor);
    codes[at] = code;
    square += code * code;
  }
  return square === 0 ? 0 : Math.fround(1 / Math.sqrt(square));
}

function largestOf(vector: Float32Array): number {
  let largest = 0;
  for (let at = 0; at < vector.length; at++) largest = Math.max(largest, Math.abs(vector[at]!));
  if (Number.isFinite(largest)) return largest;
  throw invalidOption({ option: "vector", value: largest, allowed: "finite numbers" });
}
