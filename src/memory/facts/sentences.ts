/**
 * The sentences of a text that may state something: no code, no quotations, nothing longer than a person writes. What
 * reads a sentence may take time in the square of its length; the length is bounded, so a text takes linear time.
 */
const LONGEST_SENTENCE = 400;

const FENCE = /^\s*(?:```|~~~)/;
const QUOTED_LINE = /^\s*(?:>|\|)/;
const LIST_MARK = /^\s*(?:[-*•+]|\d{1,3}[.)])\s+/;
/** Signs that people do not write in prose. */
const CODE_LINE =
  /[{}]|;\s*$|=>|\(\)|\)\s*[:{]\s*$|^\s*(?:import|from|const|let|var|def|class|return|#include|function)\b.*[=({;:'"]|^\s*(?:\/\/|#!|\/\*|\* |<\/?\w)|^(?: {4}|\t)\S/;
/** A line without any of these is neither code nor quoted. */
const MARKED_LINE = /[{}=;(<>|/]|^\s+|^[#*]|^(?:import|from|const|let|var|def|class|return|function)\b/;
const SENTENCE_END = /(?<![.!?])[.!?]+["')\]*_]{0,5}(?=\s|$)/g;
/** A full stop after these ends no sentence. */
const ABBREVIATION = /(?:^|[\s(])(?:e\.g|i\.e|etc|vs|approx|no|st|mr|mrs|ms|dr|prof|sr|jr|inc|ltd|co|corp|[A-Z])\.$/i;

export interface Sentence {
  /** Apostrophes made plain, markup around it removed. */
  readonly text: string;
  /** Where it stands in the text: its first character, and after its last. */
  readonly start: number;
  readonly end: number;
}

/** One sentence at a time, apostrophes made plain, markup around it removed. */
export const sentencesOf = (text: string): string[] => sentencesIn(text).map((sentence) => sentence.text);

/** The sentences with their places. */
export function sentencesIn(text: string): Sentence[] {
  const sentences: Sentence[] = [];
  let fenced = false;
  let start = 0;
  for (const ended of text.split("\n")) {
    const line = ended.endsWith("\r") ? ended.slice(0, -1) : ended;
    if (FENCE.test(line)) fenced = !fenced;
    else if (!fenced && !isForeign(line)) readLine(line, start, sentences);
    start += ended.length + 1;
  }
  return sentences;
}

/** Lines of code and quoted lines; a line too long for a person is judged by its beginning. */
function isForeign(line: string): boolean {
  const start = line.length > LONGEST_SENTENCE ? line.slice(0, LONGEST_SENTENCE) : line;
  return MARKED_LINE.test(start) && (QUOTED_LINE.test(start) || CODE_LINE.test(start));
}

function readLine(line: string, at: number, sentences: Sentence[]): void {
  let start = LIST_MARK.exec(line)?.[0].length ?? 0;
  const keep = (end: number): void => {
    const text = plainSentence(line.slice(start, end));
    if (text !== undefined) sentences.push({ text, start: at + start, end: at + end });
    start = end;
  };
  for (const { index, 0: mark } of line.matchAll(SENTENCE_END)) {
    const end = index + mark.length;
    if (end <= start) continue;
    if (mark === "." && ABBREVIATION.test(line.slice(Math.max(start, end - 8), end))) continue;
    keep(end);
  }
  keep(line.length);
}

const MARKUP = /[’‘*_]|[^\S ]| {2}/;

const withoutMarkup = (sentence: string): string =>
  sentence
    .replace(/[’‘]/g, "'")
    .replace(/\*\*|__/g, "")
    .replace(/\s+/g, " ");

/** Undefined where it is too short to say anything, or longer than a person writes. */
function plainSentence(sentence: string): string | undefined {
  if (sentence.length > LONGEST_SENTENCE + 200) return undefined;
  const plain = (MARKUP.test(sentence) ? withoutMarkup(sentence) : sentence).trim();
  return plain.length >= 4 && plain.length <= LONGEST_SENTENCE ? plain : undefined;
}
