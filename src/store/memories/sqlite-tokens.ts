/**
 * Terms and owners as FTS5 finds them: tokens between spaces. Its tokenizer ends a token at a space or a control
 * character and takes capitals for small letters, so both are written as a backslash and their code.
 */
import { OWNERS, type ScopeParts } from "./memories.js";

const SPECIAL = /[\0-\x20A-Z\\\x7f]|\p{Surrogate}/gu;

const PLAIN = /^[a-z0-9]*$/;

export const tokenOf = (text: string): string => (PLAIN.test(text) ? text : tokenOfAny(text));

const tokenOfAny = (text: string): string =>
  text.replace(SPECIAL, (character) => `\\${character.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** Terms one behind the other. */
export function tokensOf(terms: readonly string[]): string {
  let tokens = "";
  for (let at = 0; at < terms.length; at++) tokens += at === 0 ? tokenOf(terms[at]!) : ` ${tokenOf(terms[at]!)}`;
  return tokens;
}

/** One token for each part of a scope: a passage has those of its owners, and a reader names some of them. */
export function ownerTokens({ tags = [], ...scope }: ScopeParts): string[] {
  const owners = OWNERS.flatMap((owner) => (scope[owner] === undefined ? [] : [`${owner}=${tokenOf(scope[owner])}`]));
  return [...owners, ...tags.map((tag) => `tag=${tokenOf(tag)}`)];
}

/** The question to FTS5: passages with all these owners and one of these terms. */
export function matchOf(owners: readonly string[], terms: readonly string[]): string {
  const words = `terms : (${terms.map(quoted).join(" OR ")})`;
  return owners.length === 0 ? words : `owners : (${owners.map(quoted).join(" AND ")}) AND ${words}`;
}

const quoted = (token: string): string => `"${token.replaceAll('"', '""')}"`;
