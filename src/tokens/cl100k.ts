import { createByteCounter } from "./byte-pair.js";
import { CONTRACTION, LEAD, piecesOf } from "./piece-expression.js";

const PIECES = piecesOf(
  CONTRACTION,
  String.raw`${LEAD}\p{L}+`,
  String.raw`\p{N}{1,3}`,
  String.raw` ?[^\s\p{L}\p{N}]+[\r\n]*`,
  String.raw`\s+$`,
  String.raw`\s*[\r\n]`,
  String.raw`\s+(?!\S)`,
  String.raw`\s`,
);

/**
 * Exact tokens of a text in cl100k, the encoding of gpt-4 and gpt-3.5.
 *
 * @example
 * ```ts
 * countCl100k("hello world"); // 2
 * ```
 */
export const countCl100k = createByteCounter({ table: "cl100k.bin", pieces: PIECES });
