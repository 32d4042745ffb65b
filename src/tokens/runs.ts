import { CharacterClass, CLASS_OF } from "./character-class.js";
import { CUTS, SYMBOLS } from "./estimate-tables.js";

/**
 * Cuts a text into the runs that tokenizers merge within, in one pass over its character codes: words at a change of
 * case or script, digits, punctuation with the newlines after it, white space less the one blank that the next word
 * takes along. Each run adds to the amounts of its cells; the estimate is the sum of amount times cost.
 */

const { lower, latin, rareLatin, vietnamese, hangul, han, threeBytes, digit, space, newline } = CharacterClass;
const { punctuation, symbol, surrogate } = CharacterClass;

/** Shapes of a word in Latin letters. Words of other scripts have the shape of their script, behind these. */
const Shape = {
  // The first four are the values of Prefix.
  lowerBare: 0,
  lowerAfterSpace: 1,
  lowerAfterMark: 2,
  lowerAfterSlash: 3,
  capitalBare: 4,
  capitalAfterSpace: 5,
  capitalAfterMark: 6,
  upperBare: 7,
  upperAfterSpace: 8,
  upperThenLower: 9,
  besideDigit: 10,
  accented: 11,
  rare: 12,
  vietnamese: 13,
} as const;
/**
 * What the class of a letter lacks to the shape of its words.
 *
 * @public for scripts/fit-estimate.mjs
 */
export const SCRIPTS: number = Shape.vietnamese - vietnamese;

/**
 * What every word adds to: one, its letters, those beyond the sixth, and how often tokens are likely to begin in it.
 *
 * @public for scripts/fit-estimate.mjs
 */
export const WORD_CELLS = 4;
const LONG = 6;
const OTHERS = (SCRIPTS + threeBytes + 1) * WORD_CELLS;

/**
 * Cells of everything that is not a word.
 *
 * @public for scripts/fit-estimate.mjs
 */
export const Cell = {
  digits: OTHERS,
  digitCharacters: OTHERS + 1,
  indent: OTHERS + 2,
  longBlank: OTHERS + 3,
  lineBreak: OTHERS + 4,
  lineBreaks: OTHERS + 5,
  spaceBeforeDigit: OTHERS + 6,
  blankBeforeMark: OTHERS + 7,
  blankBeforeWord: OTHERS + 8,
  mark: OTHERS + 9,
  marks2: OTHERS + 10,
  marks3: OTHERS + 11,
  marksMore: OTHERS + 12,
  markChange: OTHERS + 13,
  markRepeat: OTHERS + 14,
  markBreak: OTHERS + 15,
  symbols: OTHERS + 16,
  symbol: OTHERS + 17,
  symbolRepeat: OTHERS + 18,
  accent: OTHERS + 19,
  rareAccent: OTHERS + 20,
  tone: OTHERS + 21,
  spaceBeforeSymbol: OTHERS + 22,
} as const;
export const CELL_COUNT: number = OTHERS + 23;

/** What stands before a word and is merged with it. */
const Prefix = { none: 0, space: 1, mark: 2, slash: 3, digit: 4 } as const;
const SLASH = 0x2f;

/** Where the scan is. The codes go on past the length with a line break, so that looking ahead needs no check. */
interface Scan {
  readonly codes: Uint16Array;
  readonly length: number;
  readonly amounts: Float64Array;
  position: number;
  prefix: number;
}

/**
 * The place in `CUTS` of a Latin letter: the last three letters of its word, letters with accents sharing a few places.
 *
 * @public for scripts/fit-estimate.mjs
 */
export const followLatin = (trail: number, code: number, kind: number): number =>
  ((trail << 5) | (kind < latin ? code & 31 : ACCENTS + (code & 3))) & TRAIL_MASK;
const ACCENTS = 28;
const TRAIL_MASK = 0x7fff;

/**
 * The place in `CUTS` of another letter, a hash of it and the letter before; characters of Han and Hangul stand alone.
 *
 * @public for scripts/fit-estimate.mjs
 */
export const followScript = (before: number, code: number, kind: number): number =>
  BEYOND_LATIN | ((kind === han || kind === hangul ? code : Math.imul(before, SPREAD) ^ code) & TRAIL_MASK);
const BEYOND_LATIN = 0x8000;
/** Keeps the pairs of one alphabet apart. */
const SPREAD = 0x9e5;

