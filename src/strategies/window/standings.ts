import type { Standing } from "./stand-in.js";

/** What the messages of a stand-in speak for, by position. */
export class Standings {
  readonly #digests: readonly Standing[];
  /** Exchanges that are shown themselves, ascending: they need no digest. */
  readonly #exchanges: readonly Standing[];

  constructor(standings: readonly Standing[]) {
    this.#digests = standings.filter(({ digest }) => digest !== undefined);
    this.#exchanges = standings.filter(({ digest }) => digest === undefined).sort((a, b) => a.from - b.from);
  }

  at(position: number): Standing | undefined {
    return this.#exchangeAt(position) ?? this.#digests.find(({ from, to }) => position >= from && position < to);
  }

  /** Positions between two others at which what is spoken for changes, ascending. */
  edges(after: number, before: number): number[] {
    const all = [...this.#digests, ...this.#exchanges].flatMap(({ from, to }) => [from, to]);
    return [...new Set(all.filter((at) => at > after && at < before))].sort((a, b) => a - b);
  }

  #exchangeAt(position: number): Standing | undefined {
    let low = 0;
    let high = this.#exchanges.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#exchanges[middle]!.from <= position) low = middle + 1;
      else high = middle;
    }
    const before = this.#exchanges[low - 1];
    return before !== undefined && position < before.to ? before : undefined;
  }
}
