import { VectorTable } from "../vectors/vector-table.js";

/**
 * Vectors of one embedder by the numbers of their passages, made as long as 1; beside them a table in which those near
 * to a query are found quickly, by shelf, but only about in order.
 */
export class PassageVectors {
  readonly dimensions: number;
  readonly #blocks: Block[] = [];
  readonly #table: VectorTable;

  constructor(dimensions: number) {
    this.dimensions = dimensions;
    this.#table = new VectorTable(dimensions);
  }

  set(passage: number, vector: Float32Array, shelf: number): void {
    const block = this.#blockOf(passage);
    block.values.set(asUnit(vector), (passage % BLOCK) * this.dimensions);
    block.has[passage % BLOCK] = 1;
    this.#table.set(passage, vector, shelf);
  }

  /** About the nearest passages of some shelves, as many as there are up to a limit. */
  nearest(query: Float32Array, limit: number, shelves: Iterable<number>): number[] {
    return this.#table.nearest(query, { limit, within: shelves }).map(({ key }) => key);
  }

  delete(passage: number): void {
    const block = this.#blocks[Math.floor(passage / BLOCK)];
    if (block === undefined) return;
    const at = passage % BLOCK;
    this.#table.delete(passage);
    block.has[at] = 0;
    block.values.fill(0, at * this.dimensions, (at + 1) * this.dimensions);
  }

  get(passage: number): Float32Array | undefined {
    const block = this.#blocks[Math.floor(passage / BLOCK)];
    const at = passage % BLOCK;
    if (block?.has[at] !== 1) return undefined;
    return block.values.subarray(at * this.dimensions, (at + 1) * this.dimensions);
  }

  /** The cosine of a passage with a vector as long as 1; undefined where the passage has no vector. */
  cosine(passage: number, query: Float32Array): number | undefined {
    const block = this.#blocks[Math.floor(passage / BLOCK)];
    if (block?.has[passage % BLOCK] !== 1) return undefined;
    return product(block.values, (passage % BLOCK) * this.dimensions, query);
  }

  #blockOf(passage: number): Block {
    const number = Math.floor(passage / BLOCK);
    const block = this.#blocks[number] ?? newBlock(this.dimensions);
    this.#blocks[number] = block;
    return block;
  }
}

/** Sums of their own, as one addition need not wait for the one before then. */
function product(values: Float32Array, start: number, query: Float32Array): number {
  const whole = query.length - (query.length % 4);
  let [first, second, third, fourth] = [0, 0, 0, 0];
  for (let at = 0, from = start; at < whole; at += 4, from += 4) {
    first += values[from]! * query[at]!;
    second += values[from + 1]! * query[at + 1]!;
    third += values[from + 2]! * query[at + 2]!;
    fourth += values[from + 3]! * query[at + 3]!;
  }
  for (let at = whole; at < query.length; at++) first += values[start + at]! * query[at]!;
  return first + second + third + fourth;
}

/** Passages whose vectors lie together. */
const BLOCK = 1_024;

interface Block {
  readonly values: Float32Array;
  readonly has: Uint8Array;
}

const newBlock = (dimensions: number): Block => ({
  values: new Float32Array(BLOCK * dimensions),
  has: new Uint8Array(BLOCK),
});

/** A vector made as long as 1; one of zeros stays as it is. */
export function asUnit(vector: Float32Array): Float32Array {
  let square = 0;
  for (let at = 0; at < vector.length; at++) square += vector[at]! * vector[at]!;
  if (square === 0) return vector;
  const factor = 1 / Math.sqrt(square);
  const unit = new Float32Array(vector.length);
  for (let at = 0; at < vector.length; at++) unit[at] = vector[at]! * factor;
  return unit;
}
