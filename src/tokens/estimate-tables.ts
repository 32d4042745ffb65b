import { CUT_ROWS, SYMBOL_ROWS } from "./estimate-costs.js";

/** How many tokens begin at a letter, in eighths, by the place that `runs.ts` gives it. */
export const CUTS: Uint8Array = new Uint8Array(0x10000);

/**
 * Tokens of each symbol at the most, by its code, and 8 more where eight of it are hardly more than one. What is in no
 * block costs its bytes.
 */
export const SYMBOLS: Uint8Array = new Uint8Array(0x20000).fill(3, 0x80, 0x10000).fill(4, 0x10000);

/**
 * First and last code of the symbols that are known.
 *
 * @public for scripts/fit-estimate.mjs
 */
export const SYMBOL_BLOCKS: readonly (readonly [first: number, last: number])[] = [
  [0x00, 0x1f],
  [0x7f, 0xbf],
  [0xd7, 0xd7],
  [0xf7, 0xf7],
  [0x2000, 0x2bff],
  [0x3000, 0x303f],
  [0x3200, 0x33ff],
  [0xfe00, 0xfe6f],
  [0xff00, 0xff65],
  [0xffe0, 0xffff],
  [0x1f000, 0x1faff],
];

/** The value of a digit to base 36; a parser would be felt at the start of a program. */
function digitAt(row: string, at: number): number {
  const code = row.charCodeAt(at);
  return code < 0x3a ? code - 0x30 : code - 0x57;
}

for (const [index, row] of CUT_ROWS.entries()) {
  for (let at = 0; at < row.length; at++) CUTS[index * row.length + at] = digitAt(row, at);
}

const symbols = SYMBOL_ROWS.join("");
let place = 0;
for (const [first, last] of SYMBOL_BLOCKS) {
  for (let code = first; code <= last && place < symbols.length; code++) SYMBOLS[code] = digitAt(symbols, place++);
}
