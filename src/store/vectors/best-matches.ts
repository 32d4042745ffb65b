/** A row that was found. */
export interface VectorMatch {
  readonly key: number;
  /** The cosine of the angle between query and row: 1 for the same direction, 0 for nothing in common. */
  readonly score: number;
}

/** Higher scores first, equal ones by key. */
export const byScore = (a: VectorMatch, b: VectorMatch): number => b.score - a.score || a.key - b.key;

/** The best of all matches that are added, and the score below which no more need be. */
export class BestMatches {
  readonly #limit: number;
  #matches: VectorMatch[] = [];
  #worst: VectorMatch | undefined;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get threshold(): number {
    return this.#worst?.score ?? Number.NEGATIVE_INFINITY;
  }

  add(match: VectorMatch): void {
    if (this.#worst && byScore(match, this.#worst) > 0) return;
    this.#matches.push(match);
    const full = this.#worst ? this.#matches.length >= 2 * this.#limit : this.#matches.length === this.#limit;
    if (full) this.#cut();
  }

  /** From the best on. */
  toArray(): VectorMatch[] {
    this.#cut();
    return this.#matches;
  }

  #cut(): void {
    this.#matches = this.#matches.sort(byScore).slice(0, this.#limit);
    if (this.#matches.length === this.#limit) this.#worst = this.#matches.at(-1);
  }
}
