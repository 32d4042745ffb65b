import { isBlank, messageText } from "./content.js";
import { type Batch, type Entry, entryOf } from "./entry.js";
import { type Exchange, ExchangeIndex, isVisible, type LateResult } from "./exchanges.js";
import type { WholeMessage } from "./packed-message.js";
import type { ExchangePlace, Position } from "./positions.js";
import { legalMessages } from "./repair.js";
import type { History, Message } from "./types.js";

/** How many messages the first look at a log takes in; each further look takes in four times as many. */
const FIRST_SPAN = 512;
const NEXT_SPAN = 4;

/**
 * A branch of a session's entries, oldest first. Append-only.
 *
 * Exchanges are found from a horizon on, which moves back when somebody asks for more: views of a long log live at its
 * end, and what they never reach need not be grouped. The horizon is always a user message (or the start), so no
 * exchange and no turn is cut by it. Exchanges are counted from the horizon; what must last is kept as a position in
 * the log, the index of an entry.
 */
export class Log implements History {
  /** Positions of the user messages that say something. */
  readonly requests: Position[] = [];
  /** Where each text of the system messages behind the start was said last, in that order. */
  readonly #lateSystem = new Map<string, Position>();
  #instructions: readonly Position[] | undefined = [];
  #entries: Entry[] = [];
  #start = 0;
  #horizon = 0;
  #index: ExchangeIndex | undefined;
  #legal = new WeakMap<Exchange, LegalExchange>();

  get entries(): readonly Entry[] {
    return this.#entries;
  }

  /** The position at which the conversation starts: behind the leading system messages. */
  get start(): Position {
    return this.#start;
  }

  /** The position from which exchanges are known. */
  get horizon(): Position {
    this.#grouped();
    return this.#horizon;
  }

  get exchanges(): readonly Exchange[] {
    return this.#grouped().exchanges;
  }

  /** Messages with results that came late, ascending, as far back as exchanges are known. */
  get lateResults(): readonly LateResult[] {
    return this.#grouped().late;
  }

  /** Many entries at once go into an empty log as one list, for a list that grows takes thrice the room. */
  append(entries: readonly Entry[]): void {
    const first = this.entries.length;
    if (first === 0) this.#entries = entries.slice();
    else for (let at = 0; at < entries.length; at++) this.#entries.push(entries[at]!);
    for (let at = 0; at < entries.length; at++) this.#take(entries[at]!, first + at);
  }

  push(entry: Entry): void {
    this.#take(entry, this.#entries.push(entry) - 1);
  }

  #take(entry: Entry, position: Position): void {
    const { role } = entry;
    if (role === "user" && !entry.blank) this.requests.push(position);
    if (role === "system" && position > this.#start) this.#takeInstruction(entry, position);
    if (role === "system" && position === this.#start) this.#start++;
    else this.#index?.push(entry.message, position);
  }

  /** The system messages behind the start of the conversation, the newest first, each text once. */
  get instructions(): readonly Position[] {
    this.#instructions ??= [...this.#lateSystem.values()].reverse();
    return this.#instructions;
  }

  #takeInstruction({ message, blank }: Entry, position: Position): void {
    if (blank) return;
    const text = messageText(message);
    this.#lateSystem.delete(text);
    this.#lateSystem.set(text, position);
    this.#instructions = undefined;
  }

  messageAt(position: Position): Message {
    return this.entries[position]!.message;
  }

