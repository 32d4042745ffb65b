import { LOOK_AHEAD, type PieceEnd } from "./plain-pieces.js";
import { LONGEST_KEPT, ShortPieces } from "./short-pieces.js";

export interface PieceWalkInput {
  /** Cuts a text into pieces; matches leave no gap. */
  readonly pieces: RegExp;
  /** Finds the same pieces faster, where it can. */
  readonly pieceEnd?: PieceEnd | undefined;
  /** The tokens of one piece. */
  readonly count: (piece: string) => number;
}

/** Characters of a text that are looked at together. */
const STRETCH = 16_384;
const SPACE = 32;
const NEVER: PieceEnd = () => -1;

/** Goes over texts piece by piece and adds their tokens up. */
export class PieceWalk {
  readonly #pieces: RegExp;
  readonly #pieceEnd: PieceEnd;
  readonly #countPiece: (piece: string) => number;
  readonly #short = new ShortPieces();
  readonly #codes = new Uint16Array(STRETCH);
  readonly #bytes = Buffer.from(this.#codes.buffer);
  /** Where the stretch starts in its text, its length, and up to where it tells where pieces end. */
  #from = 0;
  #length = 0;
  #sure = 0;

  constructor({ pieces, pieceEnd = NEVER, count }: PieceWalkInput) {
    this.#pieces = pieces;
    this.#pieceEnd = pieceEnd;
    this.#countPiece = count;
  }

  count(text: string): number {
    let total = 0;
    for (let from = 0, at = 0; from < text.length; from += at) {
      this.#look(text, from);
      at = 0;
      do {
        const found = this.#pieceEnd(this.#codes, at, this.#length);
        if (found > this.#sure && at > 0) break;
        const isPlain = found >= 0 && found <= this.#sure;
        const end = isPlain ? found : this.#endOf(text, from + at) - from;
        const isShort = isPlain && end - at <= LONGEST_KEPT;
        total += isShort ? this.#countShort(text, at, end) : this.#countPiece(text.slice(from + at, from + end));
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
    if (!isLast) while (this.#length > 0 && this.#codes[this.#length - 1]! <= SPACE) this.#length--;
    this.#sure = isLast ? this.#length : this.#length - LOOK_AHEAD;
  }

  #endOf(text: string, start: number): number {
    this.#pieces.lastIndex = start;
    return this.#pieces.test(text) ? this.#pieces.lastIndex : text.length;
  }

  #countShort(text: string, at: number, end: number): number {
    const place = this.#short.placeOf(this.#codes, at, end);
    const known = this.#short.countAt(place);
    if (known > 0) return known;
    const piece = text.slice(this.#from + at, this.#from + end);
    const count = this.#countPiece(piece);
    this.#short.keep(place, piece, count);
    return count;
  }
}
