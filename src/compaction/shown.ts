import { outputText } from "../message/content.js";
import { membersOf } from "../message/exchanges.js";
import type { Log } from "../message/log.js";
import type { Message, ToolMessage, ToolOutput } from "../message/types.js";
import { measureTokens } from "../reduce/measure.js";
import type { TokenCounter } from "../tokens/counter.js";
import { capResults } from "./shrink.js";

/** One exchange as a view shows it: legal, its tool results capped, its tokens known. */
export interface ShownExchange {
  readonly messages: readonly Message[];
  readonly tokens: number;
  /** Messages that are shown shorter than they are; the objects stay the same as long as the form does. */
  readonly shortened: readonly ShortenedMessage[];
}

export interface ShortenedMessage {
  /** Position in the log. */
  readonly at: number;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  /** Whether `tokensBefore` was extrapolated from samples. */
  readonly estimated: boolean;
  /** What became of it and why, where it was not just cut to its share. */
  readonly fate?: "cleared" | "superseded";
  readonly reason?: string;
}

/** How an exchange was shown, without its tokens, which depend on the counter. */
export interface Form {
  readonly revision: number;
  readonly messages: readonly Message[];
  readonly shortened: readonly ShortenedMessage[];
}

export interface ShownOptions {
  readonly log: Log;
  readonly counter: TokenCounter;
  /** Tokens that one tool result may take. */
  readonly resultCap: number;
  /**
   * Exchanges with results, by the position at which they open. Those found there are shown as they are, whatever the
   * cap, so that a view keeps its prefix when the counter changes; new ones are added.
   */
  readonly forms?: Map<number, Form>;
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
  readonly #forms: Map<number, Form>;
  /** By the position at which an exchange opens, which stays when the horizon moves. */
  readonly #kept = new Map<number, Kept>();
  readonly #inForms = new WeakMap<Form, ShownExchange>();

  constructor(options: ShownOptions) {
    this.#options = options;
    this.#forms = options.forms ?? new Map();
  }

  at(exchange: number): ShownExchange {
    const { first, revision, kind } = this.#options.log.exchanges[exchange]!;
    const kept = this.#kept.get(first);
    if (kept !== undefined && kept.revision === revision) return kept.shown;
    const form = this.#forms.get(first);
    const shown = form?.revision === revision ? this.#recount(form, exchange) : this.#show(exchange);
    this.#kept.set(first, { revision, shown });
    if (kind === "calls") this.#forms.set(first, { revision, messages: shown.messages, shortened: shown.shortened });
    return shown;
  }

  /** Tokens of the exchange that opens at a position, if some view has needed them. */
  counted(position: number): number | undefined {
    return this.#kept.get(position)?.shown.tokens;
  }

  tokens(exchange: number): number {
    return this.at(exchange).tokens;
  }

  /** An exchange in a form that was made of it; counted once. */
  inForm(form: Form, exchange: number): ShownExchange {
    const shown = this.#inForms.get(form) ?? this.#recount(form, exchange);
    this.#inForms.set(form, shown);
    return shown;
  }

  #recount({ messages, shortened }: Form, exchange: number): ShownExchange {
    const members = membersOf(this.#options.log.exchanges[exchange]!);
    const count = (message: Message) => this.#count(message, this.#positionOf(message, members));
    return { messages, shortened, tokens: messages.reduce((sum, message) => sum + count(message), 0) };
  }

  #positionOf(message: Message, members: readonly number[]): number | undefined {
    return members.find((position) => this.#options.log.entries[position]!.message === message);
  }

  #show(exchange: number): ShownExchange {
    const { log } = this.#options;
    const messages = log.legal(exchange);
    if (messages.length === 0) return NOTHING;
    const members = membersOf(log.exchanges[exchange]!);
    const pieces = messages.map((message) => this.#showMessage(message, members));
    return {
      messages: pieces.map((piece) => piece.message),
      tokens: pieces.reduce((sum, piece) => sum + piece.tokens, 0),
      shortened: pieces.flatMap((piece) => piece.shortened ?? []),
    };
  }

  #showMessage(message: Message, members: readonly number[]): ShownMessage {
    const { counter, resultCap } = this.#options;
    const at = this.#positionOf(message, members);
    const long = surelyLong(message, resultCap);
    const tokens = long ? undefined : this.#count(message, at);
    const fits = message.role !== "tool" || (tokens !== undefined && tokens <= resultCap * SLACK);
    if (tokens !== undefined && fits) return { message, tokens };
    const capped = capResults(message, { maxTokens: resultCap, counter });
    if (capped === message) return { message, tokens: this.#count(message, at) };
    const tokensAfter = counter.message(capped);
    const tokensBefore = tokens ?? estimate(message as ToolMessage, counter);
    return {
      message: capped,
      tokens: tokensAfter,
      shortened: { at: at ?? members[0]!, tokensBefore, tokensAfter, estimated: long },
    };
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

function surelyLong(message: Message, cap: number): boolean {
  return message.role === "tool" && message.content.length === 1 && textLength(message) > cap * SURELY_LONG;
}

/** Characters of a message's results, without building their text. */
function textLength(message: ToolMessage): number {
  return message.content.reduce((sum, part) => sum + (part.type === "tool-result" ? outputLength(part.output) : 0), 0);
}

const outputLength = (output: ToolOutput): number =>
  output.type === "text" || output.type === "error-text" ? output.value.length : 0;

/** Tokens of results too long to be counted whole. */
function estimate(message: ToolMessage, counter: TokenCounter): number {
  const texts = message.content.map((part) => (part.type === "tool-result" ? outputText(part.output) : ""));
  return texts.reduce((sum, text) => sum + measureTokens(text, (piece) => counter.text(piece)), 0);
}
