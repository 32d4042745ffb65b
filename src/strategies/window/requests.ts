import type { ShownExchange, ShownExchanges } from "../../compaction/shown.js";
import { shrinkMessages } from "../../compaction/shrink.js";
import type { Log } from "../../message/log.js";
import type { TokenCounter } from "../../tokens/counter.js";

/**
 * The requests of earlier turns that were cut in their middle, each shortened once to its share of the window. The
 * latest request is not among them: it is shown whole.
 */
export class EarlierRequests {
  /** By position. */
  readonly #kept = new Map<number, ShownExchange>();
  readonly #log: Log;
  readonly #shown: ShownExchanges;
  readonly #counter: TokenCounter;
  readonly #maxTokens: number;

  constructor(options: { log: Log; shown: ShownExchanges; counter: TokenCounter; maxTokens: number }) {
    this.#log = options.log;
    this.#shown = options.shown;
    this.#counter = options.counter;
    this.#maxTokens = options.maxTokens;
  }

  at(exchange: number): ShownExchange {
    const whole = this.#shown.at(exchange);
    if (whole.tokens <= this.#maxTokens) return whole;
    const { first } = this.#log.exchanges[exchange]!;
    const kept = this.#kept.get(first) ?? this.#shorten(whole, first);
    this.#kept.set(first, kept);
    return kept;
  }

  #shorten(whole: ShownExchange, at: number): ShownExchange {
    const messages = shrinkMessages(whole.messages, { maxTokens: this.#maxTokens, counter: this.#counter });
    if (messages === undefined) return whole;
    const tokens = messages.reduce((sum, message) => sum + this.#counter.message(message), 0);
    return { messages, tokens, shortened: [{ at, tokensBefore: whole.tokens, tokensAfter: tokens }] };
  }
}
