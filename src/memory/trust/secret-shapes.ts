/** How secrets look. Each pattern starts at a fixed prefix or name and has bounded parts, so that a text takes linear time. */
export interface SecretPattern {
  readonly kind: string;
  /** What the group `secret` holds ends the match; what must follow it is looked ahead at. */
  readonly pattern: RegExp;
  /** Whether what stands in the group `secret`, or the whole match, is one after all. */
  accept?(found: string): boolean;
}

/** Words that stand where a secret would stand. */
const PLACEHOLDER =
  /^(?:["'`]?$|[<{[(%&?]|\$[{(A-Za-z]|x{3,}|\*{2,}|\.{3}|•+|-+$|_+$)|your|placeholder|example|changeme|change[_-]me|dummy|redacted\b|insert|todo|undefined|null$|none$|true$|false$|string$|env\.|process\.|os\.|config\.|secrets\.|vault|\*{3}/i;
/** An expression of a program rather than a value. */
const EXPRESSION =
  /[()[\]{};]|^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)+$|^[a-z]+(?:[A-Z][a-z]+)+$|^(?:self|this|await|new|get|str|bytes|int|char|text|varchar)\b/;

export const isPlaceholder = (value: string): boolean => PLACEHOLDER.test(value);

/** Bits for each character: words have about 3, keys 4 and more. */
export function entropy(value: string): number {
  const counts = new Map<string, number>();
  for (const character of value) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / value.length) * Math.log2(count / value.length);
  return bits;
}

const kindsOfSigns = (value: string): number =>
  [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z0-9]/].filter((kind) => kind.test(value)).length;

/** Whether a value given to something named like a key is a key. */
export const looksLikeKey = (value: string): boolean =>
  value.length >= 16 &&
  /\d/.test(value) &&
  kindsOfSigns(value) >= 2 &&
  entropy(value) >= 3 &&
  !isPlaceholder(value) &&
  !EXPRESSION.test(value) &&
  !/^(?:[a-z]+:)?\/\//i.test(value);

/** A password may be any word; one that is no program's name has a digit or a sign, or stands in quotes. */
export function looksLikePassword(value: string): boolean {
  const plain = value.replace(/^["'`]|["'`]$/g, "");
  if (plain.length < 4 || isPlaceholder(plain) || EXPRESSION.test(plain)) return false;
  return plain !== value || /\d|[^\w.,-]/.test(plain) || kindsOfSigns(plain) >= 3;
}