  /** Moves the horizon back; false where it stands at the start of the conversation already. */
  extend(): boolean {
    const horizon = this.horizon;
    if (horizon <= this.#start) return false;
    this.#groupFrom(this.#requestBefore(this.entries.length - NEXT_SPAN * (this.entries.length - horizon)));
    return true;
  }

  /** Moves the horizon back as far as a position. */
  reach(position: Position): void {
    while (position < this.horizon && this.extend());
  }

  /** The first exchange that opens at a position or behind it. */
  exchangeFrom(position: Position): ExchangePlace {
    return lowest(this.exchanges, ({ first }) => first >= position);
  }

  /** The last exchange that a view can show of those that open before a position. */
  visibleBefore(position: Position): Exchange | undefined {
    for (;;) {
      const { exchanges, visible } = this.#grouped();
      const at = lowest(visible, (exchange) => exchanges[exchange]!.first >= position) - 1;
      if (at >= 0) return exchanges[visible[at]!];
      if (!this.extend()) return undefined;
    }
  }

  /** The exchanges that a view can show, from the newest back: the horizon moves as far as they are asked for. */
  *newestFirst(): Generator<Exchange> {
    let { exchanges, visible } = this.#grouped();
    let place = visible.length;
    for (let last = this.entries.length; ; ) {
      while (place > 0) {
        const exchange = exchanges[visible[--place]!]!;
        last = exchange.first;
        yield exchange;
      }
      if (!this.extend()) return;
      ({ exchanges, visible } = this.#grouped());
      place = lowest(visible, (at) => exchanges[at]!.first >= last);
    }
  }

  /** The exchange that holds the entry at a position. A late result is an orphan until its call is reached. */
  holding(position: Position): Exchange | undefined {
    for (;;) {
      this.reach(position);
      const before = this.exchanges[this.exchangeFrom(position + 1) - 1];
      const isIn = before !== undefined && position < before.end;
      const found = isIn ? before : this.exchanges.find(({ scattered }) => scattered?.includes(position));
      if ((found !== undefined && isVisible(found)) || !this.extend()) return found;
    }
  }

  /** Position of the user message that what stands at a position answers; undefined where the user has not spoken before. */
  requestAt(position: Position): Position | undefined {
    return this.requests[lowest(this.requests, (at) => at > position) - 1];
  }

  /** The messages of an exchange as every provider accepts them, kept until the exchange changes or is not shown. */
  legal(exchange: Exchange): readonly Message[] {
    const kept = this.#legal.get(exchange);
    if (kept?.revision === exchange.revision) return kept.messages;
    const messages = legalMessages(exchange, this);
    this.#legal.set(exchange, { revision: exchange.revision, messages });
    return messages;
  }

  /** Keeps the legal messages of the exchanges that open at these positions, and lets go of all others. */
  keepLegal(shown: readonly Position[]): void {
    const legal = new WeakMap<Exchange, LegalExchange>();
    for (const at of shown) {
      const exchange = this.exchanges[this.exchangeFrom(at)];
      const kept = exchange && this.#legal.get(exchange);
      if (kept !== undefined) legal.set(exchange!, kept);
    }
    this.#legal = legal;
  }

  #grouped(): ExchangeIndex {
    return this.#index ?? this.#groupFrom(this.#requestBefore(this.entries.length - FIRST_SPAN));
  }

  #groupFrom(horizon: number): ExchangeIndex {
    const index = new ExchangeIndex();
    for (let at = horizon; at < this.entries.length; at++) index.push(this.messageAt(at), at);
    this.#horizon = horizon;
    this.#index = index;
    return index;
  }

  /** The last user message at or before a position, or the start of the conversation. */
  #requestBefore(position: Position): number {
    const request = this.requests.findLast((at) => at <= position);
    return Math.max(this.#start, request ?? this.#start);
  }
}

/** Messages as a log that holds them as they are, without copies: for plans that are made once, from a list. */
export function logOf(messages: readonly Message[]): Log {
  const log = new Log();
  log.append(messages.map((message, at) => entryOf(held(message), at, BATCH)));
  return log;
}

const BATCH: Batch = { first: 0, after: -1, time: 0 };

function held(message: Message): WholeMessage {
  const whole = { role: message.role, message, isBlank: () => isBlank(message), whole: () => whole };
  return whole;
}

/** The lowest index from which a condition holds on; the length of the list where it never does. */
export function lowest<T>(list: readonly T[], holds: (item: T) => boolean): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(list[middle]!)) high = middle;
    else low = middle + 1;
  }
  return low;
}

interface LegalExchange {
  readonly revision: number;
  readonly messages: readonly Message[];
}
