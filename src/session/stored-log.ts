import type { VarveError } from "../errors.js";
import { type Entry, entryOf } from "../message/entry.js";
import type { PackedMessage } from "../message/packed-message.js";
import { sameMessage } from "../message/same-message.js";
import { type Change, identityOf, type SessionInfo, type Store, type StoredSession } from "../store/store.js";
import { deletedSession, reusedKey } from "./session-errors.js";

/** Names of the small documents that a session keeps at hand begin so. */
const STATE = "state/";
/** Says which entries text was taken out of, once for each time: who knows of others reads the log again. */
export const REDACTED = "state/redacted";

export interface RedactedEntries {
  readonly sequences: readonly number[];
  /** How often text was taken out of the session or its documents. */
  readonly times?: number;
}

/** Documents at hand, and those that a commit is to write. */
export interface Documents {
  get(name: string): unknown;
  /** Undefined removes a document. */
  set(name: string, value: unknown): void;
}

/** What a commit is to do, worked out anew each time that somebody else was first. */
export interface Draft {
  readonly messages?: readonly PackedMessage[];
  readonly key?: string | undefined;
  /** Sequence of a new head. */
  readonly head?: number;
  /** Writes documents, given those that are there and what the head will be. */
  write?(documents: Documents, head: number): void;
}

/** What others have done since: entries that came, and documents that they wrote. */
export interface Missed {
  readonly entries: readonly Entry[];
  readonly head: number;
  readonly documents: ReadonlySet<string>;
  /** Whether text was taken out of entries that were known. */
  readonly redacted: boolean;
}

export interface Committed {
  readonly entries: readonly Entry[];
  /** Whether the entries are those of an earlier append with the same key. */
  readonly repeated: boolean;
}

export interface StoredLogPorts {
  readonly store: Store;
  readonly now: () => number;
  /** Told of what others did before a commit goes on behind it. */
  readonly onMissed: (missed: Missed) => void;
  /** Told once the session is found deleted, also where another has been made under its id since. */
  readonly onGone: (gone: VarveError) => void;
}

/**
 * A session in its store as one process sees it: all entries by sequence, the head, and the small documents. Commits are
 * made on the version that is known; where others were first, what they did is taken in and the commit made behind it.
 */
export class StoredLog {
  readonly #id: string;
  readonly #ports: StoredLogPorts;
  readonly #documents = new Map<string, Known>();
  #version = 0;
  /** Time of the session's first commit, once the store has told it. */
  #created: number | undefined;
  #entries: Entry[] = [];
  #head = -1;

  constructor(id: string, ports: StoredLogPorts) {
    this.#id = id;
    this.#ports = ports;
  }

  /** Entries of all branches by sequence. */
  get entries(): readonly Entry[] {
    return this.#entries;
  }

  get head(): number {
    return this.#head;
  }

  get version(): number {
    return this.#version;
  }

  /** One of the small documents as it is known. */
  document(name: string): unknown {
    return this.#documents.get(name)?.value;
  }

  /** The JSON text of documents that are not at hand, by the beginnings of their names. */
  async fetch(names: readonly string[]): Promise<ReadonlyMap<string, string>> {
    if (names.length === 0) return new Map();
    const stored = await this.#ports.store.read(this.#id, { from: Number.POSITIVE_INFINITY, documents: names });
    if (stored !== undefined) this.#checkSame(stored.info);
    return stored?.documents ?? new Map();
  }

  async load(): Promise<Missed | undefined> {
    return this.#catchUp();
  }

  /** Takes in what others have done; undefined where they have done nothing. */
  async refresh(): Promise<Missed | undefined> {
    const version = await this.#ports.store.version(this.#id);
    return version === this.#version ? undefined : this.#catchUp();
  }

  /** Carries a draft out, and returns the entries that it added or, where its key is known, had added before. */
  async commit(draft: Draft): Promise<Committed> {
    for (;;) {
      const { change, entries } = this.#change(draft);
      if (isEmpty(change)) return { entries, repeated: false };
      const outcome = await this.#ports.store.commit(this.#id, change);
      if (outcome.status === "committed") {
        this.#adopt(change, entries);
        this.#version = outcome.version;
        return { entries, repeated: false };
      }
      if (outcome.version !== this.#version) {
        const missed = await this.#catchUp();
        if (missed !== undefined) this.#ports.onMissed(missed);
      }
      if (outcome.status === "repeated") {
        const known = this.#entries.slice(outcome.first, outcome.first + outcome.count);
        if (!this.#saysTheSame(known, entries)) throw reusedKey(this.#id, draft.key!);
        return { entries: known, repeated: true };
      }
    }
  }

  /** Entries whose text was taken out are taken to have said it. */
  #saysTheSame(known: readonly Entry[], entries: readonly Entry[]): boolean {
    const { sequences = [] } = (this.document(REDACTED) ?? {}) as Partial<RedactedEntries>;
    const redacted = new Set(sequences);
    return (
      known.length === entries.length &&
      known.every(({ sequence, message }, at) => redacted.has(sequence) || sameMessage(message, entries[at]!.message))
    );
  }

