/** Vectors that are compared in this process, where the server has no pgvector. */

import type { PostgresDatabase } from "../drivers/postgres-database.js";
import { quoted } from "../drivers/postgres-schema.js";
import { rescore } from "../vectors/rescore.js";
import type { VectorTable } from "../vectors/vector-table.js";
import { OWNERS, type ScopeParts } from "./memories.js";
import { Bindings, isNarrow, ownersCondition, passageCondition, type SearchRange } from "./postgres-bindings.js";
import { VectorCache } from "./postgres-vector-cache.js";
import type { AskedEmbedder, PostgresVectors } from "./postgres-vectors.js";

/** Passages looked at, for each memory that is wanted. */
const SPARE = 2;
/** How many times as many are looked at when those were too few. */
const STEP = 16;
/** Embedders whose codes are kept. */
const EMBEDDERS = 8;

interface OwnerRow {
  readonly passage: number;
  readonly memory: number;
  readonly seen: boolean;
}

interface Scan {
  readonly asked: AskedEmbedder;
  readonly range: SearchRange;
  readonly table: VectorTable;
  readonly within?: readonly number[] | undefined;
}

export class ScannedVectors implements PostgresVectors {
  readonly #database: PostgresDatabase;
  readonly #schema: string;
  readonly #caches = new Map<number, VectorCache>();

  constructor(database: PostgresDatabase) {
    this.#database = database;
    this.#schema = quoted(database.settings.schema);
  }

  /** A range that leaves out much of what is near is looked at by itself. */
  async nearest(asked: AskedEmbedder, range: SearchRange, wanted: number): Promise<readonly number[]> {
    const limit = withSpare(wanted);
    const cache = this.#cacheOf(asked);
    const [scopes] = await Promise.all([this.#scopes(range.scope), cache.catchUp()]);
    const scan = { asked, range, table: cache.table, within: scopes && cache.groupsOf(scopes) };
    for (let count = SPARE * limit; ; count *= STEP) {
      const { memories, isAll } = await this.#look(scan, count);
      if (memories.length >= limit || isAll) return memories.slice(0, limit);
      if (isNarrow(range) && count > SPARE * limit)
        return (await this.#look({ asked, range, table: await cache.only(range) }, count)).memories.slice(0, limit);
    }
  }

  column(row: string): string {
    return `array_send(${row}.value)`;
  }

  cosine(column: unknown, { query }: AskedEmbedder): number {
    return rescore(query, [{ key: 0, vector: vectorOf(column as Buffer) }])[0]!.score;
  }

  async close(): Promise<void> {}

  /** The memories of the vectors that are nearest by their codes. */
  async #look({ asked, range, table, within }: Scan, count: number): Promise<{ memories: number[]; isAll: boolean }> {
    const near = table.nearest(asked.query, { limit: count, ...(within && { within }) });
    const owners = await this.#owners(
      near.map(({ key }) => key),
      asked,
      range,
    );
    for (const { key } of near) if (!owners.has(key)) table.delete(key);
    const seen = near.flatMap(({ key }) => (owners.get(key)?.seen ? [owners.get(key)!.memory] : []));
    return { memories: [...new Set(seen)], isAll: near.length < count };
  }

  /** By passage, for those that are still there: whose it is, and whether it is in the range. */
  async #owners(
    passages: readonly number[],
    { number }: AskedEmbedder,
    range: SearchRange,
  ): Promise<Map<number, OwnerRow>> {
    const bindings = new Bindings();
    const text = `SELECT v.passage, v.memory, ${passageCondition(range, bindings)} AS seen
      FROM ${this.#schema}.memory_vectors v JOIN ${this.#schema}.memory_passages p ON p.number = v.passage
      WHERE v.passage = ANY (${bindings.bind(passages, "bigint[]")}) AND v.embedder = ${bindings.bind(number, "integer")}`;
    const rows = await this.#database.repeatable<OwnerRow>({ text, values: bindings.values });
    return new Map(rows.map((row) => [row.passage, row]));
  }

  /** The scopes that a reader sees; undefined for all. */
  async #scopes(scope: ScopeParts): Promise<number[] | undefined> {
    if (OWNERS.every((owner) => scope[owner] === undefined)) return undefined;
    const bindings = new Bindings();
    const text = `SELECT s.number FROM ${this.#schema}.memory_scopes s WHERE ${ownersCondition(scope, bindings)}`;
    const rows = await this.#database.repeatable<{ number: number }>({ text, values: bindings.values });
    return rows.map(({ number }) => number);
  }

  #cacheOf(asked: AskedEmbedder): VectorCache {
    const known = this.#caches.get(asked.number);
    if (known !== undefined) return known;
    if (this.#caches.size >= EMBEDDERS) this.#caches.clear();
    const cache = new VectorCache(this.#database, asked);
    this.#caches.set(asked.number, cache);
    return cache;
  }
}

/** Codes put vectors in a slightly other order than they have: some more are handed on to be compared exactly. */
const withSpare = (limit: number): number => limit + Math.max(16, limit >> 2);

/** PostgreSQL's binary form of an array of numbers: a head, then each with its length before it. */
function vectorOf(array: Buffer): Float32Array {
  const vector = new Float32Array(Math.max(0, (array.length - HEAD) / ITEM));
  for (let at = 0; at < vector.length; at++) vector[at] = array.readFloatBE(HEAD + at * ITEM + 4);
  return vector;
}

const HEAD = 20;
const ITEM = 8;
