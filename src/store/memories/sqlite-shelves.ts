import { escaped } from "../drivers/escaped-text.js";
import { OWNERS, type ScopeParts } from "./memories.js";
import { scopeNumber } from "./sqlite-shelf-writer.js";
import type { SqliteTables } from "./sqlite-tables.js";

/** What a reader sees. */
export interface OpenShelves {
  readonly numbers: readonly number[];
  /** Whether there is no shelf besides these. */
  readonly isAll: boolean;
  readonly passages: number;
  /** Terms in all of the passages. */
  readonly length: number;
}

/** Scopes with their versions, and what their readers see. */
export class SqliteShelves {
  readonly #tables: SqliteTables;

  constructor(tables: SqliteTables) {
    this.#tables = tables;
  }

  versionOf(key: string): number {
    return this.#tables.number("SELECT version FROM memory_scopes WHERE key = ?", key) ?? 0;
  }

  /** Counts a scope's version up and returns it. */
  advance(key: string): number {
    const sql = "UPDATE memory_scopes SET version = version + 1 WHERE number = ? RETURNING version";
    return this.#tables.number(sql, scopeNumber(this.#tables, key))!;
  }

  openTo(scope: ScopeParts): OpenShelves {
    const { tags = [] } = scope;
    const rows = this.#shelvesOf(scope).filter((row) => tags.length === 0 || holdsAll(String(row.tags), tags));
    const all = this.#tables.number("SELECT count(*) FROM memory_shelves");
    return {
      numbers: rows.map(({ number }) => Number(number)),
      isAll: rows.length === all,
      passages: rows.reduce((sum, { passages }) => sum + Number(passages), 0),
      length: rows.reduce((sum, { terms }) => sum + Number(terms), 0),
    };
  }

  #shelvesOf(scope: ScopeParts) {
    const named = OWNERS.filter((owner) => scope[owner] !== undefined);
    const sql = `SELECT memory_shelves.number, tags, passages, terms FROM memory_scopes
      JOIN memory_shelves ON memory_shelves.scope = memory_scopes.number
      ${named.length === 0 ? "" : `WHERE ${named.map((owner) => `${owner} = ?`).join(" AND ")}`}`;
    return this.#tables.all(sql, ...named.map((owner) => escaped(scope[owner]!)));
  }
}

const holdsAll = (written: string, tags: readonly string[]): boolean => {
  const held: readonly string[] = JSON.parse(written);
  return tags.every((tag) => held.includes(tag));
};
