import { escaped, unescaped } from "../drivers/escaped-text.js";
import type { PassageRange } from "./sqlite-passages.js";
import type { SqliteRow, SqliteTables } from "./sqlite-tables.js";

/** The place of an embedder's first vector is its number times this. */
export const PASSAGES = 2 ** 40;

/** Vectors of an embedder that are swept out in one go after it was dropped. */
const SWEEP = 5_000;

export interface KnownEmbedder {
  readonly number: number;
  readonly name: string;
  /** 0 as long as only rows without text came with it. */
  readonly dimensions: number;
  /** How many rows have vectors of it. */
  readonly rows: number;
}

const EMBEDDER = "SELECT number, name, dimensions, rows FROM memory_embedders";

/** Embedders, and their vectors as a whole. */
export class SqliteVectors {
  readonly #tables: SqliteTables;

  constructor(tables: SqliteTables) {
    this.#tables = tables;
  }

  embedders(): KnownEmbedder[] {
    return this.#tables.all(EMBEDDER).map(embedderOf);
  }

  find(name: string): KnownEmbedder | undefined {
    const row = this.#tables.get(`${EMBEDDER} WHERE name = ?`, escaped(name));
    return row && embedderOf(row);
  }

  /** The embedder of a name, made where there is none. */
  make(name: string, dimensions: number): KnownEmbedder {
    const sql = `INSERT INTO memory_embedders (name, dimensions, rows) VALUES (?, ?, 0)
      ON CONFLICT (name) DO UPDATE SET dimensions = excluded.dimensions WHERE dimensions = 0`;
    this.#tables.run(sql, escaped(name), dimensions);
    return this.find(name)!;
  }

  /** The embedders that a row has vectors of. */
  holders({ first }: PassageRange): number[] {
    const sql = `SELECT number FROM memory_embedders CROSS JOIN memory_vectors ON place = number * ${PASSAGES} + ?
      WHERE number > 0`;
    return this.#tables.all(sql, first).map(({ number }) => Number(number));
  }

  /** Forgets an embedder; its vectors belong to nobody until they are swept out. Returns its number. */
  drop(name: string): number | undefined {
    const embedder = this.find(name);
    if (embedder === undefined || embedder.number === 0) return undefined;
    this.#tables.run("DELETE FROM memory_embedders WHERE number = ?", embedder.number);
    this.#tables.run(`UPDATE memory_embedders SET rows = (
      SELECT count(*) FROM memories WHERE NOT EXISTS (
        SELECT 1 FROM memory_embedders JOIN memory_vectors ON place = memory_embedders.number * ${PASSAGES} + first
        WHERE memory_embedders.number > 0)) WHERE number = 0`);
    return embedder.number;
  }

  /** Removes some of a dropped embedder's vectors; false once there are none left. */
  sweep(embedder: number): boolean {
    const [from, to] = [embedder * PASSAGES, (embedder + 1) * PASSAGES];
    return deleteVectors(this.#tables, { from, to, limit: SWEEP }) > 0;
  }

  /** How many vectors belong to no row or to no embedder; and, where asked, removes them. */
  orphans(remove: boolean): number {
    const lost = `memory_vectors WHERE NOT EXISTS (
        SELECT 1 FROM memory_passages JOIN memories ON memories.number = memory
        WHERE memory_passages.number = memory_vectors.place % ${PASSAGES})
      OR NOT EXISTS (SELECT 1 FROM memory_embedders WHERE number = memory_vectors.place / ${PASSAGES})`;
    const stray = `memory_codes WHERE NOT EXISTS (
      SELECT 1 FROM memory_vectors WHERE memory_vectors.place = memory_codes.place AND code = number)`;
    const vectors = this.#countAll(lost, remove);
    return Math.max(vectors, this.#countAll(stray, remove));
  }

  #countAll(rows: string, remove: boolean): number {
    const count = this.#tables.number(`SELECT count(*) FROM ${rows}`) ?? 0;
    if (remove) this.#tables.run(`DELETE FROM ${rows}`);
    return count;
  }
}

/** Removes the vectors of a range of places, at most so many, and their codes; returns how many there were. */
export function deleteVectors(tables: SqliteTables, range: { from: number; to: number; limit: number }): number {
  const sql = "SELECT place, code FROM memory_vectors WHERE place >= ? AND place < ? LIMIT ?";
  const rows = tables.all(sql, range.from, range.to, range.limit);
  for (const { place, code } of rows) {
    tables.run("DELETE FROM memory_codes WHERE number = ?", Number(code));
    tables.run("DELETE FROM memory_vectors WHERE place = ?", Number(place));
  }
  return rows.length;
}

const embedderOf = ({ number, name, dimensions, rows }: SqliteRow): KnownEmbedder => ({
  number: Number(number),
  name: unescaped(String(name)),
  dimensions: Number(dimensions),
  rows: Number(rows),
});
