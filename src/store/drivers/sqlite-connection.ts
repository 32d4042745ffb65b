import type { DatabaseSync, StatementSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { VarveError } from "../../errors.js";
import { damagedFile } from "../damage.js";
import { closedStore } from "../store-errors.js";
import { hasFullText, openDatabase, rollBack, salvage } from "./sqlite-database.js";
import { isBusy, isDamage, sqliteError } from "./sqlite-errors.js";
import { checkSchema, migrate } from "./sqlite-migrations.js";

/** How long SQLite itself waits for a lock, with the whole process, before we wait without it. */
const BLOCKING_WAIT = 5;
const LONGEST_PAUSE = 20;
const ATTEMPTS = 5;

/** Changes nothing in the file, so that it may come before the file is known to be ours. */
const WAITING = `PRAGMA busy_timeout = ${BLOCKING_WAIT}`;

/**
 * WAL, so that readers and a writer do not wait for each other; `synchronous = FULL`, so that a commit has reached the
 * disk when it returns, power failure included; `secure_delete`, so that what is deleted is overwritten. The cache of
 * pages is large enough for the indexes that a batch of memories is spread over.
 */
const PRAGMAS = `
  PRAGMA auto_vacuum = INCREMENTAL;
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  PRAGMA secure_delete = ON;
  PRAGMA cache_size = -16000;
  PRAGMA wal_autocheckpoint = 2000;
  PRAGMA journal_size_limit = 16777216;`;

export interface SqliteSettings {
  /** Milliseconds to wait for other writers. */
  readonly timeout: number;
  /** Told of what is damaged and left out. */
  readonly onWarning: (warning: VarveError) => void;
  /** Opens also what SQLite takes for damaged as a whole, such as a file that was cut short: to read it, and to repair it. */
  readonly salvages?: boolean;
}

/** A database file that may be used by several processes. */
export class SqliteConnection {
  readonly path: string;
  readonly #database: DatabaseSync;
  readonly timeout: number;
  /** What is wrong with the file as a whole, where it was opened all the same. */
  salvaged: VarveError | undefined;
  readonly #statements = new Map<string, StatementSync>();
  #isClosed = false;

  readonly #warn: (warning: VarveError) => void;
  readonly #told = new Set<string>();

  private constructor(path: string, database: DatabaseSync, { timeout, onWarning }: SqliteSettings) {
    this.path = path;
    this.#database = database;
    this.timeout = timeout;
    this.#warn = onWarning;
  }

  static async open(path: string, settings: SqliteSettings): Promise<SqliteConnection> {
    let database: DatabaseSync | undefined;
    try {
      const opened = await openDatabase(path);
      database = opened;
      const connection = new SqliteConnection(path, opened, settings);
      await patiently(() => connection.#setUp(settings), settings.timeout);
      return connection;
    } catch (error) {
      database?.close();
      throw sqliteError(error, path);
    }
  }

  #setUp({ salvages }: SqliteSettings): void {
    this.#database.exec(WAITING);
    try {
      checkSchema(this.#database, this.path);
    } catch (error) {
      if (!salvages || !isDamage(error)) throw error;
      salvage(this.#database);
      checkSchema(this.#database, this.path);
      this.salvaged = damagedFile(this.path, "it was cut short, or SQLite finds it malformed");
    }
    // Setting them writes the head of the file, and so how many pages it has.
    if (this.salvaged === undefined) this.#database.exec(PRAGMAS);
    migrate(this.#database, this.path);
  }

  /** Whether words can be searched, which memories need. */
  hasFullText(): boolean {
    if (this.#isClosed) throw closedStore();
    return hasFullText(this.#database);
  }

  /** Says once what is damaged; throws what is something else. */
  tell(damage: unknown): void {
    if (!VarveError.isInstance(damage)) throw damage;
    if (this.#told.has(damage.message)) return;
    this.#told.add(damage.message);
    this.#warn(damage);
  }

  /** The statement of a text, prepared once. */
  prepare(sql: string): StatementSync {
    if (this.#isClosed) throw closedStore();
    const statement = this.#statements.get(sql) ?? this.#database.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }

  /** Runs synchronous work, again where others are in the way. */
  async run<T>(work: () => T): Promise<T> {
    if (this.#isClosed) throw closedStore();
    try {
      return await patiently(work, this.timeout);
    } catch (error) {
      throw sqliteError(error, this.path);
    }
  }

  /** Does work until it succeeds, for a while; false where it did not. */
  async insist(work: () => boolean): Promise<boolean> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      if (await this.run(work)) return true;
      await sleep(LONGEST_PAUSE);
    }
    return false;
  }

  /** Runs a single read at once: for texts that are fetched when somebody looks at them. */
  now<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw sqliteError(error, this.path);
    }
  }

  /** The same in one transaction, rolled back where it throws. */
  transaction<T>(kind: "IMMEDIATE" | "DEFERRED", work: () => T): Promise<T> {
    return this.run(() => {
      this.prepare(`BEGIN ${kind}`).run();
      try {
        const result = work();
        this.prepare("COMMIT").run();
        return result;
      } catch (error) {
        rollBack(this.#database);
        throw error;
      }
    });
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#statements.clear();
    this.#database.close();
  }
}

async function patiently<T>(work: () => T, timeout: number): Promise<T> {
  for (const start = Date.now(); ; ) {
    try {
      return work();
    } catch (error) {
      if (!isBusy(error) || Date.now() - start > timeout) throw error;
    }
    await sleep(1 + Math.random() * LONGEST_PAUSE);
  }
}
