/** The best of what is offered, as many as wanted; of equals those with the lower `order`. */
export class Best<T extends { readonly order: number }> {
  readonly #limit: number;
  /** A heap: the worst of what is kept is the first. */
  readonly #items: T[] = [];
  readonly #scores: number[] = [];

  constructor(limit: number) {
    this.#limit = limit;
  }

  get items(): readonly T[] {
    return this.#items;
  }

  /** What scores less than this is not kept. */
  get floor(): number {
    return this.#items.length < this.#limit ? Number.NEGATIVE_INFINITY : (this.#scores[0] ?? Number.POSITIVE_INFINITY);
  }

  offer(item: T, score: number): void {
    if (this.#items.length < this.#limit) {
      this.#items.push(item);
      this.#scores.push(score);
      this.#up(this.#items.length - 1);
    } else if (this.#limit > 0 && this.#isWorse(0, item, score)) {
      this.#items[0] = item;
      this.#scores[0] = score;
      this.#down(0);
    }
  }

  #isWorse(at: number, item: T, score: number): boolean {
    const own = this.#scores[at]!;
    return own < score || (own === score && this.#items[at]!.order > item.order);
  }

  #up(start: number): void {
    for (let at = start; at > 0; ) {
      const parent = (at - 1) >> 1;
      if (this.#isWorse(parent, this.#items[at]!, this.#scores[at]!)) return;
      this.#swap(at, parent);
      at = parent;
    }
  }

  #down(start: number): void {
    for (let at = start; ; ) {
      const child = this.#worstChild(at);
      if (child >= this.#items.length || this.#isWorse(at, this.#items[child]!, this.#scores[child]!)) return;
      this.#swap(at, child);
      at = child;
    }
  }

  #worstChild(at: number): number {
    const left = 2 * at + 1;
    const right = left + 1;
    if (right >= this.#items.length) return left;
    return this.#isWorse(right, this.#items[left]!, this.#scores[left]!) ? right : left;
  }

  #swap(left: number, right: number): void {
    const item = this.#items[left]!;
    const score = this.#scores[left]!;
    this.#items[left] = this.#items[right]!;
    this.#scores[left] = this.#scores[right]!;
    this.#items[right] = item;
    this.#scores[right] = score;
  }
}
