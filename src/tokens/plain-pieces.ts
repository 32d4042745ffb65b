/** Kinds of characters that o200k cuts texts by. What is not ASCII is of no kind known here. */
const OTHER = 0;
const UPPER = 1;
const LOWER = 2;
const DIGIT = 3;
const BLANK = 4;
const BREAK = 5;
const FOREIGN = 6;
const END = 7;

function kindOf(code: number): number {
  const character = String.fromCharCode(code);
  if (code > 127) return FOREIGN;
  if (/[A-Z]/.test(character)) return UPPER;
  if (/[a-z]/.test(character)) return LOWER;
  if (/[0-9]/.test(character)) return DIGIT;
  if (/[\r\n]/.test(character)) return BREAK;
  return /\s/.test(character) ? BLANK : OTHER;
}

/** One for each code, so that no bound is checked. */
const KINDS = new Uint8Array(65_536).fill(FOREIGN);
for (let code = 0; code < 128; code++) KINDS[code] = kindOf(code);

/** Whether a character of ASCII is a blank or a line break. */
export const isBlankCode = (code: number): boolean => KINDS[code] === BLANK || KINDS[code] === BREAK;

const SPACE = 32;
const APOSTROPHE = 39;
const SLASH = 47;
const MOST_DIGITS = 3;

/** Characters behind the end of a piece that it takes to tell that it ends there. */
export const LOOK_AHEAD = 3;

/** Where a piece that starts at an offset ends, by the codes of its characters up to a length; -1 where that is unclear. */
export type PieceEnd = (codes: Uint16Array, start: number, length: number) => number;

/**
 * The pieces of o200k; it is unclear where characters beyond ASCII have a say in them. This finds what the expression of
 * the encoding finds, in a fraction of the time: most that agents read and write is plain.
 */
export const plainPieceEnd: PieceEnd = (codes, start, length) => {
  const first = KINDS[codes[start]!]!;
  if (first === FOREIGN) return -1;
  if (first === DIGIT) return digitsEnd(codes, start, length);
  if (first === UPPER || first === LOWER) return wordEnd(codes, start, length);
  const second = start + 1 < length ? KINDS[codes[start + 1]!] : END;
  if (first !== BREAK && (second === UPPER || second === LOWER)) return wordEnd(codes, start + 1, length);
  if (first === OTHER) return marksEnd(codes, start + 1, length);
  if (second === OTHER && codes[start] === SPACE) return marksEnd(codes, start + 2, length);
  return blankEnd(codes, start, length);
};

const isForeign = (codes: Uint16Array, at: number, length: number): boolean =>
  at < length && KINDS[codes[at]!] === FOREIGN;

const digitsEnd: PieceEnd = (codes, start, length) => {
  const most = Math.min(length, start + MOST_DIGITS);
  let at = start + 1;
  while (at < most && KINDS[codes[at]!] === DIGIT) at++;
  return isForeign(codes, at, most) ? -1 : at;
};

/** Capitals, then small letters, then what `'s` and its like add. */
const wordEnd: PieceEnd = (codes, start, length) => {
  let at = start;
  while (at < length && KINDS[codes[at]!] === UPPER) at++;
  while (at < length && KINDS[codes[at]!] === LOWER) at++;
  if (isForeign(codes, at, length)) return -1;
  return at < length && codes[at] === APOSTROPHE ? contractionEnd(codes, at, length) : at;
};

const [S, D, M, T, L, V, R, E] = Array.from("sdmtlvre", (letter) => letter.charCodeAt(0));
const TO_LOWER = 32;

/** Behind `'s`, `'d`, `'m`, `'t`, `'ll`, `'ve` or `'re`, in capitals as well; where it starts if it is none of them. */
const contractionEnd: PieceEnd = (codes, start, length) => {
  const first = start + 1 < length ? codes[start + 1]! | TO_LOWER : 0;
  if (first === S || first === D || first === M || first === T) return start + 2;
  const second = start + 2 < length ? codes[start + 2]! | TO_LOWER : 0;
  const isOne = first === L ? second === L : (first === V || first === R) && second === E;
  return isOne ? start + 3 : start;
};

/** Behind the first of the marks: more of them, then line breaks and slashes. */
const marksEnd: PieceEnd = (codes, start, length) => {
  let at = start;
  while (at < length && KINDS[codes[at]!] === OTHER) at++;
  if (isForeign(codes, at, length)) return -1;
  while (at < length && (KINDS[codes[at]!] === BREAK || codes[at] === SLASH)) at++;
  return at;
};

/** Up to the last line break; without one all blanks but the last, which goes with what follows. */
const blankEnd: PieceEnd = (codes, start, length) => {
  let behindBreak = -1;
  let at = start;
  for (; at < length; at++) {
    const kind = KINDS[codes[at]!];
    if (kind === BREAK) behindBreak = at + 1;
    else if (kind !== BLANK) break;
  }
  if (isForeign(codes, at, length)) return -1;
  if (behindBreak >= 0) return behindBreak;
  return at === length || at - start === 1 ? at : at - 1;
};
