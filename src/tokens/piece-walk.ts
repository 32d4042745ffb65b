import { isBlankCode, LOOK_AHEAD, type PieceEnd } from "./plain-pieces.js";
import { LONGEST_KEPT, ShortPieces } from "./short-pieces.js";

export interface PieceWalkInput {
  /** Where the piece ends that starts at an offset of a text. */
  readonly endOf: (text: string, start: number) => number;
  /** Finds the same faster, where it can. */
  readonly pieceEnd: PieceEnd;
  /** The tokens of one piece, and the same for those that are worth keeping. */
  readonly count: (piece: string) => number;
  readonly countKept: (piece: string) => number;
}

/** Characters of a text that are looked at together. */
const STRETCH = 16_384;

/**
 * Goes over texts piece by piece and adds their tokens up. It looks at a stretch of codes at a time. A piece that may
 * end behind the stretch is looked at again, at the start of the next one; one that stands at the start already, and one
 * that codes alone do not tell, is left to the slower way.
 */
export class PieceWalk {
  readonly #input: PieceWalkInput;
  readonly #short = new ShortPieces();
  readonly #codes = new Uint16Array(STRETCH);
  readonly #bytes = Buffer.from(this.#codes.buffer);
  /** Where the stretch starts in its text, its length, and up to where it tells where pieces end. */
  #from = 0;
  #length = 0;
  #sure = 0;

  constructor(input: PieceWalkInput) {
    this.#input = input;
  }

  count(text: string): number {
    const { pieceEnd, endOf } = this.#input;
    let total = 0;
    for (let from = 0, at = 0; from < text.length; from += at) {
      this.#look(text, from);
      at = 0;
      do {
        const found = pieceEnd(this.#codes, at, this.#length);
        if (found > this.#sure && at > 0) break;
        const isFound = found >= 0 && found <= this.#sure;
        const end = isFound ? found : endOf(text, from + at) - from;
        total += isFound ? this.#countFound(text, at, end) : this.#input.countKept(text.slice(from + at, from + end));
        at = end;
      } while (at < this.#length);
    }
    return total;
  }

  /** A stretch ends with no blank, unless the text does: how many of them follow decides where their piece ends. */
  #look(text: string, from: number): void {
    const isLast = text.length - from <= STRETCH;
    this.#bytes.write(from === 0 && isLast ? text : text.slice(from, from + STRETCH), "utf16le");
    this.#from = from;
    this.#length = isLast ? text.length - from : STRETCH;
    if (!isLast) while (this.#length > 0 && isBlankCode(this.#codes[this.#length - 1]!)) this.#length--;
    this.#sure = isLast ? this.#length : this.#length - LOOK_AHEAD;
  }

  #countFound(text: string, at: number, end: number): number {
    const { count, countKept } = this.#input;
    const place = end - at > LONGEST_KEPT ? -1 : this.#short.placeOf(this.#codes, at, end);
    const known = place < 0 ? 0 : this.#short.countAt(place);
    if (known > 0) return known;
    const piece = text.slice(this.#from + at, this.#from + end);
    if (place < 0) return countKept(piece);
    const tokens = count(piece);
    this.#short.keep(place, piece, tokens);
    return tokens;
  }
}
