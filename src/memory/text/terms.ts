import { ownText } from "../../tokens/own-text.js";
import { stem } from "./stem.js";
import { folded, queryTerms, textTerms } from "./words.js";

/** Words that stand in most sentences and tell little about any. */
const STOP_WORDS = new Set(
  (
    "a an the of to in on at is are was were be been did do does have has had what when where who which how why and or " +
    "for with that this it its as by from about i you he she they we my your his her their our me him them us not no so " +
    "if then than but can could would will should there here just also any some all more most very into out up down " +
    "over under again"
  ).split(" "),
);

/** Longer runs, such as encoded data, are no words; their beginning stands for them. */
const LONGEST = 40;
const ACCENTS = /\p{M}+/gu;
const NOT_PLAIN = /[^\0-\x7f]/;

/** What a text is found by: the stems of its words, as often as they occur, without stop words. */
export function termsOf(text: string): string[] {
  const terms: string[] = [];
  for (const word of textTerms(folded(text))) {
    const term = termOf(word);
    if (term !== "") terms.push(term);
  }
  return terms;
}

/** What a question asks by: each stem once. */
export function questionTerms(question: string): string[] {
  const terms = queryTerms(folded(question)).map(termOf);
  return [...new Set(terms.filter((term) => term !== ""))];
}

const MOST_KNOWN = 50_000;
const known = new Map<string, string>();

/** Empty for a stop word. Words come again and again, so that what became of them is kept. */
function termOf(word: string): string {
  const before = known.get(word);
  if (before !== undefined) return before;
  if (known.size >= MOST_KNOWN) known.clear();
  const own = ownText(word);
  const term = STOP_WORDS.has(own) ? "" : toTerm(own);
  known.set(own, term);
  return term;
}

function toTerm(word: string): string {
  const plain = NOT_PLAIN.test(word) ? word.normalize("NFD").replace(ACCENTS, "") : word;
  return stem(plain.length > LONGEST ? plain.slice(0, LONGEST) : plain);
}
