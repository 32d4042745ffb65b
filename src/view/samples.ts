import { messageText } from "../message/content.js";
import type { Log } from "../message/log.js";
import type { TokenCounter } from "../tokens/counter.js";

/** So many entries of a long range are measured, and so many of its beginnings counted: counting is dear. */
const MEASURED = 500;
const COUNTED = 24;
const COUNTED_LENGTH = 600;

/** Estimates the tokens of a range of the log that nobody has counted, from a few of its messages. */
export class Samples {
  readonly #log: Log;
  readonly #counter: TokenCounter;
  readonly #from: number;
  readonly #to: number;
  #density: number | undefined;

  constructor(given: { readonly log: Log; readonly counter: TokenCounter }, from: number, to: number) {
    this.#log = given.log;
    this.#counter = given.counter;
    this.#from = from;
    this.#to = to;
  }

  /** About how many tokens a part of the range has. */
  tokens(from: number, to: number): number {
    if (to <= from) return 0;
    const length = this.#length(from, to);
    if (length === 0) return 0;
    this.#density ??= this.#tokensPerCharacter();
    return Math.round(length * this.#density);
  }

  /** Characters of a part of the range; of a long one by the mean of some of its messages. */
  #length(from: number, to: number): number {
    const step = Math.max(1, Math.floor((this.#to - this.#from) / MEASURED));
    let length = 0;
    let measured = 0;
    for (let at = from; at < to; at += step, measured++) length += messageText(this.#log.messageAt(at)).length;
    return (length / measured) * (to - from);
  }

  /** How dense the text of the range is, by the beginnings of some of its messages. */
  #tokensPerCharacter(): number {
    const step = Math.max(1, Math.floor((this.#to - this.#from) / COUNTED));
    let length = 0;
    let tokens = 0;
    for (let at = this.#from; at < this.#to; at += step) {
      const piece = messageText(this.#log.messageAt(at)).slice(0, COUNTED_LENGTH);
      length += piece.length;
      tokens += this.#counter.text(piece);
    }
    return tokens / Math.max(1, length);
  }
}
