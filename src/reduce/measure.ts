import { invalidOption } from "../errors.js";
import { isCount, refuseCount } from "../tokens/counter.js";
import { countO200k } from "../tokens/o200k.js";

/** Refuses a budget that no comparison would ever exceed. */
export function checkBudget(maxTokens: unknown): void {
  if (typeof maxTokens === "number" && maxTokens >= 0) return;
  throw invalidOption({ option: "maxTokens", value: maxTokens, allowed: "the number of tokens, from 0, that fit" });
}

/** Counts the tokens of a text. */
export type CountTokens = (text: string) => number;

export const defaultCounter: CountTokens = countO200k;

/** A counter of the caller's, whose every count is held against what a count can be. */
export const checkedCounter =
  (count: CountTokens): CountTokens =>
  (text) => {
    const tokens = count(text);
    return isCount(tokens) ? tokens : refuseCount(count.name || "counter", tokens);
  };

/** Up to this length a text is counted whole; beyond it the count is extrapolated from samples. */
const EXACT_LENGTH = 8_192;

const SAMPLES = 8;
const SAMPLE_LENGTH = 768;
const CHUNK = 2_048;
/** A chunk that begins or ends inside a word can cost a little more than the same characters within the whole text. */
const CHUNK_SLACK = 12;

/** Tokens of a text: exact up to {@link EXACT_LENGTH} characters, else estimated from evenly spaced samples. */
export function measureTokens(text: string, count: CountTokens): number {
  if (text.length <= EXACT_LENGTH) return count(text);
  const step = Math.floor((text.length - SAMPLE_LENGTH) / (SAMPLES - 1));
  let tokens = 0;
  for (let sample = 0; sample < SAMPLES; sample++) {
    tokens += count(text.slice(sample * step, sample * step + SAMPLE_LENGTH));
  }
  return Math.round((tokens / (SAMPLES * SAMPLE_LENGTH)) * text.length);
}

/** Whether a text has at most `maxTokens`; looks at no more of it than is needed to say no. */
export function fitsWithin(text: string, maxTokens: number, count: CountTokens): boolean {
  let tokens = 0;
  for (let start = 0; start + CHUNK < text.length; start += CHUNK) {
    tokens += count(text.slice(start, start + CHUNK)) - CHUNK_SLACK;
    if (tokens > maxTokens) return false;
  }
  return count(text) <= maxTokens;
}

/** A counter that knows the last text it was asked about: results are checked again where they are handed on. */
export function rememberLast(count: CountTokens): CountTokens {
  let last = "";
  let tokens = count(last);
  return (text) => {
    if (text !== last) {
      tokens = count(text);
      last = text;
    }
    return tokens;
  };
}
