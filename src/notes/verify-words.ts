/** Words as they are compared: without those that every sentence has, and without their endings. */
import data from "./verify-terms.json" with { type: "json" };

export type Words = ReadonlySet<string>;

/** The words that sentences are held together by. They also tell languages with one script apart. */
const LANGUAGES = Object.entries(data.functionWords).map(([name, words]) => [name, new Set(words.split(" "))] as const);
export const isFunctionWord = (word: string): boolean => LANGUAGES.some(([, own]) => own.has(word.toLowerCase()));
/** Words by which a summary speaks of itself and its readers. */
const REPORTING = new Set(data.reporting.split(" "));

const WORD = /[\p{L}\p{M}\p{N}]+/gu;
/** Where a name has a new word. */
const HUMP = /(?<=\p{Ll})(?=\p{Lu})/gu;
/** Scripts without blanks between words are compared by pairs of letters. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]/u;

/** The words that carry a text's meaning, each once. */
export function contentWords(text: string): Set<string> {
  const words = new Set<string>();
  for (const [match] of text.replace(HUMP, " ").matchAll(WORD)) {
    const word = match.toLowerCase();
    const letters = UNSPACED.test(word) ? [...word] : [];
    for (const [at, letter] of letters.entries())
      if (at > 0 || letters.length === 1) words.add((letters[at - 1] ?? "") + letter);
    if (letters.length === 0 && word.length > 1 && !REPORTING.has(word) && !isFunctionWord(word)) words.add(stem(word));
  }
  return words;
}

const ENDINGS = /(?:at(?:ions?|ing|ed|es?)|ingly|ings?|edly|ed|ers?|ions?|ments?|ly|ies|es|s|e|(?<![aeo])y)$/;

/** A word without its ending: "deleting", "deleted" and "delete" become one. */
export function stem(word: string): string {
  if (word.length < 4 || /\d/.test(word)) return word;
  const base = word.replace(ENDINGS, "");
  const kept = base.length >= 3 ? base : word.replace(/s$/, "");
  return kept.replace(/([b-df-hj-np-tv-z])\1$/, "$1");
}

export const stemsOf = (line: string): Words => new Set(line.split(" ").map(stem));

/** The share of `words` that `known` has; 1 for no words at all. */
export function coverage(words: Words, known: Words): number {
  if (words.size === 0) return 1;
  let found = 0;
  for (const word of words) if (known.has(word)) found++;
  return found / words.size;
}

/** Whether two texts are, for all one can tell, in the same language, so that their words can be compared. */
export function sameLanguage(left: string, right: string): boolean {
  const [a, b] = [languageOf(left), languageOf(right)];
  return a === b || (scriptOf(left) === scriptOf(right) && (SCRIPTS.includes(a) || SCRIPTS.includes(b)));
}

/** By its function words, or its script. */
export function languageOf(text: string): string {
  const words = text.slice(0, SAMPLE).toLowerCase().match(WORD) ?? [];
  const hits = LANGUAGES.map(([name, own]) => ({ name, count: words.filter((word) => own.has(word)).length }));
  const best = hits.reduce((most, each) => (each.count > most.count ? each : most));
  return best.count > 0 ? best.name : scriptOf(text);
}

const SAMPLE = 20_000;
/** Japanese is told by its own letters, which stand between Chinese ones. */
const SCRIPTS = "Latin Cyrillic Han Hiragana Hangul Arabic Hebrew Greek Devanagari Thai".split(" ");
/** Names and paths are Latin in every language. */
const WEIGHTS: Readonly<Record<string, number>> = { Latin: 0.2, Hiragana: 10 };

function scriptOf(text: string): string {
  const counted = SCRIPTS.map((name) => {
    const found = text.slice(0, SAMPLE).match(new RegExp(`\\p{sc=${name}}`, "gu"))?.length ?? 0;
    return { name, count: found * (WEIGHTS[name] ?? 1) };
  });
  return counted.reduce((most, each) => (each.count > most.count ? each : most)).name;
}

/** The sentences of a text; a line ends one as well. */
export const sentencesOf = (text: string): string[] =>
  text.split(/\n+|(?<=[.!?;])\s+|(?<=[。！？；])/).flatMap((sentence) => sentence.trim() || []);
