import { VarveError } from "../errors.js";
import type { Entry, Origin } from "../message/entry.js";
import { isObject } from "../message/plain-value.js";
import type { MessageSource } from "../message/stored-message.js";
import type { Message } from "../message/types.js";
import { messageFromJSON, messageToJSON } from "../message/value-json.js";

/** An entry as drivers keep it: a row of a table or a line of a file. */
export interface EntryRow {
  readonly sequence: number;
  /** Sequence of the entry before it on its branch; -1 where there is none. */
  readonly parent: number;
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly role: Message["role"];
  readonly blank: boolean;
  /** JSON text of the message, as `messageToJSON` makes it. */
  readonly message: string;
  /** Where the message only stands for one that is gone. */
  readonly damage?: VarveError;
}

export const rowOf = (entry: Entry): EntryRow => ({
  sequence: entry.sequence,
  parent: parentOf(entry),
  time: entry.time,
  role: entry.role,
  blank: entry.blank,
  message: messageToJSON(entry.message),
});

/** The sequence in an entry's id; -1 for the parent of the first. */
export const sequenceOf = (id: string | null): number => (id === null ? -1 : Number(id.slice(1)));

/** The sequence of the entry before one on its branch; -1 where there is none. */
export const parentOf = (entry: Entry): number =>
  entry instanceof StoredEntry ? entry.parentSequence : sequenceOf(entry.parent);

/** The entry of a row. Its message is parsed when it is first read. */
export const entryOfRow = (row: EntryRow): Entry => new StoredEntry(row, row.sequence);

/** Where entries get what they say: one row, or a run of the log that fetches texts when they are asked for. */
export interface EntrySource extends MessageSource {
  parentOf(sequence: number): number;
  timeOf(sequence: number): number;
  roleOf(sequence: number): Message["role"];
  isBlank(sequence: number): boolean;
}

export const entryOfSource = (source: EntrySource, sequence: number): Entry => new StoredEntry(source, sequence);

/** Most entries of a long log are never read, and few are held: all that one has is a number and where to ask. */
class StoredEntry implements Entry {
  readonly sequence: number;
  tokens: number | undefined = undefined;
  readonly #source: EntryRow | EntrySource;
  #held: WeakRef<Message> | undefined = undefined;

  constructor(source: EntryRow | EntrySource, sequence: number) {
    this.#source = source;
    this.sequence = sequence;
  }

  get id(): string {
    return `e${this.sequence}`;
  }

  get parentSequence(): number {
    const source = this.#source;
    return "parentOf" in source ? source.parentOf(this.sequence) : source.parent;
  }

  get parent(): string | null {
    const parent = this.parentSequence;
    return parent < 0 ? null : `e${parent}`;
  }

  get time(): number {
    const source = this.#source;
    return "timeOf" in source ? source.timeOf(this.sequence) : source.time;
  }

  get role(): Message["role"] {
    const source = this.#source;
    return "roleOf" in source ? source.roleOf(this.sequence) : source.role;
  }

  get blank(): boolean {
    const source = this.#source;
    return "isBlank" in source ? source.isBlank(this.sequence) : source.blank;
  }

  get origin(): Origin {
    const { role } = this;
    if (role === "user" || role === "tool") return role;
    return role === "assistant" ? "agent" : "application";
  }

  get message(): Message {
    const held = this.#held?.deref();
    if (held !== undefined) return held;
    const message = this.#parse();
    this.#held = new WeakRef(message);
    return message;
  }

  #parse(): Message {
    const source = this.#source;
    if ("damage" in source) throw source.damage;
    try {
      const message = "messageOf" in source ? source.messageOf(this.sequence) : messageFromJSON(source.message);
      if (isObject(message)) return message;
    } catch (error) {
      throw VarveError.isInstance(error) ? error : damaged(this.id, error);
    }
    throw damaged(this.id);
  }

  toJSON(): Entry {
    const { id, sequence, parent, time, origin, role, message, blank, tokens } = this;
    return { id, sequence, parent, time, origin, role, message, blank, tokens };
  }
}

const damaged = (entry: string, cause?: unknown): VarveError =>
  new VarveError({
    code: "store-damaged",
    message: `The text of entry ${entry} in the store is damaged: it is no message.`,
    hint: "Restore the store from a copy or an export.",
    cause,
    details: { entry },
  });
