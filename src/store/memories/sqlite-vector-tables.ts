import { VectorTable } from "../vectors/vector-table.js";
import { type Candidate, IN_TIME, IS_OPEN } from "./sqlite-passages.js";
import type { OpenShelves } from "./sqlite-shelves.js";
import type { SqliteRow, SqliteTables } from "./sqlite-tables.js";
import { type KnownEmbedder, PASSAGES } from "./sqlite-vectors.js";

/** Many codes in one row, which is three times as fast as a row for each. */
const READ = `SELECT count(*) AS rows, max(number) AS last, json_group_array(place) AS places,
  json_group_array(shelf) AS shelves, json_group_array(scale) AS scales, CAST(group_concat(codes, '') AS BLOB) AS codes
  FROM (SELECT * FROM memory_codes WHERE number > ? AND place >= ? AND place < ? ORDER BY number LIMIT ?)`;

/** Codes read in one go, after which others get their turn. */
const CHUNK = 10_000;

/** A table has so many groups at most. Shelves that share one are told apart when the rows are looked at. */
const GROUPS = 2 ** 24;

/** After so many searches that found what is gone, much must be, and all is read again. */
const PATIENCE = 3;

export interface VectorQuestion {
  readonly embedder: KnownEmbedder;
  readonly values: Float32Array;
  readonly shelves: OpenShelves;
  readonly from: number | undefined;
  readonly to: number | undefined;
  readonly openAt: number | undefined;
}

interface Loaded {
  readonly table: VectorTable;
  /** The number of the last codes that were read. */
  last: number;
}

/**
 * The vectors of the file in this process's memory, one byte a number. Nothing in here is believed: codes that have
 * come since are read before each search, by whomever they were written, and what a search finds is looked up in the
 * file. What is gone from there goes from here then.
 */
export class SqliteVectorTables {
  readonly #tables: SqliteTables;
  readonly #loaded = new Map<number, Loaded>();

  constructor(tables: SqliteTables) {
    this.#tables = tables;
  }

  /** Reads some of the codes that are not read yet; true once there are no more. */
  read(embedder: KnownEmbedder): boolean {
    const loaded = this.#of(embedder);
    const from = embedder.number * PASSAGES;
    const row = this.#tables.get(READ, loaded.last, from, from + PASSAGES, CHUNK)!;
    const rows = Number(row.rows);
    if (rows > 0) loaded.last = Number(row.last);
    if (rows > 0) load(loaded.table, row, from);
    return rows < CHUNK;
  }

  /** Forgets the vectors of embedders that are not known any more. */
  keep(embedders: readonly KnownEmbedder[]): void {
    const known = new Set(embedders.map(({ number }) => number));
    for (const number of this.#loaded.keys()) if (!known.has(number)) this.#loaded.delete(number);
  }

  /** The rows of the nearest passages; a row may come more than once. */
  candidates(question: VectorQuestion, limit: number): { found: Candidate[]; isAll: boolean } {
    for (let missed = 0; ; missed++) {
      const { table } = this.#of(question.embedder);
      const keys = this.#nearest(table, question, limit);
      const rows = this.#lookUp(question, keys);
      if (rows.length === keys.length) return { found: rows.flatMap(candidateOf), isAll: keys.length < limit };
      if (missed === PATIENCE) this.#loadAgain(question.embedder);
      else strike(table, keys, rows);
    }
  }

  #nearest(table: VectorTable, { values, shelves }: VectorQuestion, limit: number): number[] {
    const within = shelves.isAll ? {} : { within: shelves.numbers.map((number) => number % GROUPS) };
    return table.nearest(values, { limit, ...within }).map(({ key }) => key);
  }

  /** A row for each passage that still has its vector; without a memory where it is out of the time asked for. */
  #lookUp({ embedder, from, to, openAt }: VectorQuestion, keys: readonly number[]): SqliteRow[] {
    const sql = `SELECT value AS passage, memory, ${IS_OPEN} AS open, ${IN_TIME} AS wanted FROM json_each(?)
      CROSS JOIN memory_vectors ON memory_vectors.place = ? + value
      CROSS JOIN memory_passages ON memory_passages.number = value
      CROSS JOIN memories ON memories.number = memory_passages.memory`;
    const times = [openAt ?? null, from ?? null, to ?? null] as const;
    return this.#tables.all(sql, ...times, JSON.stringify(keys), embedder.number * PASSAGES);
  }

  #loadAgain(embedder: KnownEmbedder): void {
    this.#loaded.delete(embedder.number);
    while (!this.read(embedder));
  }

  #of({ number, dimensions }: KnownEmbedder): Loaded {
    const loaded = this.#loaded.get(number) ?? { table: new VectorTable(dimensions), last: 0 };
    this.#loaded.set(number, loaded);
    return loaded;
  }
}

/** Takes out what was looked up and is gone. */
function strike(table: VectorTable, keys: readonly number[], rows: readonly SqliteRow[]): void {
  const there = new Set(rows.map(({ passage }) => Number(passage)));
  for (const key of keys) if (!there.has(key)) table.delete(key);
}

const candidateOf = ({ memory, open, wanted }: SqliteRow): Candidate[] =>
  wanted === 1 ? [{ memory: Number(memory), isOpen: open === 1 }] : [];

function load(table: VectorTable, row: SqliteRow, from: number): void {
  const { buffer, byteOffset, byteLength } = row.codes as Uint8Array;
  const shelves = numbersIn(row.shelves);
  table.load({
    keys: numbersIn(row.places).map((place) => place - from),
    groups: shelves.map((shelf) => shelf % GROUPS),
    scales: numbersIn(row.scales),
    codes: new Int8Array(buffer, byteOffset, byteLength),
  });
}

const numbersIn = (list: unknown): number[] => JSON.parse(String(list));
