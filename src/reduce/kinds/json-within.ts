/**
 * JSON that is not alone: the answer of `curl -i` below its headers, a value above the line that tells how a command
 * ended, several values one after another. The JSON is reduced as JSON, the text around it as text, each in its place.
 */
import { TIER } from "../line-rules.js";
import type { CountTokens } from "../measure.js";
import { type ShortenOptions, shortenText } from "../shorten-text.js";
import { sourceLines } from "../source-lines.js";
import { reduceJson } from "./json.js";
import { type JsonStream, scanJsonStream } from "./json-scan.js";
import { TEST_RUN_SIGN } from "./test-run.js";
import { scoreText } from "./text.js";

export interface JsonWithin {
  readonly text: string;
  readonly kind: "json" | "json-lines" | "text";
}

interface Found extends JsonStream {
  readonly start: number;
}

/** JSON opens within so many lines, at one of so many places. */
const FIRST_LINES = 40;
const FIRST_CHARACTERS = 8_000;
const PLACES = 8;
/** The least share of the text that is JSON. */
const MOST = 0.6;
/** The most of the budget that the text before, and that after, may take. */
const AROUND_SHARE = 0.25;
/** Values on lines of their own are few if each can have so many tokens. */
const VALUE_TOKENS = 64;
const FEW_VALUES = 4;
const ROUNDS = 4;
/** Enough to recognise a line. */
const HEAD = 240;
const OPENING = /^[^\n]*?(?:^|[\s:=>(])([[{](?=\s*["[{\]}\d-]|$))/gm;

/** Reduces JSON with text around it, or values that follow one another; undefined for any other text. */
export function reduceJsonWithin(
  text: string,
  { maxTokens, count }: { maxTokens: number; count: CountTokens },
): JsonWithin | undefined {
  const found = findJson(text, Math.max(FEW_VALUES, Math.floor(maxTokens / VALUE_TOKENS)));
  if (found === undefined) return undefined;
  const share = { maxTokens: Math.floor(maxTokens * AROUND_SHARE), counter: count };
  const before = shortenAround(text.slice(0, found.start), share);
  const after = shortenAround(text.slice(found.end), share);
  if (before === undefined || after === undefined) return undefined;
  let room = maxTokens - count(before) - count(after);
  for (let round = 0; round < ROUNDS && room > 0; round++) {
    const json = reduceJson({ text, root: found.root, stream: found.count > 1, maxTokens: room, count });
    if (json === undefined) return undefined;
    const whole = before + json + after;
    const over = count(whole) - maxTokens;
    if (over <= 0) return { text: whole, kind: kindOf(before + after, found) };
    room -= over + round;
  }
  return undefined;
}

function kindOf(around: string, { count }: Found): JsonWithin["kind"] {
  if (around.trim() !== "") return "text";
  return count === 1 ? "json" : "json-lines";
}

/** Undefined where what would be left out tells of trouble or of tests: lines have to be chosen then. */
function shortenAround(part: string, options: ShortenOptions): string | undefined {
  const short = shortenText(part, options);
  if (short === part) return part;
  const lines = sourceLines(leftOut(part, short));
  if (scoreText(lines).some((tier) => tier >= TIER.place)) return undefined;
  const heads = Array.from({ length: lines.count }, (_, index) => lines.head(index, HEAD));
  return heads.some((head) => TEST_RUN_SIGN.test(head)) ? undefined : short;
}

/** The lines of a text that its short form does not show in full. */
function leftOut(part: string, short: string): string {
  let [start, end] = [0, part.length];
  while (start < short.length && part[start] === short[start]) start++;
  const least = part.length - (short.length - start);
  while (end > Math.max(start, least) && part[end - 1] === short[short.length - 1 - (part.length - end)]) end--;
  const close = part.indexOf("\n", end);
  return part.slice(part.lastIndexOf("\n", start - 1) + 1, close < 0 ? part.length : close);
}

function findJson(text: string, most: number): Found | undefined {
  let read = 0;
  for (const start of places(text)) {
    if (start < read) continue;
    const stream = scanJsonStream(text, { from: start, most });
    if (stream === "too-many") return undefined;
    if (stream !== undefined && stream.end - start >= text.length * MOST) return { ...stream, start };
    read = stream?.end ?? read;
  }
  return undefined;
}

/** Where JSON may open: at most one place of each of the first lines. */
function places(text: string): number[] {
  const head = text.slice(0, FIRST_CHARACTERS).split("\n", FIRST_LINES).join("\n");
  const matches = [...head.matchAll(OPENING)].slice(0, PLACES);
  return matches.map((match) => match.index + match[0].length - 1);
}
