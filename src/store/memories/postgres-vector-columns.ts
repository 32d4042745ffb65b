import { quantise } from "../../store/vectors/quantise.js";
import { asUnit } from "./passage-vectors.js";

/** A vector of one of a statement's rows. */
export interface PlacedVector {
  /** Counted from 1. */
  readonly row: number;
  /** Of the passage. */
  readonly index: number;
  readonly vector: Float32Array;
}

/** What is kept of vectors, column by column: rows, indexes, the numbers as text, the codes, and their scales. */
export function vectorColumns(placed: readonly PlacedVector[]): unknown[][] {
  const units = placed.map(({ vector }) => asUnit(vector));
  const quantised = units.map(quantise);
  return [
    placed.map(({ row }) => row),
    placed.map(({ index }) => index),
    units.map((unit) => `{${numbersOf(unit)}}`),
    quantised.map(({ codes }) => Buffer.from(codes.buffer, codes.byteOffset, codes.byteLength)),
    quantised.map(({ scale }) => scale),
  ];
}

/** Enough digits for every number of 32 bits to come back as it was. */
const DIGITS = 9;

/** The numbers of a vector as PostgreSQL reads them. */
export const numbersOf = (vector: Float32Array): string =>
  Array.from(vector, (value) => value.toPrecision(DIGITS)).join();