/** Adds the runs of a text to `amounts`, which has CELL_COUNT places. */
export function tallyRuns(text: string, amounts: Float64Array): void {
  const { length } = text;
  const codes = codesOf(text);
  const scan: Scan = { codes, length, amounts, position: 0, prefix: Prefix.none };
  while (scan.position < length) scanRun(scan, CLASS_OF[codes[scan.position]!]!);
}

const LINE_BREAK = 0x0a;
const scratch = new Uint16Array(0x8000);

/** The text's code units as an array, which is read several times faster than a string is. */
function codesOf(text: string): Uint16Array {
  const codes = text.length < scratch.length ? scratch : new Uint16Array(text.length + 1);
  Buffer.from(codes.buffer).write(text, "utf16le");
  codes[text.length] = LINE_BREAK;
  return codes;
}

function scanRun(scan: Scan, kind: number): void {
  if (kind <= vietnamese) scanWord(scan);
  else if (kind <= threeBytes) scanScript(scan, kind);
  else if (kind === digit) scanDigits(scan);
  else if (kind <= newline) scanBlank(scan);
  else if (kind === punctuation) scanMarks(scan);
  else scanSymbols(scan);
}

function scanWord(scan: Scan): void {
  const { codes, amounts, position: start } = scan;
  let position = start;
  let uppers = 0;
  let accents = 0;
  let cuts = 0;
  let trail = 0;
  for (; ; position++) {
    const code = codes[position]!;
    const kind = CLASS_OF[code]!;
    if (kind !== lower) {
      if (kind > vietnamese) break;
      if (kind >= latin) {
        amounts[Cell.accent + kind - latin]! += 1;
        accents |= 1 << kind;
      } else if (uppers < position - start) break;
      else uppers++;
    }
    trail = followLatin(trail, code, kind);
    cuts += CUTS[trail]!;
  }
  scan.position = position;
  const length = position - start;
  addWord(scan, accents > 0 ? accentedShape(accents) : shapeOf(scan, length, uppers), { length, cuts });
}

function accentedShape(accents: number): number {
  if (accents >= 1 << vietnamese) return Shape.vietnamese;
  return accents >= 1 << rareLatin ? Shape.rare : Shape.accented;
}

function shapeOf({ codes, position, prefix }: Scan, length: number, uppers: number): number {
  if (prefix === Prefix.digit || CLASS_OF[codes[position]!] === digit) return Shape.besideDigit;
  if (uppers === 0) return prefix;
  if (uppers === 1) return Shape.capitalBare + (prefix < Prefix.slash ? prefix : Prefix.mark);
  if (length > uppers) return Shape.upperThenLower;
  return prefix === Prefix.space ? Shape.upperAfterSpace : Shape.upperBare;
}

function addWord(scan: Scan, shape: number, { length, cuts }: { length: number; cuts: number }): void {
  const { amounts } = scan;
  const first = shape * WORD_CELLS;
  amounts[first]! += 1;
  amounts[first + 1]! += length;
  if (length > LONG) amounts[first + 2]! += length - LONG;
  amounts[first + 3]! += cuts;
  scan.prefix = Prefix.none;
}

function scanScript(scan: Scan, kind: number): void {
  const { codes, position: start } = scan;
  let position = start;
  let cuts = 0;
  let before = 0;
  for (; ; position++) {
    const code = codes[position]!;
    if (CLASS_OF[code] !== kind) break;
    cuts += CUTS[followScript(before, code, kind)]!;
    before = code;
  }
  scan.position = position;
  addWord(scan, SCRIPTS + kind, { length: position - start, cuts });
}

function scanDigits(scan: Scan): void {
  const { codes, position: start } = scan;
  let position = start + 1;
  while (CLASS_OF[codes[position]!] === digit) position++;
  scan.amounts[Cell.digits]! += Math.ceil((position - start) / 3);
  scan.amounts[Cell.digitCharacters]! += position - start;
  scan.position = position;
  scan.prefix = Prefix.digit;
}

