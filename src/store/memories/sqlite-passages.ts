import type { PassageTerms } from "./memories.js";
import type { SqliteTables } from "./sqlite-tables.js";
import { matchOf, tokensOf } from "./sqlite-tokens.js";

/** The passages of a row: numbers one behind the other. */
export interface PassageRange {
  readonly first: number;
  readonly passages: number;
}

export interface NewPassages {
  /** Number of their row. */
  readonly memory: number;
  readonly first: number;
  /** Tokens of the row's owners. */
  readonly owners: string;
}

export interface WordQuestion {
  /** Tokens that a passage must have all of. */
  readonly owners: readonly string[];
  /** Tokens of the terms. */
  readonly terms: readonly string[];
  readonly from: number | undefined;
  readonly to: number | undefined;
  /** Not closed at that time. */
  readonly openAt: number | undefined;
}

/** A row that a search came upon. */
export interface Candidate {
  readonly memory: number;
  /** Whether it is open at the time of the question. */
  readonly isOpen: boolean;
}

/**
 * Each value is named once, by a bare `?`: numbered ones, such as `?1`, cannot be given in their order before Node 24.7.
 * A comparison with nothing, on either side, holds.
 */
export const IS_OPEN = "coalesce(until > ?, 1)";
export const IN_TIME = "coalesce(time >= ?, 1) AND coalesce(time < ?, 1)";

/** Passages, and the index of their terms. */
export class SqlitePassages {
  readonly #tables: SqliteTables;

  constructor(tables: SqliteTables) {
    this.#tables = tables;
  }

  /** The number that the next passage gets. */
  next(): number {
    return (this.#tables.number("SELECT seq FROM sqlite_sequence WHERE name = 'memory_passages'") ?? 0) + 1;
  }

  add({ memory, first, owners }: NewPassages, passages: readonly PassageTerms[]): void {
    for (const [at, terms] of passages.entries()) {
      const tokens = tokensOf(terms);
      const sql = "INSERT INTO memory_passages (number, memory, length, owners, terms) VALUES (?, ?, ?, ?, ?)";
      this.#tables.run(sql, first + at, memory, terms.length, owners, tokens);
      this.#tables.run("INSERT INTO memory_words (rowid, owners, terms) VALUES (?, ?, ?)", first + at, owners, tokens);
    }
  }

  /** Does work that takes out a good part of all: what is gone leaves the index when that is written anew, in the end. */
  rewriting(work: () => void): void {
    const run = (sql: string) => this.#tables.run(`INSERT INTO memory_words (memory_words, rank) ${sql}`);
    run("VALUES ('secure-delete', 0)");
    work();
    run("VALUES ('optimize', 0)");
    run("VALUES ('secure-delete', 1)");
  }

  /** Returns how many terms they had. */
  remove({ first, passages }: PassageRange): number {
    const sql = "SELECT number, length, owners, terms FROM memory_passages WHERE number >= ? AND number < ?";
    const rows = this.#tables.all(sql, first, first + passages);
    for (const { number, owners, terms } of rows) this.#drop(Number(number), String(owners), String(terms));
    return rows.reduce((sum, { length }) => sum + Number(length), 0);
  }

  #drop(number: number, owners: string, terms: string): void {
    const sql = "INSERT INTO memory_words (memory_words, rowid, owners, terms) VALUES ('delete', ?, ?, ?)";
    this.#tables.run(sql, number, owners, terms);
    this.#tables.run("DELETE FROM memory_passages WHERE number = ?", number);
  }

  /** How many passages hold a term. */
  holding(owners: readonly string[], term: string): number {
    const sql = "SELECT count(*) FROM memory_words WHERE memory_words MATCH ?";
    return this.#tables.number(sql, matchOf(owners, [term])) ?? 0;
  }

  /**
   * The best passages by words, by what FTS5 makes of them; a row may come more than once. Times are told from the rows
   * of all matches only where asked for, as that is slow, and closed rows are few.
   */
  candidates({ owners, terms, from, to, openAt }: WordQuestion, limit: number): Candidate[] {
    const isTimed = from !== undefined || to !== undefined;
    const rows = this.#tables.all(
      `SELECT memory, ${IS_OPEN} AS open FROM (
         SELECT memory_words.rowid AS passage, bm25(memory_words, 0, 1) AS score FROM memory_words
         ${isTimed ? TIMED : "WHERE"} memory_words MATCH ? ORDER BY score LIMIT ?)
       CROSS JOIN memory_passages ON memory_passages.number = passage
       CROSS JOIN memories ON memories.number = memory_passages.memory`,
      openAt ?? null,
      ...(isTimed ? [from ?? null, to ?? null] : []),
      matchOf(owners, terms),
      limit,
    );
    return rows.map(({ memory, open }) => ({ memory: Number(memory), isOpen: open === 1 }));
  }

  /** Passages whose row is gone; and, where asked, removes them. */
  orphans(remove: boolean): number {
    const missing = "NOT EXISTS (SELECT 1 FROM memories WHERE memories.number = memory)";
    if (!remove) return this.#tables.number(`SELECT count(*) FROM memory_passages WHERE ${missing}`) ?? 0;
    const rows = this.#tables.all(`SELECT number, owners, terms FROM memory_passages WHERE ${missing}`);
    for (const { number, owners, terms } of rows) this.#drop(Number(number), String(owners), String(terms));
    return rows.length;
  }
}

const TIMED = `CROSS JOIN memory_passages ON memory_passages.number = memory_words.rowid
  CROSS JOIN memories ON memories.number = memory_passages.memory WHERE ${IN_TIME} AND`;
