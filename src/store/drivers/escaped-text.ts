/**
 * Texts that a database cannot keep as they are: with the character 0, at which some end, or half a surrogate pair,
 * which has no UTF-8. Names that callers choose are escaped so that any two stay apart and the beginning of one is the
 * beginning of the other.
 */
const SPECIAL = /[\0\\]|\p{Surrogate}/gu;

export const escaped = (text: string): string =>
  text.replace(SPECIAL, (character) => `\\${character.charCodeAt(0).toString(16).padStart(4, "0")}`);

export const unescaped = (text: string): string =>
  text.replace(/\\([0-9a-f]{4})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
