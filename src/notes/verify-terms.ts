/**
 * The words by which a statement shows what it is; `verify-terms.json` holds them. What it is about, and whether its source
 * says the same, is compared by content: these only say which comparison is due. A term with `*` stands for all that begin so.
 */
import data from "./verify-terms.json" with { type: "json" };

/** Words in scripts without blanks stand anywhere; others by themselves. */
function terms(list: string): RegExp {
  const all = list.split(",").map((term) => term.trim().replaceAll("*", "\\p{L}*").replaceAll("'", "['’]"));
  const unspaced = all.filter((term) => /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u.test(term));
  const spaced = all.filter((term) => !unspaced.includes(term)).join("|");
  return new RegExp([`(?<![\\p{L}\\p{N}_-])(?:${spaced})(?![\\p{L}\\p{N}_])`, ...unspaced].join("|"), "giu");
}

const compiled = <Name extends string>(lists: Readonly<Record<Name, string>>) =>
  Object.fromEntries(Object.entries<string>(lists).map(([name, list]) => [name, terms(list)])) as Record<Name, RegExp>;

/** What a heading, or the word before a colon, says of the statements under it. */
export const ROLES = compiled(data.roles);
export type Role = keyof typeof ROLES;
export const TERMS = compiled(data.terms);
/** Turns a sentence to its contrary: what is forbidden or switched off, and what is changed where it was to be kept. */
export const FLIPS = terms(`${data.terms.negations}, ${data.terms.changes}`);
/** Without one of these a sentence forbids nothing, and asks for nothing to be kept. */
export const HOLDS = terms(`${data.terms.negations}, ${data.terms.holds}`);

export const has = (pattern: RegExp, text: string): boolean => text.search(pattern) >= 0;
export const asks = (text: string): boolean => /[?？]\s*$/.test(text);

/** The user as one who wants or says something, and what that is. */
const CLAIM = new RegExp(
  `\\busers?(?:['’]s)?\\b[^.;\\n]{0,24}?\\b(?:${data.claims.replaceAll(", ", "|")})\\b([^\\n]*)|(?:${data.users.replaceAll(", ", "|")})\\S*\\s?([^\\n]*)`,
  "iu",
);

/** What a statement says that the user wants or said. */
export function claimIn(text: string): string | undefined {
  const found = CLAIM.exec(text);
  return found === null ? undefined : (found[1] ?? found[2] ?? "").trim();
}
