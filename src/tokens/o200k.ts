import { createByteCounter } from "./byte-pair.js";
import { CONTRACTION, LEAD, piecesOf } from "./piece-expression.js";
import { plainPieceEnd } from "./plain-pieces.js";

const CAPITAL = String.raw`[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]`;
const SMALL = String.raw`[\p{Ll}\p{Lm}\p{Lo}\p{M}]`;

/** The pieces that o200k is made of. */
export const O200K_PIECES: RegExp = piecesOf(
  `${LEAD}${CAPITAL}*${SMALL}+(?:${CONTRACTION})?`,
  `${LEAD}${CAPITAL}+${SMALL}*(?:${CONTRACTION})?`,
  String.raw`\p{N}{1,3}`,
  String.raw` ?[^\s\p{L}\p{N}]+[\r\n/]*`,
  String.raw`\s*[\r\n]+`,
  String.raw`\s+(?!\S)`,
  String.raw`\s+`,
);

/**
 * Exact tokens of a text in o200k, the encoding of gpt-4o, gpt-4.1, gpt-5 and the o-series. Control tokens written
 * out in the text, such as `<|endoftext|>`, are counted as the plain text they are.
 *
 * @example
 * ```ts
 * countO200k("hello world"); // 2
 * ```
 */
export const countO200k = createByteCounter({ table: "o200k.bin", pieces: O200K_PIECES, pieceEnd: plainPieceEnd });
