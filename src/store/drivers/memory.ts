import type { Entry } from "../../message/entry.js";
import { messageToJSON } from "../../message/value-json.js";
import { inProcessMemories } from "../memories/in-process.js";
import type { Redaction } from "../memories/memories.js";
import { plainStore } from "../plain-store.js";
import { redactedRow } from "../redacted-row.js";
import {
  type Change,
  type CommitOutcome,
  firstVersion,
  headAfter,
  isWanted,
  type KeyedAppend,
  type ListOptions,
  PAGE_SIZE,
  type ReadOptions,
  type Removed,
  type Replacement,
  type ReplaceOutcome,
  type SessionInfo,
  type SessionPage,
  type Store,
  type StoredSession,
} from "../store.js";
import { closedStore } from "../store-errors.js";
import { type EntrySource, entryOfRow, entryOfSource, rowOf, sequenceOf } from "../stored-entry.js";

/**
 * Keeps sessions in this process's memory: for tests, and for agents that end with their process. Nothing is turned into
 * text before somebody asks for it.
 *
 * @example
 * ```ts
 * const varve = await openVarve({ store: memoryStore() });
 * ```
 */
export function memoryStore(): Store {
  return plainStore(new MemoryStore());
}

interface Kept {
  version: number;
  head: number;
  readonly created: number;
  updated: number;
  entries: Entry[];
  readonly documents: Map<string, unknown>;
  readonly keys: Map<string, KeyedAppend>;
}

class MemoryStore implements Store {
  readonly name = "memory";
  readonly memories = inProcessMemories({
    check: () => this.#check(),
    redaction: (redaction) => this.#redaction(redaction),
  });
  readonly #sessions = new Map<string, Kept>();
  #closed = false;

  async read(sessionId: string, options: ReadOptions = {}): Promise<StoredSession | undefined> {
    const kept = this.#find(sessionId);
    if (kept === undefined) return undefined;
    const { from = 0 } = options;
    const wanted = [...kept.documents].filter(([name]) => isWanted(name, options)).sort(byName);
    return {
      info: infoOf(sessionId, kept),
      entries:
        from >= kept.entries.length
          ? []
          : kept.entries.slice(from).map((entry) => entryOfSource(new Shared(entry), entry.sequence)),
      documents: new Map(wanted.map(([name, value]) => [name, JSON.stringify(value)])),
      ...(options.keys && { keys: new Map(kept.keys) }),
    };
  }

  async version(sessionId: string): Promise<number> {
    return this.#find(sessionId)?.version ?? 0;
  }

  async commit(sessionId: string, change: Change): Promise<CommitOutcome> {
    const kept = this.#find(sessionId);
    const version = kept?.version ?? 0;
    const known = change.key === undefined ? undefined : kept?.keys.get(change.key);
    if (known !== undefined) return { status: "repeated", version, ...known };
    if (version !== change.version) return { status: "stale", version };
    const session = kept ?? newSession(change.time);
    apply(session, change);
    this.#sessions.set(sessionId, session);
    return { status: "committed", version: session.version };
  }

  async replace(sessionId: string, { version, changes }: Replacement): Promise<ReplaceOutcome> {
    const there = this.#find(sessionId)?.version ?? 0;
    if (version !== undefined && version !== there) return { status: "stale", version: there };
    const session = newSession(changes[0]?.time ?? 0);
    for (const change of changes) apply(session, change);
    this.#sessions.set(sessionId, session);
    return { status: "committed", version: session.version };
  }

  async sessions({ after, limit = PAGE_SIZE, prefix = "" }: ListOptions = {}): Promise<SessionPage> {
    this.#check();
    const ids = [...this.#sessions.keys()].filter((id) => id.startsWith(prefix)).sort();
    const rest = after === undefined ? ids : ids.filter((id) => id > after);
    const page = rest.slice(0, limit);
    return {
      sessions: page.map((id) => infoOf(id, this.#sessions.get(id)!)),
      next: rest.length > page.length ? page.at(-1) : undefined,
    };
  }

  async delete(sessionId: string): Promise<Removed | undefined> {
    const kept = this.#find(sessionId);
    if (kept === undefined) return undefined;
    this.#sessions.delete(sessionId);
    const { bytes } = infoOf(sessionId, kept);
    return { entries: kept.entries.length, documents: kept.documents.size, keys: kept.keys.size, bytes };
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#sessions.clear();
  }

  #find(sessionId: string): Kept | undefined {
    this.#check();
    return this.#sessions.get(sessionId);
  }

  #redaction({ session, messages, change }: Redaction): (() => void) | undefined {
    const kept = this.#sessions.get(session);
    if (kept?.version !== change.version) return undefined;
    const entries = [...messages].flatMap(([sequence, message]) => {
      const entry = kept.entries[sequence];
      return entry === undefined ? [] : [entryOfRow(redactedRow(rowOf(entry), message))];
    });
    return () => {
      for (const entry of entries) kept.entries[entry.sequence] = entry;
      apply(kept, change);
    };
  }

  #check(): void {
    if (this.#closed) throw closedStore();
  }
}

function newSession(time: number): Kept {
  const session = { version: firstVersion() - 1, head: -1, created: time, updated: time };
  return { ...session, entries: [], documents: new Map(), keys: new Map() };
}

function apply(session: Kept, change: Omit<Change, "version">): void {
  const { entries = [], key, documents } = change;
  const first = session.entries.length;
  // Many entries at once go into an empty list as one, for a list that grows takes thrice the room.
  if (first === 0) session.entries = entries.slice();
  else for (let at = 0; at < entries.length; at++) session.entries.push(entries[at]!);
  if (key !== undefined) session.keys.set(key, { first, count: entries.length });
  for (const [name, value] of documents ?? []) {
    if (value === undefined) session.documents.delete(name);
    else session.documents.set(name, value);
  }
  session.head = headAfter(change, session.head);
  session.updated = change.time;
  session.version++;
}

/** The bytes are summed up when a size is asked for. */
function infoOf(id: string, { version, entries, head, created, updated, documents }: Kept): SessionInfo {
  const size = () => {
    const messages = entries.reduce((sum, { message }) => sum + Buffer.byteLength(messageToJSON(message)), 0);
    return [...documents.values()].reduce<number>((sum, value) => sum + JSON.stringify(value).length, messages);
  };
  const info = { id, version, entries: entries.length, head, created, updated };
  return {
    ...info,
    get bytes() {
      return size();
    },
  };
}

/** What a reader gets of an entry: the same, but for counts, which may come from another counter. */
class Shared implements EntrySource {
  readonly #entry: Entry;

  constructor(entry: Entry) {
    this.#entry = entry;
  }

  parentOf(): number {
    return sequenceOf(this.#entry.parent);
  }

  timeOf(): number {
    return this.#entry.time;
  }

  roleOf(): Entry["role"] {
    return this.#entry.role;
  }

  isBlank(): boolean {
    return this.#entry.blank;
  }

  messageOf(): Entry["message"] {
    return this.#entry.message;
  }
}

const byName = ([left]: [string, unknown], [right]: [string, unknown]): number => (left < right ? -1 : 1);
