/**
 * A light stemmer for English: the endings of number, tense and manner are taken off, so that "moved" finds "moving".
 * Words of other languages and names pass nearly unchanged; the result is a key, never shown.
 */
const ENDINGS: readonly (readonly [RegExp, string])[] = [
  [/sses$/, "ss"],
  [/ies$/, "y"],
  [/([^s])s$/, "$1"],
  [/ation(al)?$/, "ate"],
  [/ing$/, ""],
  [/ed$/, ""],
  [/ly$/, ""],
  [/(.)\1$/, "$1"],
  [/e$/, ""],
];

const SHORTEST = 3;

/** The stem of a word in lower case. */
export function stem(word: string): string {
  if (word.length <= SHORTEST) return word;
  let rest = word;
  for (const [ending, stead] of ENDINGS) rest = rest.replace(ending, stead);
  return rest.length >= 2 ? rest : word;
}
