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
const SENTENCE_END = /(?<![.!?])[.!?]+["')\]]{0,3}(?=\s|$)/g;
/** A full stop after these ends no sentence. */
const ABBREVIATION = /(?:^|[\s(])(?:e\.g|i\.e|etc|vs|approx|no|st|mr|mrs|ms|dr|prof|sr|jr|inc|ltd|co|corp|[A-Z])\.$/i;

/** One sentence at a time, apostrophes made plain, markup around it removed. */
export function sentencesOf(text: string): string[] {
  const sentences: string[] = [];
  let fenced = false;
  for (const line of text.split(/\r?\n/)) {
    if (FENCE.test(line)) fenced = !fenced;
    else if (!fenced && !isForeign(line)) sentences.push(...sentencesOfLine(line));
  }
  return sentences;
}

/** Lines of code and quoted lines; a line too long for a person is judged by its beginning. */
function isForeign(line: string): boolean {
  const start = line.length > LONGEST_SENTENCE ? line.slice(0, LONGEST_SENTENCE) : line;
  return MARKED_LINE.test(start) && (QUOTED_LINE.test(start) || CODE_LINE.test(start));
}

function sentencesOfLine(line: string): string[] {
  const plain = line
    .replace(LIST_MARK, "")
    .replace(/[’‘]/g, "'")
    .replace(/\*\*|__/g, "");
  const sentences: string[] = [];
  let start = 0;
  for (const { index, 0: mark } of plain.matchAll(SENTENCE_END)) {
    const end = index + mark.length;
    if (mark === "." && ABBREVIATION.test(plain.slice(Math.max(start, end - 8), end))) continue;
    keep(sentences, plain.slice(start, end));
    start = end;
  }
  keep(sentences, plain.slice(start));
  return sentences;
}

function keep(sentences: string[], sentence: string): void {
  if (sentence.length > LONGEST_SENTENCE + 200) return;
  const trimmed = /\s\s|[^\S ]/.test(sentence) ? sentence.trim().replace(/\s+/g, " ") : sentence.trim();
  if (trimmed.length >= 4 && trimmed.length <= LONGEST_SENTENCE) sentences.push(trimmed);
}
