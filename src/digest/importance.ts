import { type Exchange, membersOf } from "../message/exchanges.js";
import type { Log } from "../message/log.js";
import type { IdentifierIndex } from "./identifier-index.js";
import { worthIn } from "./worth.js";

/** Identifiers of an exchange that count: its most likely ones. */
const BEST = 4;
/** What people say and what failed matters beyond the identifiers in it. */
const SPOKEN = { user: 0.5, answer: 0.2, failed: 0.1 };

/** What the importance of an exchange depends on; found once, and again where a late result has joined it. */
interface Facts {
  readonly members: number;
  /** By their numbers: the most are asked for at every cut. */
  readonly identifiers: readonly number[];
  readonly failed: boolean;
}

/** Tells how important exchanges are. Each is read once, so that asking again costs little however long the log is. */
export class Importance {
  readonly #log: Log;
  readonly #index: IdentifierIndex;
  readonly #facts = new WeakMap<Exchange, Facts>();
  readonly #numbers = new Map<string, number>();
  readonly #identifiers: string[] = [];

  constructor(log: Log, index: IdentifierIndex) {
    this.#log = log;
    this.#index = index;
  }

  /**
   * How important exchanges are now, from 0 to 1: the chance that something in one is used again, by the learnt
   * likelihood of its identifiers, with more for the user's own words, for answers and for failures.
   */
  now(): (exchange: Exchange) => number {
    const worth = worthIn({ index: this.#index, now: this.#log.entries.length });
    const known: number[] = [];
    const chanceOf = (identifier: number): number => {
      known[identifier] ??= worth(this.#identifiers[identifier]!);
      return known[identifier];
    };
    return (exchange) => {
      const { kind } = exchange;
      if (kind === "blank" || kind === "orphan" || kind === "system") return 0;
      const { identifiers, failed } = this.#factsOf(exchange);
      let unused = chanceOfNone(identifiers, chanceOf);
      if (kind === "user") unused *= 1 - SPOKEN.user;
      if (kind === "assistant") unused *= 1 - SPOKEN.answer;
      return 1 - (failed ? unused * (1 - SPOKEN.failed) : unused);
    };
  }

  #factsOf(exchange: Exchange): Facts {
    const members = exchange.end - exchange.first + (exchange.scattered?.length ?? 0);
    const known = this.#facts.get(exchange);
    if (known?.members === members) return known;
    const passages = membersOf(exchange).flatMap((at) => [...this.#index.passagesAt(at, this.#log)]);
    const names = new Set(passages.flatMap((passage) => passage.identifiers));
    const identifiers = Array.from(names, (name) => this.#numberOf(name));
    const facts = { members, identifiers, failed: passages.some((passage) => passage.failed) };
    this.#facts.set(exchange, facts);
    return facts;
  }

  #numberOf(identifier: string): number {
    const known = this.#numbers.get(identifier);
    if (known !== undefined) return known;
    this.#numbers.set(identifier, this.#identifiers.length);
    return this.#identifiers.push(identifier) - 1;
  }
}

/** The chance that none of the most likely identifiers is used again. */
function chanceOfNone(identifiers: readonly number[], chanceOf: (identifier: number) => number): number {
  const best: number[] = [];
  for (const identifier of identifiers) {
    const chance = chanceOf(identifier);
    if (best.length === BEST && chance <= best[BEST - 1]!) continue;
    let at = Math.min(best.length, BEST - 1);
    for (; at > 0 && best[at - 1]! < chance; at--) best[at] = best[at - 1]!;
    best[at] = chance;
  }
  return best.reduce((unused, chance) => unused * (1 - chance), 1);
}
