import { invalidOption } from "../../errors.js";
import { BestMatches, type VectorMatch } from "./best-matches.js";
import { checkLength } from "./check-length.js";
import { KeyIndex } from "./key-index.js";
import { type QuantisedVector, quantise, writeQuery } from "./quantise.js";
import { scanLayout } from "./scan-layout.js";
import { scanRows } from "./scan-rows.js";
import { type VectorRow, VectorRows } from "./vector-rows.js";

export interface NearestOptions {
  /** How many rows at most. */
  readonly limit: number;
  /** The groups to look in; all of them if left out. */
  readonly within?: Iterable<number>;
}

/** Many rows at once, quantised: the first row's codes are the first `dimensions` of all codes. */
export interface QuantisedRows {
  readonly keys: ArrayLike<number>;
  readonly codes: Int8Array;
  readonly scales: ArrayLike<number>;
  /** Group 0 if left out. */
  readonly groups?: ArrayLike<number>;
}

const MOST_DIMENSIONS = 65_536;
/** A search has a byte for each group. */
const TOP_GROUP = 2 ** 24 - 1;

/**
 * Vectors in one byte a number, and the rows nearest to a query, found by looking at every row: tens of milliseconds for a
 * million rows of 256 dimensions. Scores are about the cosine, so take more rows than are wanted and put them in order
 * with {@link rescore}. Each row has a group, a small number such as that of its scope.
 *
 * @example
 * ```ts
 * const table = new VectorTable(2);
 * table.set(1, Float32Array.of(1, 0));
 * table.set(2, Float32Array.of(0.6, 0.8), 7);
 * table.nearest(Float32Array.of(1, 0.1), { limit: 1 }); // [{ key: 1, score: 0.995… }]
 * table.nearest(Float32Array.of(1, 0.1), { limit: 1, within: [7] }); // [{ key: 2, score: 0.676… }]
 * ```
 */
export class VectorTable {
  readonly dimensions: number;
  readonly #rows: VectorRows;
  readonly #slots = new KeyIndex((slot) => this.#rows.keys[slot]!);

  constructor(dimensions: number) {
    checkWhole("dimensions", dimensions, [1, MOST_DIMENSIONS]);
    this.dimensions = dimensions;
    this.#rows = new VectorRows(scanLayout(dimensions));
  }

  /** Number of rows. */
  get size(): number {
    return this.#rows.size;
  }

  /** Bytes of the rows and of the room kept for more. */
  get bytes(): number {
    return this.#rows.bytes + this.#slots.bytes;
  }

  /** False where the scan is a plain loop, as there is no WebAssembly. */
  get simd(): boolean {
    return this.#rows.kernel.simd;
  }

  has(key: number): boolean {
    return this.#slots.get(key) !== undefined;
  }

  /** Adds a row, or replaces the one with this key. */
  set(key: number, vector: Float32Array | QuantisedVector, group = 0): void {
    const { codes, scale } = "codes" in vector ? vector : quantise(vector);
    checkLength("vector", codes, this.dimensions);
    this.#rows.reserve(this.size + 1);
    this.#put({ key, group, codes, scale });
  }

  /** Adds or replaces many rows; the quick way to fill a table from a store. */
  load({ keys, codes, scales, groups }: QuantisedRows): void {
    checkLength("codes", codes, keys.length * this.dimensions);
    checkLength("scales", scales, keys.length);
    if (groups) checkLength("groups", groups, keys.length);
    this.#rows.reserve(this.size + keys.length);
    for (let at = 0; at < keys.length; at++) {
      const row = codes.subarray(at * this.dimensions, (at + 1) * this.dimensions);
      this.#put({ key: keys[at]!, group: groups?.[at] ?? 0, codes: row, scale: scales[at]! });
    }
  }

  /** Whether there was such a row. */
  delete(key: number): boolean {
    const slot = this.#slots.get(key);
    if (slot === undefined) return false;
    const last = this.size - 1;
    this.#slots.delete(key);
    if (slot !== last) this.#slots.set(this.#rows.keys[last]!, slot);
    this.#rows.remove(slot);
    return true;
  }

  /** The rows whose direction is nearest to the query's, from the best on; equal scores by key. */
  nearest(query: Float32Array, { limit, within }: NearestOptions): VectorMatch[] {
    checkLength("query", query, this.dimensions);
    checkWhole("limit", limit, [1, Number.MAX_SAFE_INTEGER]);
    const scale = writeQuery(query, this.#rows.kernel.views.query);
    const best = new BestMatches(limit);
    scanRows(this.#rows, best, within && this.#allowed(within));
    return best.toArray().map(({ key, score }) => ({ key, score: score * scale }));
  }

  #put(row: VectorRow): void {
    checkWhole("key", row.key, [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER]);
    checkWhole("group", row.group, [0, TOP_GROUP]);
    const slot = this.#slots.get(row.key) ?? this.size;
    this.#rows.write(slot, row);
    this.#slots.set(row.key, slot);
  }

  #allowed(groups: Iterable<number>): Uint8Array {
    const allowed = new Uint8Array(this.#rows.topGroup + 1);
    for (const group of groups) if (group < allowed.length) allowed[group] = 1;
    return allowed;
  }
}

function checkWhole(option: string, value: number, [least, most]: readonly [number, number]): void {
  if (Number.isSafeInteger(value) && value >= least && value <= most) return;
  throw invalidOption({ option, value, allowed: `a whole number from ${least} to ${most}` });
}
