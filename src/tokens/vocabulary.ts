import { VarveError } from "../errors.js";

/** Places for each token: where few are free it takes long to find one. */
const SPARE = 2;
const COUNT_BYTES = 4;
const NONE = -1;

/**
 * The tokens of a byte-pair encoding, found by their bytes. The file that they are read from has the number of tokens
 * (four bytes, little-endian), then the tokens in the order of their ranks, each as its length in one byte and its bytes.
 * Tokens that begin with a byte order mark are not in there: other counters do not find them, and a count must be no
 * lower than theirs.
 */
export class Vocabulary {
  readonly #file: Uint8Array;
  /** Where the length of each token stands in the file, by rank. */
  readonly #tokens: Int32Array;
  /** Ranks plus one, by what was made of the bytes; 0 where a place is free. */
  readonly #places: Int32Array;
  #longest = 0;

  /** `place` says in errors where the file was. */
  constructor(file: Uint8Array, place: string) {
    const count = file.length < COUNT_BYTES ? 0 : new DataView(file.buffer, file.byteOffset).getUint32(0, true);
    if (count === 0 || count * 2 > file.length)
      throw damaged(place, `it cannot hold ${count} tokens in ${file.length} bytes`);
    this.#file = file;
    this.#tokens = new Int32Array(count);
    this.#places = new Int32Array(2 ** Math.ceil(Math.log2(count * SPARE)));
    let at = COUNT_BYTES;
    for (let rank = 0; rank < count; rank++) at = this.#add(rank, at);
    if (at !== file.length) throw damaged(place, `it ends at byte ${file.length}, not where its last token does`);
    const bytes = Uint8Array.from({ length: 256 }, (_, byte) => byte);
    if (bytes.some((byte) => this.rankOf(bytes, byte, byte + 1) < 0)) throw damaged(place, "it lacks a single byte");
  }

  /** Returns where the next token stands. */
  #add(rank: number, at: number): number {
    const start = at + 1;
    const end = start + this.#file[at]!;
    const mask = this.#places.length - 1;
    let place = hashOf(this.#file, start, end) & mask;
    while (this.#places[place] !== 0) place = (place + 1) & mask;
    this.#places[place] = rank + 1;
    this.#tokens[rank] = at;
    this.#longest = Math.max(this.#longest, end - start);
    return end;
  }

  /** The rank of the token between two offsets; -1 where that is none. */
  rankOf(bytes: Uint8Array, start: number, end: number): number {
    if (end - start > this.#longest) return NONE;
    const mask = this.#places.length - 1;
    for (let place = hashOf(bytes, start, end) & mask; ; place = (place + 1) & mask) {
      const rank = this.#places[place]! - 1;
      if (rank < 0) return NONE;
      const token = this.#tokens[rank]!;
      if (this.#file[token] !== end - start) continue;
      const offset = token + 1 - start;
      let at = start;
      while (at < end && this.#file[offset + at] === bytes[at]) at++;
      if (at === end) return rank;
    }
  }
}

function hashOf(bytes: Uint8Array, start: number, end: number): number {
  let hash = end - start;
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ bytes[at]!, 0x5bd1e995);
  return hash ^ (hash >>> 15);
}

const damaged = (place: string, why: string): VarveError =>
  new VarveError({
    code: "invalid-document",
    message: `${place} is not a table of tokens: ${why}.`,
    hint: "Install the package again; a checkout needs the file itself, not a pointer to it.",
    details: { path: place },
  });
