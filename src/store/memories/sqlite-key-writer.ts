import { keyHash } from "./sqlite-key-hash.js";
import type { SqliteTables } from "./sqlite-tables.js";

/** A row that keys lead to. */
interface KeyOwner {
  readonly number: number;
  readonly shelf: number;
}

interface PendingKey extends KeyOwner {
  readonly hash: number;
}

/** Keys written by one statement. */
const AT_ONCE = 50;

const insertOf = (count: number): string =>
  `INSERT OR IGNORE INTO memory_keys (hash, shelf, memory) VALUES ${Array(count).fill("(?, ?, ?)").join(", ")}`;

const INSERT_ONE = insertOf(1);
const INSERT_MANY = insertOf(AT_ONCE);

/**
 * Writes the keys of the rows of one transaction. They are as good as random, so they are written in their order at the
 * end, or before one is removed.
 */
export class SqliteKeyWriter {
  readonly #tables: SqliteTables;
  #pending: PendingKey[] = [];

  constructor(tables: SqliteTables) {
    this.#tables = tables;
  }

  add({ number, shelf }: KeyOwner, keys: readonly string[]): void {
    for (const key of keys) this.#pending.push({ hash: keyHash(key), shelf, number });
  }

  remove({ number, shelf }: KeyOwner, keys: readonly string[]): void {
    this.finish();
    const sql = "DELETE FROM memory_keys WHERE hash = ? AND shelf = ? AND memory = ?";
    for (const key of keys) this.#tables.run(sql, keyHash(key), shelf, number);
  }

  finish(): void {
    const sorted = this.#pending.sort((left, right) => left.hash - right.hash);
    this.#pending = [];
    const whole = sorted.length - (sorted.length % AT_ONCE);
    for (let from = 0; from < whole; from += AT_ONCE) this.#insert(INSERT_MANY, sorted.slice(from, from + AT_ONCE));
    for (const one of sorted.slice(whole)) this.#insert(INSERT_ONE, [one]);
  }

  #insert(sql: string, keys: readonly PendingKey[]): void {
    this.#tables.run(sql, ...keys.flatMap(({ hash, shelf, number }) => [hash, shelf, number]));
  }
}
