/**
 * The terms that a search goes by. Scripts that put no spaces between words give every character and every pair of
 * neighbours; others give whole words. A term never crosses the border between the two kinds.
 */
const UNSPACED =
  "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\p{Script=Bopomofo}\\p{Script=Yi}" +
  "\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}\\p{Script=Tibetan}\\p{Script=Javanese}" +
  "\\p{Script=Balinese}\\p{Script=Tai_Le}\\p{Script=New_Tai_Lue}\\p{Script=Tai_Tham}\u30fc";
const RUN = new RegExp(`([${UNSPACED}][${UNSPACED}\\p{M}]*)|(?:(?![${UNSPACED}])[\\p{L}\\p{N}\\p{M}])+`, "gu");
const PLAIN = /^[\0-\x7f]*$/;
const PLAIN_WORD = /[a-z0-9]+/g;

/** A text with equal forms of letters made one: case, width, ligatures, and accents however they are written. */
export const folded = (text: string): string => text.normalize("NFKC").toLowerCase();

const WORD = /[\p{L}\p{N}\p{M}]+/gu;

/** The words of a text as they are written, but for their case. */
export const wordsIn = (text: string): string[] => text.match(WORD)?.map(folded) ?? [];

/** A text with something else in place of these words. */
export const withoutWords = (text: string, words: ReadonlySet<string>, instead: string): string =>
  text.replace(WORD, (word) => (words.has(folded(word)) ? instead : word));

/** The terms of a folded text that is to be found. */
export function textTerms(text: string): string[] {
  if (PLAIN.test(text)) return text.match(PLAIN_WORD) ?? [];
  const terms: string[] = [];
  for (const [run, unspaced] of text.matchAll(RUN)) {
    if (unspaced === undefined) terms.push(run);
    else for (const term of characterTerms(unspaced)) terms.push(term);
  }
  return terms;
}

/** The terms of a folded query: a single character counts only where it stands alone. */
export function queryTerms(query: string): string[] {
  const terms = [...query.matchAll(RUN)].flatMap(([run, unspaced]) => {
    if (unspaced === undefined) return [run];
    const all = [...characterTerms(unspaced)];
    return all.length === 1 ? all : all.filter((term) => [...term].length > 1);
  });
  return [...new Set(terms)];
}

function* characterTerms(run: string): Generator<string> {
  let before = "";
  for (const character of run) {
    yield character;
    if (before !== "") yield before + character;
    before = character;
  }
}

/** Where a place of the folded text lies in the text itself. Folding may change lengths, so that it is searched for. */
export function placeIn(text: string, at: number): number {
  if (folded(text.slice(0, at)).length === at) return at;
  let [low, high] = [0, text.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (folded(text.slice(0, middle)).length < at) low = middle + 1;
    else high = middle;
  }
  return low;
}
