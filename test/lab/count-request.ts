import { encode } from "gpt-tokenizer/encoding/o200k_base";
import type { Piece } from "./protocol.js";

const PER_MESSAGE = 4;
const PER_CALL = 8;

const counts = new Map<string, number>();

/** Most texts of a request were in the one before. */
function count(text: string): number {
  let tokens = counts.get(text);
  if (tokens === undefined) {
    tokens = encode(text, { disallowedSpecial: new Set() }).length;
    if (counts.size > 20_000) counts.clear();
    counts.set(text, tokens);
  }
  return tokens;
}

/** What a piece of a request takes by o200k: its texts, and what the chat format adds for messages and calls. */
export const tokensOf = ({ texts, messages, calls }: Piece): number =>
  texts.reduce((sum, text) => sum + count(text), PER_MESSAGE * messages + PER_CALL * calls);
