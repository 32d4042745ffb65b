import { CL100K_TOKEN_SPLIT_REGEX } from "gpt-tokenizer/encodingParams/constants";
import { createByteCounter } from "./byte-pair.js";

/**
 * Exact tokens of a text in cl100k, the encoding of gpt-4 and gpt-3.5.
 *
 * @example
 * ```ts
 * countCl100k("hello world"); // 2
 * ```
 */
export const countCl100k = createByteCounter({
  ranksModule: "gpt-tokenizer/bpeRanks/cl100k_base",
  pieces: CL100K_TOKEN_SPLIT_REGEX,
});
