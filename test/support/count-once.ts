import { encode } from "gpt-tokenizer/encoding/o200k_base";

const counts = new Map<string, number>();

/** Tokens of a text in o200k. Most texts of a request were in the one before. */
export function countOnce(text: string): number {
  let tokens = counts.get(text);
  if (tokens === undefined) {
    tokens = encode(text, { disallowedSpecial: new Set() }).length;
    if (counts.size > 20_000) counts.clear();
    counts.set(text, tokens);
  }
  return tokens;
}
