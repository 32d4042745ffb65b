import type { PackedMessage } from "./packed-message.js";
import type { EntryId } from "./positions.js";
import { type MessageSource, StoredMessage } from "./stored-message.js";
import type { Message } from "./types.js";

/** Who put a message into the log: a person, the agent, a tool, or the application itself. */
export type Origin = "user" | "agent" | "tool" | "application";

/** A message as stored. Entries are never changed; only the cached count is filled in when it is first needed. */
export interface Entry {
  readonly id: EntryId;
  /** Position in the session's log, from 0, also across branches. */
  readonly sequence: number;
  /** The entry before it on its branch. */
  readonly parent: string | null;
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly origin: Origin;
  readonly role: Message["role"];
  /** Whether no provider would read anything in it. */
  readonly blank: boolean;
  /** Frozen throughout; built, or fetched from the store, when it is read and nobody holds it. */
  readonly message: Message;
  /** Tokens of the message by the session's counter. */
  tokens: number | undefined;
}

/** What the entries of one append share. */
export interface Batch {
  /** Sequence of the first of them. */
  readonly first: number;
  /** Sequence of the entry that the first follows on its branch; -1 where it is the very first. */
  readonly after: number;
  readonly time: number;
}

/** An entry at its place in a log. Its id is worked out when asked for: most are never asked. */
export function entryOf(packed: PackedMessage, sequence: number, batch: Batch): Entry {
  return new PlacedEntry(packed, sequence, batch);
}

/** Tells an entry that its message is in a store now, which can read it again: the log need not hold it any longer. */
export function letGo(entry: Entry, source: MessageSource): void {
  if (entry instanceof PlacedEntry) entry.letGo(source);
}

class PlacedEntry implements Entry {
  readonly sequence: number;
  tokens: number | undefined = undefined;
  readonly #batch: Batch;
  #packed: PackedMessage;

  constructor(packed: PackedMessage, sequence: number, batch: Batch) {
    this.#packed = packed;
    this.sequence = sequence;
    this.#batch = batch;
  }

  get id(): string {
    return idOf(this.sequence);
  }

  get parent(): string | null {
    const after = this.sequence === this.#batch.first ? this.#batch.after : this.sequence - 1;
    return after < 0 ? null : idOf(after);
  }

  get time(): number {
    return this.#batch.time;
  }

  get role(): Message["role"] {
    return this.#packed.role;
  }

  get message(): Message {
    const whole = this.#packed.whole();
    this.#packed = whole;
    return whole.message;
  }

  get blank(): boolean {
    return this.#packed.isBlank();
  }

  get origin(): Origin {
    return originOf(this.role);
  }

  letGo(source: MessageSource): void {
    if (this.#packed instanceof StoredMessage) return;
    this.#packed = new StoredMessage(this.#packed.whole(), source, this.sequence);
  }

  toJSON(): Entry {
    const { id, sequence, parent, time, origin, role, message, blank, tokens } = this;
    return { id, sequence, parent, time, origin, role, message, blank, tokens };
  }
}

const idOf = (sequence: number): string => `e${sequence}`;

/** The origin a message has by its role. */
function originOf(role: Message["role"]): Origin {
  if (role === "user") return "user";
  if (role === "assistant") return "agent";
  return role === "tool" ? "tool" : "application";
}
