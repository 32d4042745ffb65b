/** Where identifiers stand in texts, found in one pass over them however many identifiers there are. */
import { IDENTIFIER_RUN, SHORTEST_IDENTIFIER } from "./identifiers.js";

/** In which text, and where in it the last occurrence ends. */
export interface Occurrence {
  readonly message: number;
  readonly end: number;
}

interface Hit {
  readonly word: string;
  readonly end: number;
}

/** Runs longer than this are hardly met twice. */
const LONGEST_KEPT = 200;

/** For each word the texts that hold it, in their order. A word is made of an identifier's signs, so that it stands within a run of them. */
export function findOccurrences(texts: readonly string[], words: ReadonlySet<string>): Map<string, Occurrence[]> {
  const found = new Map<string, Occurrence[]>([...words].map((word) => [word, []]));
  const search = new RunSearch(words);
  for (const [message, text] of texts.entries()) {
    const ends = new Map<string, number>();
    for (const { 0: run, index } of text.matchAll(IDENTIFIER_RUN))
      for (const { word, end } of search.in(run)) ends.set(word, index + end);
    for (const [word, end] of ends) found.get(word)?.push({ message, end });
  }
  return found;
}

/** Words by how they begin: at each place of a run only those that begin so are tried. */
class RunSearch {
  readonly #byBeginning: ReadonlyMap<string, readonly string[]>;
  readonly #known = new Map<string, readonly Hit[]>();

  constructor(words: ReadonlySet<string>) {
    this.#byBeginning = Map.groupBy(words, (word) => word.slice(0, SHORTEST_IDENTIFIER));
  }

  in(run: string): readonly Hit[] {
    const known = this.#known.get(run);
    if (known !== undefined) return known;
    const hits = this.#search(run);
    if (run.length <= LONGEST_KEPT) this.#known.set(run, hits);
    return hits;
  }

  #search(run: string): Hit[] {
    const hits: Hit[] = [];
    for (let at = 0; at + SHORTEST_IDENTIFIER <= run.length; at++)
      for (const word of this.#byBeginning.get(run.slice(at, at + SHORTEST_IDENTIFIER)) ?? [])
        if (run.startsWith(word, at)) hits.push({ word, end: at + word.length });
    return hits;
  }
}
