import { countMessages } from "../../compaction/count-messages.js";
import type { Form, ShownExchange, ShownExchanges } from "../../compaction/shown.js";
import { Shrinker } from "../../compaction/shrink.js";
import type { Log } from "../../message/log.js";
import type { TokenCounter } from "../../tokens/counter.js";

export interface EarlierRequestsOptions {
  readonly log: Log;
  readonly shown: ShownExchanges;
  readonly counter: TokenCounter;
  readonly maxTokens: number;
  /** Requests by position: those found there are shown as they are, whatever their share; new ones are added. */
  readonly forms: Map<number, Form>;
}

/**
 * The requests of earlier turns that were cut in their middle, each shortened once to its share of the window. The
 * latest request is not among them: it is shown whole.
 */
export class EarlierRequests {
  readonly #options: EarlierRequestsOptions;
  /** By position. */
  readonly #kept = new Map<number, ShownExchange>();

  constructor(options: EarlierRequestsOptions) {
    this.#options = options;
  }

  at(exchange: number): ShownExchange {
    const { log, shown, forms, maxTokens } = this.#options;
    const { first } = log.exchanges[exchange]!;
    const kept = this.#kept.get(first);
    if (kept !== undefined) return kept;
    const whole = shown.at(exchange);
    const fits = whole.tokens <= maxTokens;
    const form = forms.get(first) ?? (fits ? undefined : this.#shorten(whole, first)) ?? { revision: 0, ...whole };
    const isWhole = form.messages === whole.messages;
    const request = isWhole ? whole : { ...form, tokens: countMessages(form.messages, this.#options.counter) };
    forms.set(first, form);
    this.#kept.set(first, request);
    return request;
  }

  #shorten(whole: ShownExchange, at: number): Form | undefined {
    const { counter, maxTokens } = this.#options;
    const messages = new Shrinker(whole.messages, counter, whole.tokens).fit(maxTokens);
    if (messages === undefined) return undefined;
    const tokensAfter = countMessages(messages, counter);
    return {
      revision: 0,
      messages,
      shortened: [{ at, tokensBefore: whole.tokens, tokensAfter, estimated: false }],
    };
  }
}