  #change(draft: Draft): { change: Change; entries: readonly Entry[] } {
    const { messages = [], key, head } = draft;
    const time = this.#ports.now();
    const batch = { first: this.#entries.length, after: this.#head, time };
    const entries = messages.map((packed, at) => entryOf(packed, batch.first + at, batch));
    const documents = new Map<string, unknown>();
    const atHand: Documents = {
      get: (name) => (documents.has(name) ? documents.get(name) : this.document(name)),
      set: (name, value) => documents.set(name, value),
    };
    draft.write?.(atHand, head ?? entries.at(-1)?.sequence ?? this.#head);
    const optional = { ...(key !== undefined && { key }), ...(head !== undefined && { head }) };
    return { entries, change: { version: this.#version, time, entries, documents, ...optional } };
  }

  #adopt({ head, documents }: Change, entries: readonly Entry[]): void {
    this.#add(entries);
    this.#head = head ?? entries.at(-1)?.sequence ?? this.#head;
    for (const [name, value] of documents ?? []) if (name.startsWith(STATE)) this.#documents.set(name, { value });
  }

  #add(entries: readonly Entry[]): void {
    if (this.#entries.length === 0) this.#entries = entries.slice();
    else for (let at = 0; at < entries.length; at++) this.#entries.push(entries[at]!);
  }

  async #catchUp(): Promise<Missed | undefined> {
    const known = this.#entries.length;
    const missed = await this.#read(known);
    if (missed === undefined) return undefined;
    const redacted = known > 0 && missed.documents.get(REDACTED) !== textOf(this.#documents.get(REDACTED));
    const stored = redacted ? await this.#read(0) : missed;
    if (stored === undefined) return undefined;
    if (redacted) this.#entries = [];
    this.#created = stored.info.created;
    this.#add(stored.entries);
    this.#head = stored.info.head;
    this.#version = stored.info.version;
    return { entries: stored.entries, head: this.#head, documents: this.#takeIn(stored.documents), redacted };
  }

  async #read(from: number): Promise<StoredSession | undefined> {
    const stored = await this.#ports.store.read(this.#id, { from, documents: [STATE] });
    if (stored === undefined && this.#version > 0) throw this.#gone();
    if (stored !== undefined) this.#checkSame(stored.info);
    return stored;
  }

  /** Another session under the same id is not gone on with: what is known here belongs to the one that was deleted. */
  #checkSame({ version, entries, created }: SessionInfo): void {
    if (this.#version === 0) return;
    const isSame = identityOf(version) === identityOf(this.#version) && created === (this.#created ?? created);
    if (!isSame || version < this.#version || entries < this.#entries.length) throw this.#gone();
  }

  #gone(): VarveError {
    const gone = deletedSession(this.#id);
    this.#ports.onGone(gone);
    return gone;
  }

  /** Names of the documents that others changed. */
  #takeIn(texts: ReadonlyMap<string, string>): Set<string> {
    const changed = new Set<string>();
    for (const name of new Set([...texts.keys(), ...this.#documents.keys()])) {
      const text = texts.get(name);
      if (text === textOf(this.#documents.get(name))) continue;
      changed.add(name);
      if (text === undefined) this.#documents.delete(name);
      else this.#documents.set(name, { text, value: JSON.parse(text) });
    }
    return changed;
  }
}

const isEmpty = ({ entries, documents, head, key }: Change): boolean =>
  entries?.length === 0 && documents?.size === 0 && head === undefined && key === undefined;

/** A document at hand; its text where it came from the store. */
interface Known {
  readonly value: unknown;
  readonly text?: string;
}

const textOf = (known: Known | undefined): string | undefined =>
  known?.text ?? (known?.value === undefined ? undefined : JSON.stringify(known.value));
