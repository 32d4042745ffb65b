import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { openDatabase } from "./sqlite-database.js";
import { isBusy, sqliteError } from "./sqlite-errors.js";

const LONGEST_PAUSE = 10;

/**
 * One writer at a time in a folder, over all processes. The lock is SQLite's on an empty file: the system lets go of it
 * when its process ends, however that happens, so no lock is ever left behind.
 */
export class FolderLock {
  readonly #path: string;
  readonly #timeout: number;
  readonly #first: () => void;
  #opening: Promise<DatabaseSync> | undefined;
  #isClosed = false;

  /** Whoever gets the lock does `first` before anything else: it finishes what a killed process left half done. */
  constructor(folder: string, timeout: number, first = () => {}) {
    this.#path = join(folder, ".lock");
    this.#timeout = timeout;
    this.#first = first;
  }

  /** Does synchronous work while no other process writes. */
  async run<T>(work: () => T): Promise<T> {
    this.#opening ??= this.#open();
    const database = await this.#opening;
    for (const start = Date.now(); ; ) {
      if (this.#begin(database, Date.now() - start > this.#timeout)) return finish(database, () => this.#do(work));
      await sleep(1 + Math.random() * LONGEST_PAUSE);
    }
  }

  #do<T>(work: () => T): T {
    this.#first();
    return work();
  }

  async close(): Promise<void> {
    const database = await this.#opening?.catch(() => undefined);
    if (!this.#isClosed) database?.close();
    this.#isClosed = true;
  }

  async #open(): Promise<DatabaseSync> {
    const database = await openDatabase(this.#path);
    database.exec("PRAGMA busy_timeout = 0");
    return database;
  }

  /** False where another process has the lock. */
  #begin(database: DatabaseSync, isLate: boolean): boolean {
    try {
      database.exec("BEGIN EXCLUSIVE");
      return true;
    } catch (error) {
      if (!isBusy(error) || isLate) throw sqliteError(error, this.#path);
      return false;
    }
  }
}

/** Nothing may come between the lock, the work and the end of the lock: others use the same connection. */
function finish<T>(database: DatabaseSync, work: () => T): T {
  try {
    return work();
  } finally {
    database.exec("COMMIT");
  }
}
