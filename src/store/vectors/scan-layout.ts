/**
 * The memory of a scan, in bytes: list of rows, hits, scores of the hits, query, and then blocks of rows, each of them
 * scales and then codes. A block never moves, so that a table grows without a copy. `scripts/simd/scan.wat`
 * knows the same numbers.
 */

/** Rows of a block. */
export const BLOCK_ROWS = 1_024;

const LIST = 0;
const HITS = 4 * BLOCK_ROWS;
const SCORES = 8 * BLOCK_ROWS;
const QUERY = 12 * BLOCK_ROWS;
const SCALES = 4 * BLOCK_ROWS;

/** A row's codes are padded with zeros to whole vectors of the processor. */
const LANES = 16;

export interface ScanLayout {
  /** Bytes of a row's codes, padding included. */
  readonly stride: number;
  /** Bytes before the first block. */
  readonly head: number;
  /** Bytes of a block. */
  readonly block: number;
}

export function scanLayout(dimensions: number): ScanLayout {
  const stride = Math.ceil(dimensions / LANES) * LANES;
  return { stride, head: QUERY + 2 * stride, block: SCALES + BLOCK_ROWS * stride };
}

/** Bytes that so many blocks need, with all that stands before them. */
export const bytesOf = ({ head, block }: ScanLayout, blocks: number): number => head + blocks * block;

/** Where in the codes the row in this slot begins. */
export const codesAt = ({ head, block, stride }: ScanLayout, slot: number): number =>
  head + Math.floor(slot / BLOCK_ROWS) * block + SCALES + (slot % BLOCK_ROWS) * stride;

/** Where in the scales the one of this slot stands. */
export const scaleAt = ({ head, block }: ScanLayout, slot: number): number =>
  (head + Math.floor(slot / BLOCK_ROWS) * block) / 4 + (slot % BLOCK_ROWS);

/** The parts of the memory. They are of no use after it has grown. */
export interface ScanViews {
  /** Rows of a block to scan. Every number in it is below {@link BLOCK_ROWS}, also behind the last row to scan. */
  readonly list: Uint32Array;
  readonly hits: Uint32Array;
  readonly scores: Float32Array;
  readonly query: Int16Array;
  /** All of the memory: see {@link codesAt}. */
  readonly codes: Int8Array;
  /** All of the memory: see {@link scaleAt}. */
  readonly scales: Float32Array;
}

export function scanViews(buffer: ArrayBuffer, { stride }: ScanLayout): ScanViews {
  return {
    list: new Uint32Array(buffer, LIST, BLOCK_ROWS),
    hits: new Uint32Array(buffer, HITS, BLOCK_ROWS),
    scores: new Float32Array(buffer, SCORES, BLOCK_ROWS),
    query: new Int16Array(buffer, QUERY, stride),
    codes: new Int8Array(buffer),
    scales: new Float32Array(buffer, 0, Math.floor(buffer.byteLength / 4)),
  };
}
