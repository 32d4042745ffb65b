import { messageText } from "../message/content.js";
import type { Reading } from "./reading.js";

/** So many messages of a stretch are measured, and so many of their beginnings counted: counting is dear. */
const MEASURED = 500;
const COUNTED = 24;
const COUNTED_LENGTH = 600;

/** About how many tokens a stretch of the log has that nobody has counted, by some of its messages. */
export function sampledTokens({ log, counter }: Pick<Reading, "log" | "counter">, from: number, to: number): number {
  const texts = every(MEASURED, from, to).map((at) => messageText(log.messageAt(at)));
  const beginnings = every(COUNTED, 0, texts.length).map((at) => texts[at]!.slice(0, COUNTED_LENGTH));
  const total = (lengths: number[]) => lengths.reduce((sum, each) => sum + each, 0);
  const density =
    total(beginnings.map((text) => counter.text(text))) / Math.max(1, total(beginnings.map(({ length }) => length)));
  return Math.round((density * total(texts.map(({ length }) => length)) * (to - from)) / Math.max(1, texts.length));
}

/** About so many numbers of a range, evenly spaced. */
function every(count: number, from: number, to: number): number[] {
  const step = Math.max(1, Math.floor((to - from) / count));
  return Array.from({ length: Math.ceil((to - from) / step) }, (_, place) => from + place * step);
}
