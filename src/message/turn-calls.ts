import { OpenCalls } from "./open-calls.js";
import type { PairedCall } from "./paired-calls.js";

/** What calls, as far as the pairing of results without an id needs it. */
interface Calling {
  readonly calls: readonly PairedCall[];
  readonly turn: number;
}

export interface CallIn<Exchange> {
  readonly exchange: Exchange;
  readonly call: PairedCall;
}

/**
 * Finds the call that a result without an id answers: the first that waits in its turn, of its tool where it names one.
 * Calls since the latest results come before older ones. Nothing is looked at until such a result comes, and then each
 * exchange once.
 */
export class TurnCalls<Exchange extends Calling> {
  readonly #exchanges: readonly Exchange[];
  #open: OpenCalls<CallIn<Exchange>> | undefined;
  /** Where the turn starts, where its latest round does, and how far it was read. */
  #start = 0;
  #round = 0;
  #read = 0;
  #isAnswered = false;

  constructor(exchanges: readonly Exchange[]) {
    this.#exchanges = exchanges;
  }

  /** The last of the exchanges opened with calls, and `before` was the last with calls till then. */
  called(exchange: Exchange, before: Exchange | undefined): void {
    const at = this.#exchanges.length - 1;
    if (before === undefined || before.turn !== exchange.turn) {
      this.#start = at;
      this.reset();
    }
    if (this.#isAnswered) this.#round = at;
    this.#isAnswered = false;
  }

  /** Results came. */
  answered(): void {
    this.#isAnswered = true;
  }

  /** An exchange got more calls: all of the turn are read again. */
  reset(): void {
    this.#open = undefined;
    this.#read = this.#start;
  }

  find(name: string): CallIn<Exchange> | undefined {
    return this.#readOn().first(name);
  }

  /** The same for a result of a tool that nobody called. */
  likely(name: string): CallIn<Exchange> | undefined {
    return this.#readOn().likely(name);
  }

  #readOn(): OpenCalls<CallIn<Exchange>> {
    this.#open ??= new OpenCalls(({ call }) => call.answerMessage < 0);
    const open = this.#open;
    for (; this.#read < this.#exchanges.length; this.#read++) {
      if (this.#read === this.#round) open.startRound();
      const exchange = this.#exchanges[this.#read]!;
      for (const call of exchange.calls) if (call.answerMessage < 0) open.add(call.part.toolName, { exchange, call });
    }
    return open;
  }
}
