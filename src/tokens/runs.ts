import { CharacterClass, CLASS_OF } from "./character-class.js";
import { CUTS, SYMBOLS } from "./estimate-costs.js";

/**
 * Cuts a text into the runs that tokenizers merge within, in one pass over its character codes: words at a change of
 * case or script, digits in threes, punctuation with the newlines after it, white space less the one blank that the
 * next word takes along. Each run adds to the amounts of its cells; the estimate is the sum of amount times cost.
 */

const { lower, latin, vietnamese, han, otherLetter, digit, space, newline } = CharacterClass;
const { punctuation, widePunctuation, symbol, surrogate } = CharacterClass;

/** Shapes of a word in Latin letters; each has a cost for every length, one for likely cuts, one for the tail. */
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
  vietnamese: 12,
} as const;
const SHAPES = 13;

/** Longest word with a cost of its own; what is longer pays for each further letter. */
const LONGEST = 14;
const WORD_CELLS = LONGEST + 2;
const CUT = LONGEST;
const TAIL = LONGEST + 1;

const SCRIPTS = SHAPES * WORD_CELLS;
const SCRIPT_CELLS = 4;
const OTHERS = SCRIPTS + (otherLetter + 1) * SCRIPT_CELLS;

/** Cells of everything that is not a word. */
export const Cell = {
  digits: OTHERS,
  indent: OTHERS + 1,
  longBlank: OTHERS + 2,
  lineBreak: OTHERS + 3,
  lineBreaks: OTHERS + 4,
  spaceBeforeDigit: OTHERS + 5,
  blankBeforeMark: OTHERS + 6,
  blankBeforeWord: OTHERS + 7,
  mark: OTHERS + 8,
  marks2: OTHERS + 9,
  marks3: OTHERS + 10,
  marksMore: OTHERS + 11,
  markChange: OTHERS + 12,
  markRepeat: OTHERS + 13,
  markBreak: OTHERS + 14,
  symbols: OTHERS + 15,
  symbol: OTHERS + 16,
  symbolRepeat: OTHERS + 17,
  emoji: OTHERS + 18,
  astral: OTHERS + 19,
  accent: OTHERS + 20,
  wide: OTHERS + 21,
  /** Free in the fitted costs; families that give every digit a token pay here instead of `digits`. */
  digitCharacters: OTHERS + 22,
} as const;
export const CELL_COUNT: number = OTHERS + 23;

/** The cells that only words of one script, or with its marks, add to. */
export function scriptCells(script: string): number[] {
  if (script === "latin") return [...wordCells(Shape.accented), Cell.accent];
  if (script === "vietnamese") return wordCells(Shape.vietnamese);
  const kind = CharacterClass[script as keyof typeof CharacterClass];
  return Array.from({ length: SCRIPT_CELLS }, (_, index) => SCRIPTS + kind * SCRIPT_CELLS + index);
}

const wordCells = (shape: number): number[] =>
  Array.from({ length: WORD_CELLS }, (_, index) => shape * WORD_CELLS + index);

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
 * A hash of the last two letters; how often tokenizers cut there, `CUTS` knows. Han characters stand alone in it.
 *
 * @public for scripts/fit-estimate.mjs
 */
export function follow(trail: number, code: number): number {
  return ((trail << 7) ^ code ^ (code >> 5)) & TRAIL_MASK;
}
const TRAIL_MASK = 0x3fff;

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
  else if (kind <= otherLetter) scanScript(scan, kind);
  else if (kind === digit) scanDigits(scan);
  else if (kind <= newline) scanBlank(scan);
  else if (kind === punctuation) scanMarks(scan);
  else if (kind === surrogate) scanSurrogate(scan);
  else scanSymbols(scan);
}

function scanWord(scan: Scan): void {
  const { codes, position: start } = scan;
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
      if (kind >= latin) accents += kind === latin ? 1 : TONE;
      else if (uppers < position - start) break;
      else uppers++;
    }
    trail = follow(trail, code | 32);
    cuts += CUTS[trail]!;
  }
  scan.position = position;
  const length = position - start;
  const shape = accents > 0 ? addAccents(scan, accents) : shapeOf(scan, length, uppers);
  addWord(scan, shape * WORD_CELLS, { length, cuts });
}

