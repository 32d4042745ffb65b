/**
 * Passages by the terms in them. A passage has a number, which is given again once the passage is gone; it belongs to a
 * shelf, and a search looks at some shelves only. Counts of how often a term occurs are over those shelves alone, so
 * that what one owner stores has no say in the order of another's results.
 */
import { averageLength, type PassageCounts, termScore, termWeight } from "./bm25.js";
import type { PassageTerms } from "./memories.js";
import { Postings } from "./postings.js";

const FIRST_SIZE = 1_024;

/** Scores by the numbers of passages, and which of them have any. */
export interface PassageScores {
  readonly scores: Float64Array;
  readonly touched: readonly number[];
}

/** Where a search looks. */
export interface Shelves extends PassageCounts {
  /** By the number of a shelf: 1 where its passages are looked at. */
  readonly open: Uint8Array;
}

/** The terms of a passage, and beside them how often each occurs. */
interface Words {
  readonly postings: Postings[];
  readonly counts: number[];
}

const NO_WORDS: Words = { postings: [], counts: [] };

export class InvertedIndex {
  readonly #postings = new Map<string, Postings>();
  /** By the number of a passage. */
  readonly #words: (Words | undefined)[] = [];
  #shelf = new Uint32Array(FIRST_SIZE);
  #lengths = new Uint32Array(FIRST_SIZE);
  #scores = new Float64Array(FIRST_SIZE);

  add(passage: number, shelf: number, terms: PassageTerms): void {
    this.#makeRoom(passage);
    this.#shelf[passage] = shelf;
    this.#lengths[passage] = terms.length;
    const words: Words = { postings: [], counts: [] };
    for (const [term, count] of countsOf(terms)) {
      const postings = this.#postingsOf(term);
      postings.add(passage, count);
      words.postings.push(postings);
      words.counts.push(count);
    }
    this.#words[passage] = words;
  }

  remove(passage: number): void {
    for (const postings of this.#words[passage]?.postings ?? []) {
      postings.remove(passage);
      if (postings.size === 0) this.#postings.delete(postings.term);
    }
    this.#words[passage] = undefined;
    this.#lengths[passage] = 0;
  }

  lengthOf(passage: number): number {
    return this.#lengths[passage] ?? 0;
  }

  /** The terms of a passage, as often as they occur. */
  termsOf(passage: number): string[] {
    const { postings, counts } = this.#words[passage] ?? NO_WORDS;
    const terms: string[] = [];
    for (let at = 0; at < postings.length; at++)
      for (let count = counts[at]!; count > 0; count--) terms.push(postings[at]!.term);
    return terms;
  }

  /** Hands the scores of a question's terms over; they hold until `use` returns. */
  score<T>(terms: readonly string[], shelves: Shelves, use: (found: PassageScores) => T): T {
    const touched: number[] = [];
    try {
      for (const term of terms) this.#scoreTerm(term, shelves, touched);
      return use({ scores: this.#scores, touched });
    } finally {
      for (const passage of touched) this.#scores[passage] = 0;
    }
  }

  #scoreTerm(term: string, shelves: Shelves, touched: number[]): void {
    const postings = this.#postings.get(term);
    if (postings === undefined) return;
    const { passages, counts, size } = postings;
    const weight = termWeight(shelves, this.#countOpen(postings, shelves.open));
    const average = averageLength(shelves);
    for (let at = 0; at < size; at++) {
      const passage = passages[at]!;
      if (shelves.open[this.#shelf[passage]!] !== 1) continue;
      const before = this.#scores[passage]!;
      if (before === 0) touched.push(passage);
      this.#scores[passage] = before + weight * termScore(counts[at]!, this.#lengths[passage]!, average);
    }
  }

  #countOpen({ passages, size }: Postings, open: Uint8Array): number {
    let count = 0;
    for (let at = 0; at < size; at++) count += open[this.#shelf[passages[at]!]!]!;
    return count;
  }

  #postingsOf(term: string): Postings {
    const known = this.#postings.get(term);
    if (known !== undefined) return known;
    const postings = new Postings(term);
    this.#postings.set(term, postings);
    return postings;
  }

  #makeRoom(passage: number): void {
    if (passage < this.#lengths.length) return;
    const size = Math.max(passage + 1, this.#lengths.length * 2);
    this.#shelf = grown(this.#shelf, new Uint32Array(size));
    this.#lengths = grown(this.#lengths, new Uint32Array(size));
    this.#scores = new Float64Array(size);
  }
}

function grown<T extends Uint32Array>(from: T, to: T): T {
  to.set(from);
  return to;
}

function countsOf(terms: PassageTerms): Map<string, number> {
  const counts = new Map<string, number>();
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  return counts;
}
