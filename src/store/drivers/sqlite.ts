import { setImmediate as nextTurn } from "node:timers/promises";
import { VarveError } from "../../errors.js";
import { letGo } from "../../message/entry.js";
import { checkNames, type OptionNames } from "../../message/option-names.js";
import { damagedFile, REPAIR, unreadableFile } from "../damage.js";
import { lateMemories } from "../memories/late-memories.js";
import type { Memories } from "../memories/memories.js";
import { plainStore } from "../plain-store.js";
import {
  type Change,
  type CommitOutcome,
  headAfter,
  type ListOptions,
  PAGE_SIZE,
  type ReadOptions,
  type Removed,
  type RepairReport,
  type Replacement,
  type ReplaceOutcome,
  type SessionPage,
  type Store,
  type StoredSession,
  type VerifyOptions,
  type VerifyReport,
} from "../store.js";
import { type EntryRow, rowOf } from "../stored-entry.js";
import { verifyContents } from "../verify-contents.js";
import { checkPath, checkTarget, checkTimeout } from "./check-path.js";
import { makeFile } from "./file-system.js";
import { SqliteConnection, type SqliteSettings } from "./sqlite-connection.js";
import { repairSqlite } from "./sqlite-repair.js";
import { type SessionRow, SqliteRows } from "./sqlite-rows.js";

export interface SqliteOptions {
  /** Milliseconds to wait for other writers; 15,000 unless given. */
  readonly timeout?: number;
  /** Told of what is damaged and left out. */
  readonly onWarning?: (warning: VarveError) => void;
}

const TIMEOUT = 15_000;
const OPTIONS: OptionNames<SqliteOptions> = { timeout: true, onWarning: true };

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
  checkNames(options, OPTIONS, "sqliteStore");
  const { timeout = TIMEOUT, onWarning = (warning) => process.emitWarning(warning) } = options;
  const settings = { timeout: checkTimeout(timeout), onWarning };
  return plainStore(new SqliteStore(await SqliteConnection.open(checkPath("path", path), settings)));
}

/** A store that is to be repaired, also where it is too damaged to be used. */
export async function damagedSqliteStore(
  path: string,
  onWarning: SqliteSettings["onWarning"] = () => undefined,
): Promise<Store> {
  const settings = { timeout: TIMEOUT, onWarning, salvages: true };
  try {
    return plainStore(new SqliteStore(await SqliteConnection.open(path, settings)));
  } catch (error) {
    throw VarveError.isInstance(error) && error.hint?.includes(REPAIR) ? unreadableFile(path, error) : error;
  }
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
      const { number: _, sums: __, ...info } = session;
      const entries = this.#rows.entries(session, options.from ?? 0);
      const documents = this.#rows.documents(session, options);
      return { info, entries, documents, ...(options.keys && { keys: this.#rows.keys(session) }) };
    });
  }

  version(sessionId: string): Promise<number> {
    return this.#connection.run(() => this.#rows.version(sessionId));
  }

  async commit(sessionId: string, change: Change): Promise<CommitOutcome> {
    const written = writtenOf(change);
    let after: SessionRow | undefined;
    const outcome = await this.#connection.transaction("IMMEDIATE", (): CommitOutcome => {
      const session = this.#rows.find(sessionId);
      const version = session?.version ?? 0;
      const known = session && change.key !== undefined ? this.#rows.known(session, change.key) : undefined;
      if (known !== undefined) return { status: "repeated", version, ...known };
      if (version !== change.version) return { status: "stale", version };
      after = this.#write(session ?? this.#rows.create(sessionId, change.time), change, written);
      return { status: "committed", version: after.version };
    });
    if (outcome.status === "committed" && after !== undefined) {
      const texts = this.#rows.texts(after);
      for (const entry of change.entries ?? []) letGo(entry, texts);
      // Whoever appends in a loop stops neither the event loop nor the collector: weakly held messages stay until the next turn.
      await nextTurn();
    }
    return outcome;
  }

  /** One whose rows are damaged may be replaced too, as long as no version is asked of it. */
  async replace(sessionId: string, { version, changes }: Replacement): Promise<ReplaceOutcome> {
    const written = changes.map(writtenOf);
    let hasReplaced = false;
    const outcome = await this.#connection.transaction("IMMEDIATE", (): ReplaceOutcome => {
      const known = version === undefined ? undefined : this.#rows.version(sessionId);
      if (known !== undefined && version !== known) return { status: "stale", version: known };
      hasReplaced = this.#rows.delete(sessionId) !== undefined;
      let made = this.#rows.create(sessionId, changes[0]!.time);
      for (const [at, change] of changes.entries()) made = this.#write(made, change, written[at]!);
      return { status: "committed", version: made.version };
    });
    if (hasReplaced) await this.#connection.insist(() => this.#rows.forget());
    return outcome;
  }

  #write(session: SessionRow, change: Omit<Change, "version">, { rows, documents, bytes }: Written): SessionRow {
    const { number, entries: first } = session;
    for (const row of rows) this.#rows.insert(number, row);
    const grown = documents.reduce((sum, [name, value]) => sum + this.#rows.document(session, name, value), bytes);
    if (change.key !== undefined) this.#rows.remember(session, change.key, { first, count: rows.length });
    const after = {
      ...session,
      version: session.version + 1,
      entries: first + rows.length,
      head: headAfter(change, session.head),
      updated: change.time,
      bytes: session.bytes + grown,
    };
    this.#rows.update(after);
    this.#rows.pack(session, first, after.entries);
    return after;
  }

  sessions({ after = "", limit = PAGE_SIZE, prefix = "" }: ListOptions = {}): Promise<SessionPage> {
    return this.#connection.run(() => {
      const found = this.#rows.list(after, prefix, limit + 1);
      const sessions = found.slice(0, limit);
      return { sessions, next: found.length > limit ? sessions.at(-1)?.id : undefined };
    });
  }

  async delete(sessionId: string): Promise<Removed | undefined> {
    const removed = await this.#connection.transaction("IMMEDIATE", () => this.#rows.delete(sessionId));
    if (removed === undefined || (await this.#connection.insist(() => this.#rows.forget()))) return removed;
    return { ...removed, pending: true };
  }

  async verify(options?: VerifyOptions): Promise<VerifyReport> {
    const { path, timeout, salvaged } = this.#connection;
    const faults: VarveError[] = [];
    const settings = { timeout, salvages: true, onWarning: (fault: VarveError) => void faults.push(fault) };
    const connection = await SqliteConnection.open(path, settings);
    const damage = salvaged ?? connection.salvaged;
    if (damage !== undefined) faults.push(damage);
    try {
      await connection
        .run(() => integrityFaults(connection))
        .then(
          (found) => faults.push(...found),
          (error: unknown) => connection.tell(error),
        );
      return await verifyContents(new SqliteStore(connection), faults, options);
    } finally {
      connection.close();
    }
  }

  async repair(): Promise<RepairReport> {
    const { faults } = await this.verify();
    this.#connection.close();
    return { faults, backup: await repairSqlite(this.#connection.path) };
  }

  async backup(target: string): Promise<void> {
    checkTarget(target);
    makeFile(target);
    await this.#connection.run(() => this.#connection.prepare("VACUUM INTO ?").run(target));
  }

  async close(): Promise<void> {
    this.#connection.close();
  }
}

/** What SQLite itself finds wrong with the file. */
function integrityFaults(connection: SqliteConnection): VarveError[] {
  const found = connection.prepare("PRAGMA integrity_check(20)").all();
  return found.flatMap(({ integrity_check: says }) =>
    says === "ok" ? [] : [damagedFile(connection.path, String(says))],
  );
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
