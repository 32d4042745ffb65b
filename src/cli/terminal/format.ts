import { stripVTControlCharacters } from "node:util";
import { thousands } from "../../reduce/thousands.js";
import { readable } from "./visible.js";

const WIDE =
  /^(?:[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}|[\u{20000}-\u{3fffd}])/u;
const INVISIBLE = /^[\p{Cc}\p{Cf}\p{Mn}\p{Me}]+$/u;
/** Characters of one column each that join with no other: Latin, dashes, quotes, arrows, squares, marks. */
const NARROW =
  /^[\x20-\x7e\u00a0-\u00ac\u00ae-\u02ff\u2010-\u2027\u2030-\u205e\u2190-\u2193\u25a0-\u25ab\u2713\u2717]*$/;
let segmenter: Intl.Segmenter | undefined;

/** What a reader takes for one character each. The tables behind it take a while to load, and plain text needs none. */
function graphemesOf(text: string): Iterable<{ readonly segment: string }> {
  if (NARROW.test(text)) return Array.from(text, (segment) => ({ segment }));
  segmenter ??= new Intl.Segmenter("en", { granularity: "grapheme" });
  return segmenter.segment(text);
}

/** A count with thousands separators: 7,912. */
export function formatCount(count: number): string {
  const [whole = "", fraction] = String(Number(count.toFixed(3))).split(".");
  return fraction === undefined ? thousands(whole) : `${thousands(whole)}.${fraction}`;
}

/** A share as a percentage with one digit: 5.2 %. The space does not break. */
export const formatPercent = (share: number): string => `${(share * 100).toFixed(1)}\u00a0%`;

/** A count with its noun: 1 entry, 28 entries. */
export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

/** Columns that a text takes on a terminal; escape codes take none. */
export function displayWidth(text: string): number {
  const plain = stripVTControlCharacters(text);
  if (NARROW.test(plain)) return plain.length;
  let width = 0;
  for (const { segment } of graphemesOf(plain)) width += graphemeWidth(segment);
  return width;
}

const graphemeWidth = (grapheme: string): number => (INVISIBLE.test(grapheme) ? 0 : WIDE.test(grapheme) ? 2 : 1);

export const padEnd = (text: string, width: number): string =>
  text + " ".repeat(Math.max(0, width - displayWidth(text)));

export const padStart = (text: string, width: number): string =>
  " ".repeat(Math.max(0, width - displayWidth(text))) + text;

/** A plain text on one line of at most `width` columns, with … where something is missing. */
export function truncate(text: string, width: number): string {
  const line = readable(text.replace(/[ \t\r\n]+/g, " ")).trim();
  if (displayWidth(line) <= width) return line;
  let kept = "";
  let left = width - 1;
  for (const { segment } of graphemesOf(line)) {
    left -= graphemeWidth(segment);
    if (left < 0) break;
    kept += segment;
  }
  return width < 1 ? "" : `${kept.trimEnd()}…`;
}

/** A plain text in lines of at most `width` columns, broken between words; a longer word is truncated. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of readable(text.replace(/[ \t\r\n]+/g, " "))
    .split(" ")
    .filter(Boolean)) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (line !== "" && displayWidth(longer) > width) lines.push(line);
    line = line === "" || displayWidth(longer) <= width ? longer : word;
  }
  if (line !== "") lines.push(line);
  return lines.map((each) => truncate(each, width));
}