/** White space up to the last line break is one run; of the blanks after it, the last may go with what follows. */
function scanBlank(scan: Scan): void {
  const { codes, length } = scan;
  let { position } = scan;
  if (isLoneSpace(codes, position)) {
    scan.position = position + 1;
    scan.prefix = Prefix.space;
    return;
  }
  let afterBreak = position;
  let breaks = 0;
  let width = 0;
  for (; position < length; position++) {
    const code = codes[position]!;
    const kind = CLASS_OF[code]!;
    if (kind < space || kind > newline) break;
    width += kind === space ? SPACE_WIDTH : code === RETURN ? RETURN_WIDTH : BLANK_WIDTH;
    if (kind !== newline) continue;
    afterBreak = position + 1;
    breaks++;
  }
  scan.position = position;
  scan.prefix = Prefix.none;
  if (breaks > 0) scan.amounts[breaks > 1 ? Cell.lineBreaks : Cell.lineBreak]! += 1;
  if (position > afterBreak) addIndent(scan, position - afterBreak);
  if (width > 1) scan.amounts[Cell.longBlank]! += width;
}

/** Shares of the longest run of its kind that is one token. */
const SPACE_WIDTH = 1 / 80;
const BLANK_WIDTH = 1 / 16;
const RETURN_WIDTH = 1 / 5;
const RETURN = 0x0d;

/** One space between words, the commonest run of all, costs nothing but a look at what follows. */
function isLoneSpace(codes: Uint16Array, position: number): boolean {
  if (CLASS_OF[codes[position]!] !== space) return false;
  const next = CLASS_OF[codes[position + 1]!]!;
  return next < digit || next > newline;
}

function addIndent(scan: Scan, length: number): void {
  const { codes, position, amounts } = scan;
  const next = CLASS_OF[codes[position]!]!;
  if (length > 1) amounts[Cell.indent]! += 1;
  if (next === digit) amounts[Cell.spaceBeforeDigit]! += 1;
  else if (CLASS_OF[codes[position - 1]!] === space) scan.prefix = Prefix.space;
  else amounts[next <= threeBytes ? Cell.blankBeforeWord : Cell.blankBeforeMark]! += 1;
}

function scanMarks(scan: Scan): void {
  const { codes, position: start } = scan;
  let position = start + 1;
  let changes = 0;
  for (; CLASS_OF[codes[position]!] === punctuation; position++) {
    if (codes[position]! !== codes[position - 1]!) changes++;
  }
  scan.position = position;
  const next = CLASS_OF[codes[position]!]!;
  if (position - start === 1 && scan.prefix !== Prefix.space && next <= threeBytes) {
    scan.prefix = codes[start]! === SLASH ? Prefix.slash : Prefix.mark;
    return;
  }
  scan.prefix = Prefix.none;
  addMarks(scan.amounts, position - start, changes);
  if (next === newline && position < scan.length) absorbBreaks(scan);
}

function addMarks(amounts: Float64Array, length: number, changes: number): void {
  amounts[length > 3 ? Cell.marksMore : Cell.mark + length - 1]! += 1;
  if (length < 4) return;
  amounts[Cell.markChange]! += changes;
  amounts[Cell.markRepeat]! += (length - 1 - changes) / 16;
}

/** Line breaks straight after punctuation are of one run with it. */
function absorbBreaks(scan: Scan): void {
  const { codes, length } = scan;
  while (scan.position < length && CLASS_OF[codes[scan.position]!] === newline) scan.position++;
  scan.amounts[Cell.markBreak]! += 1;
}

/** Symbols cost what `SYMBOLS` says of each; those that merge with others like them cost little when they are repeated. */
function scanSymbols(scan: Scan): void {
  const { codes, amounts } = scan;
  let { position } = scan;
  let previous = 0;
  for (; ; position++) {
    let code = codes[position]!;
    const kind = CLASS_OF[code]!;
    if (kind !== symbol && kind !== surrogate) break;
    if (kind === surrogate) code = (code << 10) + codes[++position]! - SURROGATES;
    const cost = SYMBOLS[code] ?? ASTRAL_COST;
    if (code === previous && cost >= MERGED) amounts[Cell.symbolRepeat]! += 1;
    else amounts[Cell.symbol]! += cost % MERGED;
    previous = code;
  }
  amounts[Cell.symbols]! += 1;
  if (scan.prefix === Prefix.space) amounts[Cell.spaceBeforeSymbol]! += 1;
  scan.position = position;
  scan.prefix = Prefix.none;
}

/** Added to the cost of a symbol that is one token with others like it. */
const MERGED = 8;
/** Bytes of a character beyond the basic plane. */
const ASTRAL_COST = 4;
/** What makes a code point of (lead << 10) + trail. */
const SURROGATES = (0xd800 << 10) + 0xdc00 - 0x10000;
