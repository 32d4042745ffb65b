/** Token → id; a piece that goes on a word begins with `##`. */
export type PieceIds = ReadonlyMap<string, number>;

const GOES_ON = "##";

/**
 * Pieces as a tree of letters, so that the longest piece at a place is found in one walk, however the text is made: trying
 * all lengths takes seconds for a megabyte of base64. One table holds all edges, from node and letter to node.
 */
export class PieceTrie {
  /** Letters by their number; those that no piece has are missing. */
  readonly #letters: ReadonlyMap<number, number>;
  readonly #edges: EdgeTable;
  /** The id of the piece that ends at a node; -1 where none does. The first two nodes are the roots. */
  readonly #ends = [-1, -1];

  constructor(ids: PieceIds) {
    const letters = new Set<number>();
    let length = 0;
    for (const piece of ids.keys()) {
      for (let at = 0; at < piece.length; at++) letters.add(piece.charCodeAt(at));
      length += piece.length;
    }
    this.#letters = new Map([...letters].map((letter, at) => [letter, at]));
    this.#edges = new EdgeTable(length);
    for (const [piece, id] of ids) this.#add(piece, id);
  }

  /** The ids of the longest pieces of a word from left to right; undefined where a rest is none. */
  cut(word: string): number[] | undefined {
    const found: number[] = [];
    for (let start = 0; start < word.length; ) {
      const end = this.#longest(word, start, found);
      if (end === start) return undefined;
      start = end;
    }
    return found;
  }

  #add(piece: string, id: number): void {
    const goesOn = piece.startsWith(GOES_ON) && piece.length > GOES_ON.length;
    let node = goesOn ? 1 : 0;
    for (let at = goesOn ? GOES_ON.length : 0; at < piece.length; at++) {
      const edge = node * this.#letters.size + this.#letters.get(piece.charCodeAt(at))!;
      const known = this.#edges.get(edge);
      const next = known === NO_NODE ? this.#ends.push(-1) - 1 : known;
      if (known === NO_NODE) this.#edges.add(edge, next);
      node = next;
    }
    this.#ends[node] = id;
  }

  /** Adds the id of the longest piece from `start` on, and says where it ends; `start` where there is none. */
  #longest(word: string, start: number, found: number[]): number {
    let end = start;
    let id = -1;
    let node = start > 0 ? 1 : 0;
    for (let at = start; at < word.length; at++) {
      const letter = this.#letters.get(word.charCodeAt(at));
      node = letter === undefined ? NO_NODE : this.#edges.get(node * this.#letters.size + letter);
      if (node === NO_NODE) break;
      const piece = this.#ends[node]!;
      if (piece < 0) continue;
      end = at + 1;
      id = piece;
    }
    if (end > start) found.push(id);
    return end;
  }
}

/** A node has this number where there is none: the roots are reached by no edge. */
const NO_NODE = 0;
const SPREAD = 0x9e3779b1;

/** Edges in two lists, each at the first free place from that which its number gives: a map is half as fast. */
class EdgeTable {
  readonly #edges: Float64Array;
  readonly #nodes: Int32Array;
  readonly #shift: number;

  /** At most half of it gets filled. */
  constructor(most: number) {
    const bits = Math.max(4, Math.ceil(Math.log2(2 * most + 1)));
    this.#edges = new Float64Array(2 ** bits);
    this.#nodes = new Int32Array(2 ** bits);
    this.#shift = 32 - bits;
  }

  get(edge: number): number {
    return this.#nodes[this.#placeOf(edge)]!;
  }

  add(edge: number, node: number): void {
    const place = this.#placeOf(edge);
    this.#edges[place] = edge;
    this.#nodes[place] = node;
  }

  #placeOf(edge: number): number {
    let place = Math.imul(edge, SPREAD) >>> this.#shift;
    while (this.#nodes[place] !== NO_NODE && this.#edges[place] !== edge)
      place = (place + 1) & (this.#nodes.length - 1);
    return place;
  }
}
