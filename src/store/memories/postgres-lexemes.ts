/**
 * Terms, owners and tags as lexemes of PostgreSQL's text search. None holds a character that its syntax knows, so that
 * a text of lexemes is taken apart at its spaces; "=" begins what stands for something else.
 */
import { createHash } from "node:crypto";
import { OWNERS, type PassageTerms, type ScopeParts } from "./memories.js";

const SPECIAL = /[\0\s'\\=]|\p{Surrogate}/gu;
const LONGEST = 200;
/** The highest position that a lexeme can have. */
const MOST = 16_383;

const encoded = (text: string): string =>
  text.replace(SPECIAL, (character) => `=${character.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** The lexeme of a term; those of two terms are never the same. */
export function lexemeOf(term: string): string {
  const lexeme = encoded(term);
  if (lexeme !== "" && lexeme.length <= LONGEST) return lexeme;
  return `=x${createHash("sha256").update(lexeme).digest("hex")}`;
}

/** What all passages that a scope sees have among their lexemes, and what one stored under it has at least. */
export const scopeLexemes = (scope: ScopeParts): string[] => [
  ...OWNERS.flatMap((owner, at) => (scope[owner] === undefined ? [] : [`=o${at}${lexemeOf(scope[owner])}`])),
  ...(scope.tags ?? []).map((tag) => `=t${lexemeOf(tag)}`),
];

/** The text of a `tsvector`: terms with their counts, and lexemes without. */
export function vectorText(terms: PassageTerms, others: readonly string[]): string {
  const counted = [...countsOf(terms)].map(([term, count]) => `'${lexemeOf(term)}':${Math.min(count, MOST)}`);
  return [...counted, ...others.map((lexeme) => `'${lexeme}'`)].join(" ");
}

function countsOf(terms: PassageTerms): Map<string, number> {
  const counts = new Map<string, number>();
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  return counts;
}

/** The text of a `tsquery`: any of some lexemes, where there are some, with all of others. */
export function queryText(any: readonly string[], all: readonly string[]): string {
  const either = any.length === 0 ? [] : [`(${any.map((lexeme) => `'${lexeme}'`).join(" | ")})`];
  return [...either, ...all.map((lexeme) => `'${lexeme}'`)].join(" & ");
}

/** How often each of some lexemes is in a `tsvector`, from its text. */
export function countsIn(text: string, wanted: ReadonlyMap<string, number>): [at: number, count: number][] {
  return text.split(" ").flatMap((item) => {
    const end = item.lastIndexOf("'");
    const at = wanted.get(item.slice(1, end));
    return at === undefined ? [] : [[at, Number(item.slice(end + 2))]];
  });
}
