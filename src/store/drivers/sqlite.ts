import { checkNames, type OptionNames } from "../../message/option-names.js";
import { lateMemories } from "../memories/late-memories.js";
import type { Memories } from "../memories/memories.js";
import { plainStore } from "../plain-store.js";
import {
  type Change,
  type CommitOutcome,
  type ListOptions,
  PAGE_SIZE,
  type ReadOptions,
  type Removed,
  type Replacement,
  type ReplaceOutcome,
  type SessionPage,
  type Store,
  type StoredSession,
} from "../store.js";
import { type EntryRow, rowOf } from "../stored-entry.js";
import { checkPath, checkTimeout } from "./check-path.js";
import { SqliteConnection } from "./sqlite-connection.js";
import { type Advance, type SessionPlace, SqliteRows } from "./sqlite-rows.js";

export interface SqliteOptions {
  /** Milliseconds to wait for other writers; 15,000 unless given. */
  readonly timeout?: number;
}

const TIMEOUT = 15_000;
const OPTIONS: OptionNames<SqliteOptions> = { timeout: true };

/**
 * Keeps sessions in one SQLite file, which several processes may use at once. Missing folders are made; the file is
 * private to its user. What was committed survives a crash of the process and of the machine.
 *
 * @example
 * ```ts
 * const varve = await openVarve({ store: await sqliteStore("./varve.db") });
 * ```
 */
export async function sqliteStore(path: string, options: SqliteOptions = {}): Promise<Store> {
  const { timeout = TIMEOUT } = checkNames(options, OPTIONS, "sqliteStore");
  return plainStore(new SqliteStore(await SqliteConnection.open(checkPath("path", path), checkTimeout(timeout))));
}

/** After each removal the file is written anew where text was, which takes nearly as long for few rows as for many. */
const MOST_REMOVED = 10_000;

class SqliteStore implements Store {
  readonly name = "sqlite";
  readonly memories: Memories;
  readonly #connection: SqliteConnection;
  readonly #rows: SqliteRows;

  constructor(connection: SqliteConnection) {
    this.#connection = connection;
    this.#rows = new SqliteRows(connection);
    this.memories = lateMemories(MOST_REMOVED, async () =>
      (await import("../memories/sqlite.js")).sqliteMemories(connection, this.#rows),
    );
  }

  read(sessionId: string, options: ReadOptions = {}): Promise<StoredSession | undefined> {
    return this.#connection.transaction("DEFERRED", () => {
      const session = this.#rows.find(sessionId);
      if (session === undefined) return undefined;
      const { number, ...info } = session;
      const entries = this.#rows.entries(session, options.from ?? 0);
      const documents = this.#rows.documents(number, options);
      return { info, entries, documents, ...(options.keys && { keys: this.#rows.keys(number) }) };
    });
  }

  version(sessionId: string): Promise<number> {
    return this.#connection.run(() => this.#rows.version(sessionId));
  }

  async commit(sessionId: string, change: Change): Promise<CommitOutcome> {
    const written = writtenOf(change);
    return this.#connection.transaction("IMMEDIATE", (): CommitOutcome => {
      const known = change.key === undefined ? undefined : this.#rows.known(sessionId, change.key);
      if (known !== undefined) return { status: "repeated", ...known };
      const given = { change, bytes: written.bytes };
      const session = change.version === 0 ? this.#create(sessionId, given) : this.#rows.advance(sessionId, given);
      if (session === undefined) return { status: "stale", version: this.#rows.find(sessionId)?.version ?? 0 };
      this.#apply(session, change, written);
      return { status: "committed", version: session.version };
    });
  }

  /** Undefined where the session is there already. */
  #create(sessionId: string, advance: Advance): SessionPlace | undefined {
    return this.#rows.find(sessionId) === undefined ? this.#rows.create(sessionId, advance) : undefined;
  }

  async replace(sessionId: string, { version, changes }: Replacement): Promise<ReplaceOutcome> {
    const written = changes.map(writtenOf);
    let hasReplaced = false;
    const outcome = await this.#connection.transaction("IMMEDIATE", (): ReplaceOutcome => {
      const there = this.#rows.find(sessionId);
      const known = there?.version ?? 0;
      if (version !== undefined && version !== known) return { status: "stale", version: known };
      hasReplaced = there !== undefined;
      if (there !== undefined) this.#rows.delete(there);
      let made = 0;
      for (const [at, change] of changes.entries())
        made = this.#write(sessionId, { ...change, version: made }, written[at]!);
      return { status: "committed", version: made };
    });
    if (hasReplaced) await this.#connection.insist(() => this.#rows.forget());
    return outcome;
  }

  /** Writes a change to a session that nobody else can have changed; returns the version after it. */
  #write(sessionId: string, change: Change, written: Written): number {
    const given = { change, bytes: written.bytes };
    const place = change.version === 0 ? this.#rows.create(sessionId, given) : this.#rows.advance(sessionId, given);
    this.#apply(place!, change, written);
    return place!.version;
  }

  #apply({ number, entries }: SessionPlace, change: Change, { rows, documents }: Written): void {
    for (const row of rows) this.#rows.insert(number, row);
    let grown = 0;
    for (const [name, value] of documents) grown += this.#rows.document(number, name, value);
    if (grown !== 0) this.#rows.grow(number, grown);
    if (change.key !== undefined) this.#rows.remember({ number, entries, key: change.key, count: rows.length });
    this.#rows.pack(number, entries, entries + rows.length);
  }

  sessions({ after = "", limit = PAGE_SIZE, prefix = "" }: ListOptions = {}): Promise<SessionPage> {
    return this.#connection.run(() => {
      const found = this.#rows.list(after, prefix, limit + 1);
      const sessions = found.slice(0, limit);
      return { sessions, next: found.length > limit ? sessions.at(-1)?.id : undefined };
    });
  }

  async delete(sessionId: string): Promise<Removed | undefined> {
    const removed = await this.#connection.transaction("IMMEDIATE", () => {
      const session = this.#rows.find(sessionId);
      return session && this.#rows.delete(session);
    });
    if (removed === undefined || (await this.#connection.insist(() => this.#rows.forget()))) return removed;
    return { ...removed, pending: true };
  }

  async close(): Promise<void> {
    this.#connection.close();
  }
}

interface Written {
  readonly rows: readonly EntryRow[];
  /** Bytes of their messages. */
  readonly bytes: number;
  /** JSON text by name; undefined for those to be removed. */
  readonly documents: readonly (readonly [string, string | undefined])[];
}

/** Everything is turned into text before the file is locked. */
function writtenOf({ entries = [], documents = new Map() }: Omit<Change, "version">): Written {
  const rows = entries.map(rowOf);
  return {
    rows,
    bytes: rows.reduce((sum, { message }) => sum + Buffer.byteLength(message), 0),
    documents: [...documents].map(([name, value]) => [name, value === undefined ? undefined : JSON.stringify(value)]),
  };
}
