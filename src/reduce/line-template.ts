/** What kind of line a line is: the line without what varies. Two lines of one kind have the same hash. */
export interface LineTemplate {
  readonly kind: number;
  /** Hash of the first words alone: kinds that begin alike are of one family. */
  readonly family: number;
}

const FAMILY_WORDS = 3;
const SCANNED = 400;
const SEED = 0x811c9dc5;
const PRIME = 0x01000193;
const VARIABLE = 0x23;
const HEX_WORD = 8;

/**
 * Hashes a line from `start`, with each word that holds a digit, and each long hexadecimal word, taken for a
 * variable. One pass, no allocation: it runs over every line of texts of many megabytes.
 */
export function lineTemplate(line: string, start = 0): LineTemplate {
  const end = Math.min(line.length, start + SCANNED);
  let low = SEED;
  let high = SEED ^ 0x5bd1e995;
  let words = 0;
  let family: number | undefined;
  for (let at = start; at < end; ) {
    const word = readWord(line, at, end);
    const value = word.length === 0 ? separator(line.charCodeAt(at)) : word.variable ? VARIABLE : word.hash;
    low = Math.imul(low ^ value, PRIME);
    high = Math.imul(high ^ (value + 0x9e37), 0x85ebca6b);
    at += Math.max(1, word.length);
    if (word.length > 1 && !word.variable && ++words === FAMILY_WORDS) family = low >>> 0;
  }
  return { kind: (high >>> 11) * 2 ** 32 + (low >>> 0), family: family ?? low >>> 0 };
}

/** A word that a template leaves open, with a hash of what stands before it: the word that names it, most often. */
export interface LineVariable {
  readonly start: number;
  readonly end: number;
  readonly context: number;
}

const MOST_VARIABLES = 24;

/** The words of a line, from `start`, that its template takes for variables. */
export function lineVariables(line: string, start = 0): LineVariable[] {
  const found: LineVariable[] = [];
  let context = SEED;
  for (let at = start; at < line.length && found.length < MOST_VARIABLES; ) {
    const word = readWord(line, at, line.length);
    const end = at + Math.max(1, word.length);
    if (word.variable) found.push({ start: at, end, context: context >>> 0 });
    if (word.length === 0) context = Math.imul(context ^ separator(line.charCodeAt(at)), PRIME);
    else context = word.variable ? VARIABLE : word.hash;
    at = end;
  }
  return found;
}

export interface LineWord {
  readonly start: number;
  readonly end: number;
  /** The same for all variables. */
  readonly hash: number;
  readonly variable: boolean;
}

/** The words of a line, from `start`, that decide of what kind it is, and a hash of the signs between them. */
export function lineWords(line: string, start = 0): { readonly words: LineWord[]; readonly shape: number } {
  const limit = Math.min(line.length, start + SCANNED);
  const words: LineWord[] = [];
  let shape = SEED;
  for (let at = start; at < limit; ) {
    const { length, hash, variable } = readWord(line, at, limit);
    const end = at + Math.max(1, length);
    if (length > 0) words.push({ start: at, end, hash: variable ? VARIABLE : hash, variable });
    shape = Math.imul(shape ^ (length > 0 ? VARIABLE : separator(line.charCodeAt(at))), PRIME);
    at = end;
  }
  return { words, shape };
}

interface Word {
  readonly length: number;
  readonly hash: number;
  readonly variable: boolean;
}

function readWord(line: string, start: number, end: number): Word {
  let hash = SEED;
  let at = start;
  let digit = false;
  let hex = true;
  for (; at < end; at++) {
    const code = line.charCodeAt(at);
    if (!isWordCode(code)) break;
    if (code >= 48 && code <= 57) digit = true;
    else if (hex && !isHexLetter(code)) hex = false;
    hash = Math.imul(hash ^ code, PRIME);
  }
  return { length: at - start, hash, variable: digit || (hex && at - start >= HEX_WORD) };
}

/** Letters, digits, all beyond ASCII, and what joins the parts of a path, a name or a version. */
function isWordCode(code: number): boolean {
  if (code >= 97 && code <= 122) return true;
  if (code >= 45 && code <= 57) return true;
  if (code >= 64 && code <= 90) return true;
  return code >= 128 || code === 95 || code === 92 || code === 126 || code === 43 || code === 36 || code === 37;
}

function isHexLetter(code: number): boolean {
  return (code >= 97 && code <= 102) || (code >= 65 && code <= 70) || code === 45;
}

function separator(code: number): number {
  return code === 9 ? 32 : code;
}
