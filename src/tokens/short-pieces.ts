/** A power of two, with room to spare: where few places are free it takes long to find one. */
const PLACES = 32_768;
const MOST_KEPT = 20_000;
/** Numbers of a place: the length and the count of its piece in one, then the codes of its characters. */
const WIDTH = 16;
export const LONGEST_KEPT: number = WIDTH - 1;

/**
 * The counts of short pieces of late: they come again and again. A piece is found by the codes of its characters, so
 * that no text is made to look it up.
 */
export class ShortPieces {
  readonly #places = new Uint16Array(PLACES * WIDTH);
  #kept = 0;

  /** The place at which the piece between two offsets is kept, or can be. */
  placeOf(codes: Uint16Array, start: number, end: number): number {
    const length = end - start;
    let hash = length;
    for (let at = start; at < end; at++) hash = Math.imul(hash ^ codes[at]!, 0x5bd1e995);
    for (let place = (hash ^ (hash >>> 15)) & (PLACES - 1); ; place = (place + 1) & (PLACES - 1)) {
      const head = this.#places[place * WIDTH]!;
      if (head === 0) return place;
      if (head >> 8 !== length) continue;
      const offset = place * WIDTH + 1 - start;
      let at = start;
      while (at < end && this.#places[offset + at] === codes[at]) at++;
      if (at === end) return place;
    }
  }

  /** 0 where no piece is kept there. */
  countAt(place: number): number {
    return this.#places[place * WIDTH]! & 0xff;
  }

  /** Keeps a piece at its place. Where there are too many, all go: the places of others hold no longer then. */
  keep(place: number, piece: string, count: number): void {
    const head = place * WIDTH;
    this.#places[head] = (piece.length << 8) | count;
    for (let at = 0; at < piece.length; at++) this.#places[head + 1 + at] = piece.charCodeAt(at);
    if (++this.#kept < MOST_KEPT) return;
    this.#places.fill(0);
    this.#kept = 0;
  }
}