/** A letter with a Vietnamese tone counts as this many accents, so that one number holds both. */
const TONE = 0x10000;

function addAccents({ amounts }: Scan, accents: number): number {
  amounts[Cell.accent]! += accents % TONE;
  return accents < TONE ? Shape.accented : Shape.vietnamese;
}

function shapeOf({ codes, position, prefix }: Scan, length: number, uppers: number): number {
  if (prefix === Prefix.digit || CLASS_OF[codes[position]!] === digit) return Shape.besideDigit;
  if (uppers === 0) return prefix;
  if (uppers === 1) return Shape.capitalBare + (prefix < Prefix.slash ? prefix : Prefix.mark);
  if (length > uppers) return Shape.upperThenLower;
  return prefix === Prefix.space ? Shape.upperAfterSpace : Shape.upperBare;
}

function addWord(scan: Scan, first: number, { length, cuts }: { length: number; cuts: number }): void {
  const { amounts } = scan;
  amounts[first + CUT]! += cuts;
  if (length > LONGEST) {
    amounts[first + LONGEST - 1]! += 1;
    amounts[first + TAIL]! += length - LONGEST;
  } else amounts[first + length - 1]! += 1;
  scan.prefix = Prefix.none;
}

function scanScript(scan: Scan, kind: number): void {
  const { codes, position: start, amounts } = scan;
  let position = start;
  let cuts = 0;
  let trail = 0;
  for (; ; position++) {
    const code = codes[position]!;
    if (CLASS_OF[code] !== kind) break;
    trail = follow(kind === han ? 0 : trail, code);
    cuts += CUTS[trail]!;
  }
  const length = position - start;
  const first = SCRIPTS + kind * SCRIPT_CELLS;
  amounts[first]! += 1;
  amounts[first + 1]! += length;
  amounts[first + 2]! += Math.max(0, length - 6);
  amounts[first + 3]! += cuts;
  scan.position = position;
  scan.prefix = Prefix.none;
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
  else amounts[next <= otherLetter ? Cell.blankBeforeWord : Cell.blankBeforeMark]! += 1;
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
  if (position - start === 1 && scan.prefix !== Prefix.space && next <= otherLetter) {
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

function scanSymbols(scan: Scan): void {
  const { codes, amounts } = scan;
  let { position } = scan;
  let previous = 0;
  for (; ; position++) {
    const code = codes[position]!;
    const kind = CLASS_OF[code]!;
    if (kind !== symbol && kind !== widePunctuation) break;
    const cost = kind === symbol ? symbolCost(code) : MERGED;
    if (code === previous && cost >= MERGED) amounts[Cell.symbolRepeat]! += 1;
    else if (kind === symbol) amounts[Cell.symbol]! += cost % MERGED;
    else amounts[Cell.wide]! += 1;
    previous = code;
  }
  amounts[Cell.symbols]! += 1;
  scan.position = position;
  scan.prefix = Prefix.none;
}

/** Added to the cost of a symbol that is one token with others like it. */
const MERGED = 4;
/** Latin's own symbols are the first of the table, behind them those of the blocks from general punctuation on. */
const LATIN_SYMBOLS = 0x80;
const FIRST_SYMBOL = 0x2000;
const RARE_COST = 3;

/** Tokens of a symbol that stands alone, and whether more of it cost more. */
function symbolCost(code: number): number {
  if (code < LATIN_SYMBOLS) return 1;
  const place = code < FIRST_SYMBOL ? code - LATIN_SYMBOLS : code - FIRST_SYMBOL + SYMBOL_BLOCK;
  return SYMBOLS[place] ?? RARE_COST;
}
const SYMBOL_BLOCK = 0x40;

/** Emoji lie in the planes of D83C to D83E; the rest beyond the basic plane are rare letters. */
function scanSurrogate(scan: Scan): void {
  const { codes, position } = scan;
  const lead = codes[position]!;
  scan.amounts[lead >= 0xd83c && lead <= 0xd83e ? Cell.emoji : Cell.astral]! += 1;
  scan.position += CLASS_OF[codes[position + 1]!] === surrogate ? 2 : 1;
  scan.prefix = Prefix.none;
}
