import { membersOf } from "../message/exchanges.js";
import type { Log } from "../message/log.js";
import type { Message, ToolOutput } from "../message/types.js";
import type { TokenCounter } from "../tokens/counter.js";
import { capResults } from "./shrink.js";

/** One exchange as a view shows it: legal, its tool results capped, its tokens known. */
export interface ShownExchange {
  readonly messages: readonly Message[];
  readonly tokens: number;
  /** Messages that are shown shorter than they are: index in the log, tokens before (maybe estimated) and after. */
  readonly shortened: readonly ShortenedMessage[];
}

export interface ShortenedMessage {
  readonly at: number;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
}

export interface ShownOptions {
  readonly log: Log;
  readonly counter: TokenCounter;
  /** Tokens that one tool result may take. */
  readonly resultCap: number;
}

/** A text this many times longer than the cap has tokens is reduced without counting all of it first. */
const SURELY_LONG = 12;
/** A result is reduced only where it is longer than its share by this much: the marks cost tokens too. */
const SLACK = 1.2;
const NOTHING: ShownExchange = { messages: [], tokens: 0, shortened: [] };

/**
 * The exchanges of a log as views show them, each worked out when it is first asked for and kept until it changes: a
 * view never counts a message twice, and what no view reaches is never counted at all.
 */
export class ShownExchanges {
  readonly #options: ShownOptions;
  /** By the position at which an exchange opens, which stays when the horizon moves. */
  readonly #kept = new Map<number, Kept>();

  constructor(options: ShownOptions) {
    this.#options = options;
  }

  at(exchange: number): ShownExchange {
    const { first, revision } = this.#options.log.exchanges[exchange]!;
    const kept = this.#kept.get(first);
    if (kept !== undefined && kept.revision === revision) return kept.shown;
    const shown = this.#show(exchange);
    this.#kept.set(first, { revision, shown });
    return shown;
  }

  /** Tokens of the exchange that opens at a position, if some view has needed them. */
  counted(position: number): number | undefined {
    return this.#kept.get(position)?.shown.tokens;
  }

  tokens(exchange: number): number {
    return this.at(exchange).tokens;
  }

  #show(exchange: number): ShownExchange {
    const { log } = this.#options;
    const messages = log.legal(exchange);
    if (messages.length === 0) return NOTHING;
    const members = membersOf(log.exchanges[exchange]!);
    const pieces = messages.map((message) => this.#showMessage(message, indexIn(log, members, message)));
    return {
      messages: pieces.map((piece) => piece.message),
      tokens: pieces.reduce((sum, piece) => sum + piece.tokens, 0),
      shortened: pieces.flatMap((piece) => piece.shortened ?? []),
    };
  }

  #showMessage(message: Message, at: number | undefined): ShownMessage {
    const { counter, resultCap } = this.#options;
    const tokens = surelyLong(message, resultCap) ? undefined : this.#count(message, at);
    const fits = message.role !== "tool" || (tokens !== undefined && tokens <= resultCap * SLACK);
    if (tokens !== undefined && fits) return { message, tokens };
    const capped = capResults(message, { maxTokens: resultCap, counter });
    if (capped === message) return { message, tokens: this.#count(message, at) };
    const tokensAfter = counter.message(capped);
    const tokensBefore = tokens ?? Math.ceil(textLength(message) / 4);
    return { message: capped, tokens: tokensAfter, shortened: { at: at ?? -1, tokensBefore, tokensAfter } };
  }

  #count(message: Message, at: number | undefined): number {
    if (at === undefined) return this.#options.counter.message(message);
    const entry = this.#options.log.entries[at]!;
    entry.tokens ??= this.#options.counter.message(message);
    return entry.tokens;
  }
}

interface Kept {
  readonly revision: number;
  readonly shown: ShownExchange;
}

interface ShownMessage {
  readonly message: Message;
  readonly tokens: number;
  readonly shortened?: ShortenedMessage;
}

function indexIn(log: Log, members: readonly number[], message: Message): number | undefined {
  return members.find((at) => log.entries[at]!.message === message);
}

function surelyLong(message: Message, cap: number): boolean {
  return message.role === "tool" && message.content.length === 1 && textLength(message) > cap * SURELY_LONG;
}

/** Characters of a message's results, without building their text. */
function textLength(message: Message): number {
  if (message.role !== "tool") return 0;
  return message.content.reduce((sum, part) => sum + (part.type === "tool-result" ? outputLength(part.output) : 0), 0);
}

const outputLength = (output: ToolOutput): number =>
  output.type === "text" || output.type === "error-text" ? output.value.length : 0;
