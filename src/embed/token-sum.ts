import { SUM_MODULE } from "./sum-module.js";
import { PAGE, startModule } from "./web-assembly.js";

/** The rows of a table of token vectors. */
export interface TokenRows {
  readonly dimensions: number;
  readonly scales: Float32Array;
  readonly rows: Int8Array;
}

/** Adds up the vectors of tokens; the result holds until the next call. */
export type TokenSum = (tokens: readonly number[]) => Float32Array;

type Sum = (tokens: number, count: number, ...rest: [dimensions: number, scales: number, rows: number]) => void;

/** Tokens that are handed over at a time. */
const HANDED = 8_192;
const LANES = 16;

/** With SIMD where there is such, else one cell after the other; both give the same to the last bit but one or two. */
export const tokenSum = (table: TokenRows): TokenSum => simdSum(table) ?? plainSum(table);

function simdSum({ dimensions, scales, rows }: TokenRows): TokenSum | undefined {
  if (dimensions % LANES !== 0) return undefined;
  const tokensAt = 4 * dimensions;
  const scalesAt = tokensAt + 4 * HANDED;
  const rowsAt = scalesAt + 4 * Math.ceil(scales.length / 4) * 4;
  const started = startModule<{ readonly sum: Sum }>(SUM_MODULE, Math.ceil((rowsAt + rows.length) / PAGE));
  if (started === undefined) return undefined;
  const { memory, exports } = started;
  new Float32Array(memory.buffer, scalesAt, scales.length).set(scales);
  new Int8Array(memory.buffer, rowsAt, rows.length).set(rows);
  const handed = new Uint32Array(memory.buffer, tokensAt, HANDED);
  const part = new Float32Array(memory.buffer, 0, dimensions);
  const whole = new Float32Array(dimensions);
  return (tokens) => {
    whole.fill(0);
    for (let from = 0; from < tokens.length; from += HANDED) {
      const count = Math.min(HANDED, tokens.length - from);
      for (let at = 0; at < count; at++) handed[at] = tokens[from + at]!;
      exports.sum(tokensAt, count, dimensions, scalesAt, rowsAt);
      for (let at = 0; at < dimensions; at++) whole[at]! += part[at]!;
    }
    return whole;
  };
}

export function plainSum({ dimensions, scales, rows }: TokenRows): TokenSum {
  const sum = new Float32Array(dimensions);
  return (tokens) => {
    sum.fill(0);
    for (const token of tokens) {
      const scale = scales[token]!;
      for (let at = 0, cell = token * dimensions; at < dimensions; at++, cell++) sum[at]! += rows[cell]! * scale;
    }
    return sum;
  };
}
