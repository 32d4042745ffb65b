import type { Kept } from "./shelves.js";

/** Rows in the order in which they were first written. Those that are gone stay until there are many. */
export class RowList {
  #rows: Kept[] = [];
  #gone = 0;

  add(kept: Kept): void {
    this.#rows.push(kept);
  }

  /** For a row that was marked as gone. */
  drop(): void {
    this.#gone++;
    if (this.#gone <= this.#rows.length / 2) return;
    this.#rows = this.#rows.filter(({ isGone }) => !isGone);
    this.#gone = 0;
  }

  /** The rows behind a place in the order. */
  *behind(order: number): Generator<Kept> {
    for (let at = this.#firstBehind(order); at < this.#rows.length; at++)
      if (!this.#rows[at]!.isGone) yield this.#rows[at]!;
  }

  /** The rows before a place in the order, the last one first. */
  *before(order: number): Generator<Kept> {
    let at = order === Number.POSITIVE_INFINITY ? this.#rows.length : this.#firstBehind(order - 1);
    while (at-- > 0) if (!this.#rows[at]!.isGone) yield this.#rows[at]!;
  }

  #firstBehind(order: number): number {
    let low = 0;
    let high = this.#rows.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#rows[middle]!.order > order) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}
