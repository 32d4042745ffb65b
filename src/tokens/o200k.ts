import { O200K_TOKEN_SPLIT_REGEX } from "gpt-tokenizer/encodingParams/constants";
import { createByteCounter } from "./byte-pair.js";
import { plainPieceEnd } from "./plain-pieces.js";

/**
 * Exact tokens of a text in o200k, the encoding of gpt-4o, gpt-4.1, gpt-5 and the o-series. Control tokens written
 * out in the text, such as `<|endoftext|>`, are counted as the plain text they are.
 *
 * @example
 * ```ts
 * countO200k("hello world"); // 2
 * ```
 */
export const countO200k = createByteCounter({
  ranksModule: "gpt-tokenizer/bpeRanks/o200k_base",
  pieces: O200K_TOKEN_SPLIT_REGEX,
  pieceEnd: plainPieceEnd,
});
