import { escaped } from "../drivers/escaped-text.js";
import { OWNERS, scopeOf } from "./memories.js";
import type { SqliteTables } from "./sqlite-tables.js";
import { ownerTokens } from "./sqlite-tokens.js";

export interface Shelf {
  readonly number: number;
  /** Tokens of its owners and tags. */
  readonly owners: string;
}

export interface Thread {
  readonly number: number;
  /** The place that the next row gets. */
  next: number;
}

/** How a shelf grew, or shrank. */
export interface ShelfChange {
  readonly rows: number;
  readonly passages: number;
  readonly terms: number;
}

/**
 * Finds shelves and threads for the rows of one transaction, and makes those that are missing. What changes with each
 * row is written once, by `finish`.
 */
export class SqliteShelfWriter {
  readonly #tables: SqliteTables;
  readonly #scopes = new Map<string, number>();
  readonly #shelves = new Map<string, Shelf>();
  readonly #threads = new Map<string, Thread>();
  readonly #changes = new Map<number, ShelfChange>();

  constructor(tables: SqliteTables) {
    this.#tables = tables;
  }

  shelf(scope: string, tags: readonly string[]): Shelf {
    const written = JSON.stringify(tags);
    return remembered(this.#shelves, `${scope}${written}`, () => ({
      number: this.#shelfNumber(this.#scope(scope), written),
      owners: ownerTokens({ ...scopeOf(scope), tags }).join(" "),
    }));
  }

  thread(scope: string, thread: string): Thread {
    return remembered(this.#threads, JSON.stringify([scope, thread]), () => this.#thread(this.#scope(scope), thread));
  }

  /** Where no row is left of a conversation, its name goes too. */
  dropThread(number: number): void {
    const isEmpty = "NOT EXISTS (SELECT 1 FROM memories WHERE thread = memory_threads.number)";
    if (this.#tables.run(`DELETE FROM memory_threads WHERE number = ? AND ${isEmpty}`, number) === 0) return;
    for (const [name, thread] of this.#threads) if (thread.number === number) this.#threads.delete(name);
  }

  count(shelf: number, { rows, passages, terms }: ShelfChange): void {
    const before = this.#changes.get(shelf) ?? { rows: 0, passages: 0, terms: 0 };
    const after = { rows: before.rows + rows, passages: before.passages + passages, terms: before.terms + terms };
    this.#changes.set(shelf, after);
  }

  /** Writes the counts. A shelf without rows goes, and its tags with it. */
  finish(): void {
    for (const { number, next } of this.#threads.values())
      this.#tables.run("UPDATE memory_threads SET next = ? WHERE number = ? AND next < ?", next, number, next);
    const sql =
      "UPDATE memory_shelves SET rows = rows + ?, passages = passages + ?, terms = terms + ? WHERE number = ?";
    for (const [number, { rows, passages, terms }] of this.#changes) {
      this.#tables.run(sql, rows, passages, terms, number);
      this.#tables.run("DELETE FROM memory_shelves WHERE number = ? AND rows = 0", number);
    }
  }

  #scope(key: string): number {
    return remembered(this.#scopes, key, () => scopeNumber(this.#tables, key));
  }

  #shelfNumber(scope: number, tags: string): number {
    const known = this.#tables.number("SELECT number FROM memory_shelves WHERE scope = ? AND tags = ?", scope, tags);
    const sql = "INSERT INTO memory_shelves (scope, tags, rows, passages, terms) VALUES (?, ?, 0, 0, 0)";
    return known ?? this.#tables.insert(sql, scope, tags);
  }

  #thread(scope: number, thread: string): Thread {
    const sql = "SELECT number, next FROM memory_threads WHERE scope = ? AND thread = ?";
    const known = this.#tables.get(sql, scope, escaped(thread));
    if (known !== undefined) return { number: Number(known.number), next: Number(known.next) };
    const insert = "INSERT INTO memory_threads (scope, thread, next) VALUES (?, ?, 0)";
    return { number: this.#tables.insert(insert, scope, escaped(thread)), next: 0 };
  }
}

/** The number of a scope, which is made where there is none. */
export function scopeNumber(tables: SqliteTables, key: string): number {
  const known = tables.number("SELECT number FROM memory_scopes WHERE key = ?", key);
  if (known !== undefined) return known;
  const scope = scopeOf(key);
  const owners = OWNERS.map((owner) => (scope[owner] === undefined ? null : escaped(scope[owner])));
  const sql = `INSERT INTO memory_scopes (key, version, ${OWNERS.join(", ")}) VALUES (?, 0, ?, ?, ?, ?, ?)`;
  return tables.insert(sql, key, ...owners);
}

function remembered<T>(known: Map<string, T>, key: string, make: () => T): T {
  const value = known.get(key) ?? make();
  known.set(key, value);
  return value;
}
