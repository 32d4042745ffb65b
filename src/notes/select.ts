/** Something that may be kept: what it costs, and what it covers. */
export interface Candidate {
  readonly tokens: number;
  readonly identifiers: readonly string[];
  /** Worth beyond its identifiers. */
  readonly bonus: number;
  /** How much of the worth of its identifiers it brings; all unless given. */
  readonly share?: number;
}

/** Worth per token below which nothing is kept. */
const WORTHLESS = 1e-5;

/**
 * Chooses candidates within a number of tokens, best worth per token first. An identifier counts once, so a candidate
 * loses worth when another that covers the same is chosen; worth only ever falls, so one that is still best after
 * looking again is best (lazy greedy). Deterministic: ties go to the earlier candidate.
 */
export function choose<C extends Candidate>(
  candidates: readonly C[],
  maxTokens: number,
  worth: (identifier: string) => number,
): C[] {
  const covered = new Set<string>();
  const density = ({ identifiers, bonus, share = 1, tokens }: C): number => {
    let value = 0;
    for (const identifier of identifiers) if (!covered.has(identifier)) value += worth(identifier);
    return (bonus + value * share) / tokens;
  };
  const heap = new Heap(candidates.map((candidate, order) => ({ candidate, order, density: density(candidate) })));
  const chosen: Ranked<C>[] = [];
  let left = maxTokens;
  for (let top = heap.pop(); top !== undefined && top.density > WORTHLESS; top = heap.pop()) {
    if (top.candidate.tokens > left) continue;
    const now = density(top.candidate);
    if (now < top.density && heap.top !== undefined && now < heap.top.density) {
      heap.push({ ...top, density: now });
      continue;
    }
    if (now <= WORTHLESS) continue;
    chosen.push(top);
    left -= top.candidate.tokens;
    for (const identifier of top.candidate.identifiers) covered.add(identifier);
  }
  return chosen.sort((a, b) => a.order - b.order).map(({ candidate }) => candidate);
}

interface Ranked<C> {
  readonly candidate: C;
  readonly order: number;
  readonly density: number;
}

const before = <C>(a: Ranked<C>, b: Ranked<C>): boolean =>
  a.density > b.density || (a.density === b.density && a.order < b.order);

/** A binary heap with the densest candidate on top. */
class Heap<C> {
  readonly #items: Ranked<C>[];

  constructor(items: Ranked<C>[]) {
    this.#items = items.sort((a, b) => (before(a, b) ? -1 : 1));
  }

  get top(): Ranked<C> | undefined {
    return this.#items[0];
  }

  push(item: Ranked<C>): void {
    const items = this.#items;
    let at = items.push(item) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!before(item, items[parent]!)) break;
      items[at] = items[parent]!;
      at = parent;
    }
    items[at] = item;
  }

  pop(): Ranked<C> | undefined {
    const items = this.#items;
    const top = items[0];
    const last = items.pop();
    if (last === undefined || items.length === 0) return top;
    this.#sink(last);
    return top;
  }

  #sink(item: Ranked<C>): void {
    const items = this.#items;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= items.length) break;
      if (child + 1 < items.length && before(items[child + 1]!, items[child]!)) child++;
      if (!before(items[child]!, item)) break;
      items[at] = items[child]!;
      at = child;
    }
    items[at] = item;
  }
}
