/** Words as they are compared: without those that every sentence has, and without their endings. */

const STOP = new Set(
  `a an and any are as at be been being but by can could did do does doing done for from had has have he her here him his how i if in into is it its itself just
  let like may me might more most must my no nor not now of off on once only or other our out over own please same shall she should so some such than that the their
  them then there these they this those through to too under until up upon us use used using very via want wanted wants was we were what when where which while who
  whom why will with without would yes you your also about after again against all am because before below between both during each few further per etc new need
  needs needed user users asked asks ask requested request requests said says say told agent assistant make makes made get gets got`.split(
    /\s+/,
  ),
);

const WORD = /[\p{L}\p{N}_]+/gu;
/** Scripts without blanks between words are compared by pairs of letters. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

/** The words that carry a text's meaning, each once. */
export function contentWords(text: string): Set<string> {
  const words = new Set<string>();
  for (const [word] of text.matchAll(WORD)) {
    if (UNSPACED.test(word)) for (const pair of pairs(word)) words.add(pair);
    else if (word.length > 1 && !STOP.has(word.toLowerCase())) words.add(stem(word.toLowerCase()));
  }
  return words;
}

function pairs(word: string): string[] {
  const letters = [...word];
  return letters.length < 2 ? letters : letters.slice(1).map((letter, at) => letters[at]! + letter);
}

const ENDINGS = /(?:ations?|ingly|ing|ings|edly|ed|ers?|ions?|ments?|ly|es|s|e)$/;

/** A word without its ending: "deleting", "deleted" and "delete" become one. */
export function stem(word: string): string {
  if (word.length < 4 || /\d|_/.test(word)) return word;
  const base = word.replace(ENDINGS, "");
  const kept = base.length >= 3 ? base : word;
  return kept.replace(/([b-df-hj-np-tv-z])\1$/, "$1");
}

/** The share of `words` that `known` has; 1 for no words at all. */
export function coverage(words: ReadonlySet<string>, known: ReadonlySet<string>): number {
  if (words.size === 0) return 1;
  let found = 0;
  for (const word of words) if (known.has(word)) found++;
  return found / words.size;
}

/** Whether most letters of a text are Latin ones. */
export function isLatin(text: string): boolean {
  const sample = text.slice(0, 20_000);
  const letters = sample.match(/\p{L}/gu)?.length ?? 0;
  return letters === 0 || (sample.match(/\p{Script=Latin}/gu)?.length ?? 0) * 2 > letters;
}

/** The sentences of a text; a line ends one as well. */
export function sentencesOf(text: string): string[] {
  return text.split(/\n+|(?<=[.!?。！？])\s+/).flatMap((sentence) => {
    const trimmed = sentence.trim();
    return trimmed === "" ? [] : [trimmed];
  });
}
