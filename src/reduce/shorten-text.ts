import { charsMark, ELLIPSIS } from "./marks.js";
import { type CountTokens, checkBudget, defaultCounter, fitsWithin } from "./measure.js";
import { normaliseTerminal } from "./normalise.js";
import { safeCut, safeCutAfter } from "./safe-cut.js";

export interface ShortenOptions {
  readonly maxTokens: number;
  /** Exact o200k when left out. */
  readonly counter?: CountTokens;
  /** Share of the kept text that stands before the mark; 0.6 when left out. */
  readonly headShare?: number;
  /** A bare ellipsis for a mark, where room is dear and the cut is plain to see. */
  readonly bare?: boolean;
}

const ROUNDS = 10;
const GOOD_ENOUGH = 0.96;
/** Below this budget a mark with a number would take most of the room. */
const SHORT_MARK_BELOW = 20;

/**
 * Keeps the head and the tail of a text with one omission mark between. The result always fits; a text that fits
 * already comes back as it is.
 *
 * @example
 * ```ts
 * shortenText("word ".repeat(1000), { maxTokens: 40 }); // "word word … ... (4870 chars omitted) ... word word"
 * ```
 */
export function shortenText(text: string, options: ShortenOptions): string {
  const { maxTokens, counter = defaultCounter } = options;
  checkBudget(maxTokens);
  if (fitsWithin(text, maxTokens, counter)) return text;
  const plain = normaliseTerminal(text);
  const build = (kept: number) => join(plain, kept, options);
  return largestFitting(build, { length: plain.length, maxTokens, counter });
}

interface Search {
  readonly length: number;
  readonly maxTokens: number;
  readonly counter: CountTokens;
}

/** Bisects, guided by the tokens per character seen so far, for the most characters whose rendering fits. */
function largestFitting(build: (kept: number) => string, { length, maxTokens, counter }: Search): string {
  let best = "";
  let low = 0;
  let high = length + 1;
  let guess = Math.min(length, maxTokens * 4);
  for (let round = 0; round < ROUNDS && high - low > 1; round++) {
    const candidate = build(guess);
    const tokens = counter(candidate);
    if (tokens <= maxTokens) {
      best = candidate;
      low = guess;
      if (tokens >= maxTokens * GOOD_ENOUGH) break;
    } else high = guess;
    const aim = Math.floor((guess * maxTokens * 0.99) / Math.max(1, tokens));
    // Aims come down slowly where the mark takes most of the room; halving always gets there.
    const middle = Math.floor((low + high) / 2);
    guess = round < ROUNDS / 2 && aim > low && aim < high ? aim : middle;
  }
  return best === "" ? smallest(build, maxTokens, counter) : best;
}

function smallest(build: (kept: number) => string, maxTokens: number, counter: CountTokens): string {
  const candidates = [build(0), ELLIPSIS];
  return candidates.find((candidate) => counter(candidate) <= maxTokens) ?? "";
}

function join(
  text: string,
  kept: number,
  { maxTokens, headShare = 0.6, bare = maxTokens < SHORT_MARK_BELOW }: ShortenOptions,
): string {
  if (kept >= text.length) return text;
  const headEnd = safeCut(text, Math.round(kept * headShare));
  const tailStart = safeCutAfter(text, text.length - (kept - Math.round(kept * headShare)));
  if (bare) return text.slice(0, headEnd) + ELLIPSIS + text.slice(tailStart);
  const head = text.slice(0, snapBack(text, headEnd));
  const tail = text.slice(snapForward(text, tailStart));
  const mark = charsMark(text.length - head.length - tail.length);
  return head + spaced(head.at(-1)) + mark + spaced(tail[0]) + tail;
}

/** Next to a newline the mark stands on its own line; inside a line a space sets it off. */
function spaced(neighbour: string | undefined): string {
  return neighbour === undefined || neighbour === "\n" ? "" : " ";
}

/** A cut a few characters earlier, if a line or a word ends there. */
function snapBack(text: string, end: number): number {
  const line = text.lastIndexOf("\n", end - 1);
  if (line >= 0 && end - line <= end / 8) return line + 1;
  const word = text.lastIndexOf(" ", end - 1);
  return word > 0 && end - word <= 16 && word > end * 0.8 ? word : end;
}

function snapForward(text: string, start: number): number {
  const room = text.length - start;
  const line = text.indexOf("\n", start);
  if (line >= 0 && line - start < room / 8) return line;
  const word = text.indexOf(" ", start);
  return word >= 0 && word - start < 16 && word - start < room * 0.2 ? word + 1 : start;
}
