import type { MarkedForms } from "../../compaction/marked.js";
import type { Form, ShownExchange, ShownExchanges } from "../../compaction/shown.js";
import { membersOf } from "../../message/exchanges.js";
import type { Log } from "../../message/log.js";
import type { TokenCounter } from "../../tokens/counter.js";
import type { EarlierRequests } from "./requests.js";

/** Positions of requests in front of the tail that were shown whole since the cut, as the latest ones. */
export interface WholeRequests {
  readonly cut: number;
  readonly requests: ReadonlySet<number>;
}

export interface SceneInput {
  readonly log: Log;
  readonly counter: TokenCounter;
  readonly shown: ShownExchanges;
  readonly requests: EarlierRequests;
  /** Positions of pinned entries. */
  readonly pinned: readonly number[];
  readonly whole: WholeRequests;
  readonly reduced: MarkedForms;
}

/**
 * What there is to compose a view from. Exchanges are given by their index, which holds until the log's horizon moves:
 * a scene is of no use after that.
 */
export class Scene {
  readonly log: Log;
  readonly counter: TokenCounter;
  /** Pinned exchanges that can be shown, ascending. */
  readonly pinned: readonly number[];
  /** The latest user message; undefined where the log has none. */
  readonly latest: number | undefined;
  /** The last exchange with something to show. */
  readonly last: number;
  readonly #input: SceneInput;
  readonly #pins: ReadonlySet<number>;

  constructor(input: SceneInput) {
    const { log, pinned } = input;
    log.reach(pinned.reduce((least, position) => Math.min(least, position), log.entries.length));
    this.#input = input;
    this.log = log;
    this.counter = input.counter;
    this.#pins = new Set(pinned.map((position) => log.exchangeHolding(position)).filter((at) => this.#canShow(at)));
    this.pinned = [...this.#pins].sort((a, b) => a - b);
    this.last = log.lastVisible ?? -1;
    this.latest = this.last < 0 ? undefined : log.requestOf(this.last);
  }

  #canShow(exchange: number): boolean {
    return exchange >= 0 && this.#input.log.visibleFrom(exchange) === exchange;
  }

  isPinned(exchange: number): boolean {
    return this.#pins.has(exchange);
  }

  /** The same with other forms in the tail. */
  withReduced(reduced: MarkedForms): Scene {
    return new Scene({ ...this.#input, reduced });
  }

  /** An exchange as the tail and pins show it. */
  whole(exchange: number): ShownExchange {
    const form = this.#reducedForm(exchange);
    return form === undefined ? this.unreduced(exchange) : this.#input.shown.inForm(form, exchange);
  }

  /** An exchange without what a cut made of its results. */
  unreduced(exchange: number): ShownExchange {
    return this.#input.shown.at(exchange);
  }

  #reducedForm(exchange: number): Form | undefined {
    const { first, revision } = this.log.exchanges[exchange]!;
    const form = this.#input.reduced.get(first);
    return form?.revision === revision && !this.isPinned(exchange) ? form : undefined;
  }

  /** Tokens of an exchange in the tail. */
  tokens(exchange: number): number {
    return this.#canShow(exchange) ? this.whole(exchange).tokens : 0;
  }

  /** Its messages as Chat Completions count them: one for each result. */
  messages(exchange: number): number {
    const count = (sum: number, at: number): number => {
      const { role, content } = this.log.messageAt(at);
      return sum + (role === "tool" ? content.length : 1);
    };
    return this.#canShow(exchange) ? membersOf(this.log.exchanges[exchange]!).reduce(count, 0) : 0;
  }

  /** The same in a form that a cut may give it, or without one. */
  tokensIn(form: Form | undefined, exchange: number): number {
    if (!this.#canShow(exchange)) return 0;
    return form === undefined ? this.unreduced(exchange).tokens : this.#input.shown.inForm(form, exchange).tokens;
  }

  /**
   * An exchange in front of a tail. Requests of earlier turns are shortened there; one that was shown whole since this
   * cut, when it was the latest, stays whole until the next.
   */
  inFront(exchange: number, cut: number): ShownExchange {
    if (exchange === this.latest || this.isPinned(exchange)) return this.whole(exchange);
    const { whole, requests } = this.#input;
    const stays =
      whole.cut === this.log.exchanges[cut]!.first && whole.requests.has(this.log.exchanges[exchange]!.first);
    return stays ? this.whole(exchange) : requests.at(exchange);
  }
}
