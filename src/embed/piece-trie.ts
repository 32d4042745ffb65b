/** Token → id; a piece that goes on a word begins with `##`. */
export type PieceIds = ReadonlyMap<string, number>;

const GOES_ON = "##";

/**
 * Pieces as a tree of letters, so that the longest piece at a place is found in one walk, however the text is made: trying
 * all lengths takes seconds for a megabyte of base64. One map holds all edges, from node and letter to node.
 */
export class PieceTrie {
  readonly #letters: ReadonlyMap<number, number>;
  readonly #edges = new Map<number, number>();
  /** The id of the piece that ends at a node; -1 where none does. The first two nodes are the roots. */
  readonly #ends = [-1, -1];

  constructor(ids: PieceIds) {
    const letters = new Set([...ids.keys()].flatMap((piece) => Array.from(piece, (_, at) => piece.charCodeAt(at))));
    this.#letters = new Map([...letters].map((letter, at) => [letter, at]));
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
      node = this.#edges.get(edge) ?? this.#ends.push(-1) - 1;
      this.#edges.set(edge, node);
    }
    this.#ends[node] = id;
  }

  /** Adds the id of the longest piece from `start` on, and says where it ends; `start` where there is none. */
  #longest(word: string, start: number, found: number[]): number {
    let [end, id] = [start, -1];
    let node: number | undefined = start > 0 ? 1 : 0;
    for (let at = start; at < word.length; at++) {
      const letter = this.#letters.get(word.charCodeAt(at));
      node = letter === undefined ? undefined : this.#edges.get(node * this.#letters.size + letter);
      if (node === undefined) break;
      if (this.#ends[node]! >= 0) [end, id] = [at + 1, this.#ends[node]!];
    }
    if (end > start) found.push(id);
    return end;
  }
}
