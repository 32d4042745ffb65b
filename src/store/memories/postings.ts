/** The passages that a term stands in, in no order, each with how often. Most terms are rare, so that room grows late. */
export class Postings {
  readonly term: string;
  passages = new Uint32Array(1);
  counts = new Uint16Array(1);
  size = 0;

  constructor(term: string) {
    this.term = term;
  }

  add(passage: number, count: number): void {
    if (this.size === this.passages.length) this.#grow();
    this.passages[this.size] = passage;
    this.counts[this.size] = Math.min(count, MOST);
    this.size++;
  }

  /** The last one takes the place of the one removed. */
  remove(passage: number): void {
    const at = this.#find(passage);
    if (at < 0) return;
    this.size--;
    this.passages[at] = this.passages[this.size]!;
    this.counts[at] = this.counts[this.size]!;
  }

  /** What was added late goes early, more often than not. */
  #find(passage: number): number {
    return this.size === 0 ? -1 : this.passages.lastIndexOf(passage, this.size - 1);
  }

  #grow(): void {
    const passages = new Uint32Array(this.size * 2);
    passages.set(this.passages);
    this.passages = passages;
    const counts = new Uint16Array(this.size * 2);
    counts.set(this.counts);
    this.counts = counts;
  }
}

const MOST = 65_535;
