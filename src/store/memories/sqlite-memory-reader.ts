import { escaped } from "../drivers/escaped-text.js";
import {
  type MemoryListOptions,
  type MemoryPage,
  type MemoryRow,
  type Place,
  type ScopeParts,
  scopeOf,
  sees,
} from "./memories.js";
import { placeOfMark } from "./page-mark.js";
import { keyHash } from "./sqlite-key-hash.js";
import { memoryOf, ROW } from "./sqlite-memory-row.js";
import type { MemoryParts } from "./sqlite-memory-writer.js";
import type { OpenShelves } from "./sqlite-shelves.js";
import { PASSAGES } from "./sqlite-vectors.js";

const PAGE_SIZE = 100;

/** Up to so many shelves a key is looked up on each; beyond, all rows with the key are looked at. */
const FEW_SHELVES = 50;

/** What can be asked of rows, but for searches. */
export class SqliteMemoryReader {
  readonly #parts: MemoryParts;

  constructor(parts: MemoryParts) {
    this.#parts = parts;
  }

  find(scope: ScopeParts, keys: readonly string[]): MemoryRow[] {
    const shelves = this.#parts.shelves.openTo(scope);
    const on = shelves.numbers.length <= FEW_SHELVES ? "shelf" : "+shelf";
    const sql = `SELECT memory FROM json_each(?) AS asked
      CROSS JOIN memory_keys ON hash = asked.value AND ${on} IN (SELECT value FROM json_each(?))`;
    const hashes = JSON.stringify([...new Set(keys.map(keyHash))]);
    const found = this.#parts.tables.all(sql, hashes, JSON.stringify(shelves.numbers));
    const wanted = new Set(keys);
    const rows = this.#rows(found.map(({ memory }) => Number(memory)));
    return rows.filter((row) => row.keys.some((key) => wanted.has(key)));
  }

  get(scope: ScopeParts, ids: readonly string[]): MemoryRow[] {
    const rows = ids.flatMap((id) => this.#row("id = ?", escaped(id)));
    return rows.filter((row) => sees(scope, { ...scopeOf(row.scope), tags: row.tags }));
  }

  at(places: readonly Place[]): MemoryRow[] {
    const sql = `SELECT memories.number FROM memory_scopes
      CROSS JOIN memory_threads ON memory_threads.scope = memory_scopes.number AND memory_threads.thread = ?
      CROSS JOIN memories ON memories.thread = memory_threads.number AND place = ? WHERE key = ?`;
    return places.flatMap(({ scope, thread, place }) => {
      const number = this.#parts.tables.number(sql, escaped(thread), place, scope);
      return number === undefined ? [] : this.#row("memories.number = ?", number);
    });
  }

  /** A page ends at a number, so that writing between pages moves none. */
  list(scope: ScopeParts, options: MemoryListOptions): MemoryPage {
    const { limit = PAGE_SIZE } = options;
    const numbers = this.#numbers(this.#parts.shelves.openTo(scope), { ...options, limit: limit + 1 });
    const page = numbers.slice(0, limit);
    const rows = this.#rows(page);
    return {
      rows: options.newest ? rows.reverse() : rows,
      next: numbers.length > limit ? String(page.at(-1)) : undefined,
    };
  }

  without(embedder: string, { after = "", limit }: { after?: string; limit: number }): MemoryRow[] {
    const place = (this.#parts.vectors.find(embedder)?.number ?? 0) * PASSAGES;
    const sql = `${ROW} WHERE id > ? AND NOT EXISTS (SELECT 1 FROM memory_vectors WHERE memory_vectors.place = ? + first) ORDER BY id LIMIT ?`;
    return this.#parts.tables
      .all(sql, escaped(after), place, limit)
      .flatMap((row) => memoryOf(row, this.#parts.tables));
  }

  /** The first numbers behind one, from each shelf, in their order. */
  #numbers({ numbers: shelves }: OpenShelves, { after, limit, newest = false }: NumberRange): number[] {
    const { sign, order, start } = newest ? DESCENDING : ASCENDING;
    const sql = `SELECT number FROM memories WHERE shelf = ? AND number ${sign} ? ORDER BY number ${order} LIMIT ?`;
    const from = after === undefined ? start : placeOfMark(after);
    const found = shelves.flatMap((shelf) => this.#parts.tables.all(sql, shelf, from, limit));
    const numbers = found.map(({ number }) => Number(number)).sort(ascending);
    return (newest ? numbers.reverse() : numbers).slice(0, limit);
  }

  #rows(numbers: readonly number[]): MemoryRow[] {
    const sorted = [...new Set(numbers)].sort(ascending);
    return sorted.flatMap((number) => this.#row("memories.number = ?", number));
  }

  /** The row, or nothing. */
  #row(where: string, value: string | number): MemoryRow[] {
    const row = this.#parts.tables.get(`${ROW} WHERE ${where}`, value);
    return row === undefined ? [] : memoryOf(row, this.#parts.tables);
  }
}

interface NumberRange extends Pick<MemoryListOptions, "after" | "newest"> {
  readonly limit: number;
}

const ASCENDING = { sign: ">", order: "ASC", start: 0 };
const DESCENDING = { sign: "<", order: "DESC", start: Number.MAX_SAFE_INTEGER };

const ascending = (left: number, right: number): number => left - right;
