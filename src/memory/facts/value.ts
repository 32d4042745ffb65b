/** How values and slots are cut out of a sentence and compared. */

/** What people hang on to a value, and is not part of it. */
const TAIL =
  /(?:,? (?:now|these days|at the moment|currently|instead|any ?more|right now|today|already|though|too|as well|from now on|going forward|please|by the way|as of .*|since .*|starting .*|for now|full[- ]time|part[- ]time|again|lately|btw|(?:last|this|next) (?:week|month|year|spring|summer|fall|autumn|winter|\w+day)|in (?:19|20)\d\d|(?:a|two|three|few|\d+) (?:years?|months?|weeks?) ago)|,? (?:not|instead of|rather than) [^,]*)+$/i;
const QUOTES = /^["'`“”(]+|["'`“”)]+$/g;

/** A value as it was said, without what surrounds it. */
export function trimValue(text: string): string {
  let value = text.trim().replace(/^(?:indeed|actually|just|simply|really|still|currently|now) (?=\S)/, "");
  for (let before = ""; before !== value; ) {
    before = value;
    value = value
      .replace(/,? (?:he|she|it|they|who|which|I|we)(?:'s|'re|'m)? .*$/, "")
      .replace(/(?<![\s.,!?;:])[\s.,!?;:]+$/, "")
      .replace(TAIL, "")
      .trim();
  }
  return value.replace(QUOTES, "").trim();
}

/**
 * The form in which two values are compared.
 *
 * @example
 * ```ts
 * normalValue("The “Acme” Corp."); // "acme corp"
 * ```
 */
export function normalValue(value: string): string {
  return value
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[’‘]/g, "'")
    .replace(/[“”"`]/g, "")
    .replace(/^(?:the|a|an) /, "")
    .replace(/(?<![\s.,!?;:])[\s.,!?;:]+$/, "")
    .replace(/\s+/g, " ")
    .trim();
}

/** The form of a slot: no articles, no possessive endings, lower case. */
export function normalSlot(slot: string): string {
  return normalValue(slot)
    .replace(/'s\b/g, "")
    .replace(/(^|[ /])(?:the|a|an|current|our|my|new|actual) (?=\S)/g, "$1")
    .replace(/\b(?:colour)\b/g, "color")
    .replace(/\bfavourite\b/g, "favorite")
    .replace(/\btime ?zone\b/g, "timezone")
    .replace(/\be-mail\b/g, "email")
    .replace(/\b(email|phone|mobile) (?:address|number)\b/g, "$1")
    .trim();
}

const MORE_NAME = /^\p{Lu}[\p{L}.]*(?:[ ,]+\p{L}[\p{L}.]*)*$/u;

/** Whether two values of one slot say the same: equal, or one a proper name with a word more ("Acme", "Acme Corp"). */
export function sameValue(left: string, right: string): boolean {
  const [few, many] = left.length <= right.length ? [left, right] : [right, left];
  const [short, long] = [normalValue(few), normalValue(many)];
  if (short === long) return true;
  return (
    MORE_NAME.test(few) && MORE_NAME.test(many) && /^[ ,]/.test(long.slice(short.length)) && long.startsWith(short)
  );
}
