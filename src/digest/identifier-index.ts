import type { History, Message } from "../message/types.js";
import { type Passage, passagesOf } from "./passages.js";
import type { Source } from "./pieces.js";

/** How often and where an identifier was named. Positions are indices of entries. */
export interface IdentifierRecord {
  user: number;
  agent: number;
  call: number;
  result: number;
  /** How often it was an argument of a call by itself. */
  argument: number;
  first: number;
  last: number;
  /** Where it was last an argument of a call; -1 if never. */
  lastCall: number;
  /** Messages that name it. */
  messages: number;
}

/** What is known of every identifier of a log, message by message; each message is read once. */
export class IdentifierIndex {
  readonly #records = new Map<string, IdentifierRecord>();
  readonly #passages = new Map<number, readonly Passage[]>();
  #upTo: number;

  constructor(from = 0) {
    this.#upTo = from;
  }

  /** Reads messages up to a position, without it. */
  readTo(position: number, history: History): void {
    for (; this.#upTo < position; this.#upTo++) this.#read(history.messageAt(this.#upTo), this.#upTo);
  }

  /** The passages of a message at a position; kept from when it was read, or found anew. */
  passagesAt(position: number, history: History): readonly Passage[] {
    return this.#passages.get(position) ?? passagesOf(history.messageAt(position));
  }

  /** Passages are kept until their messages are digested. */
  forget(from: number, to: number): void {
    for (let at = from; at < to; at++) this.#passages.delete(at);
  }

  record(identifier: string): IdentifierRecord | undefined {
    return this.#records.get(identifier);
  }

  #read(message: Message, position: number): void {
    const passages = passagesOf(message);
    this.#passages.set(position, passages);
    for (const { identifiers, source, whole } of passages) {
      for (const text of identifiers) this.#note(text, source, position);
      for (const text of whole) this.#records.get(text)!.argument++;
    }
  }

  #note(text: string, source: Source, position: number): void {
    const record = this.#records.get(text) ?? fresh(position);
    if (record.messages === 0) this.#records.set(text, record);
    record[source]++;
    if (record.last !== position || record.messages === 0) record.messages++;
    record.last = position;
    if (source === "call") record.lastCall = position;
  }
}

const fresh = (position: number): IdentifierRecord => ({
  user: 0,
  agent: 0,
  call: 0,
  result: 0,
  argument: 0,
  first: position,
  last: position,
  lastCall: -1,
  messages: 0,
});
