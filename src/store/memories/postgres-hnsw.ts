/**
 * Indexes of pgvector, one for each embedder that has many vectors. One is built in the background, beside readers and
 * writers, by the first process whose search would have been quicker with it. Until it is whole, and where it cannot be
 * built, searches compare every vector that they see.
 */
import { setTimeout as wait } from "node:timers/promises";
import type { PooledConnection, PostgresDatabase } from "../drivers/postgres-database.js";
import { quoted } from "../drivers/postgres-schema.js";
import { Bindings, ownersCondition, type SearchRange } from "./postgres-bindings.js";
import type { AskedEmbedder } from "./postgres-vectors.js";

/** What pgvector can index. */
const MOST_DIMENSIONS = 4_000;

/** Milliseconds between tries to stop a build: one that has not begun cannot be stopped. */
const CANCEL_EVERY = 100;

const LOCK = "hashtextextended('varve ' || $1, 0)";
const BEGINNING = `SELECT pg_backend_pid() AS backend, pg_try_advisory_lock(${LOCK}) AS free,
  EXISTS (SELECT FROM pg_index WHERE indexrelid = to_regclass($1) AND indisvalid) AS built,
  set_config('statement_timeout', '0', false)`;

/** A statement that takes as long as it takes. */
const untimed = (text: string) => ({ text, query_timeout: 2 ** 31 - 1 });

export interface HnswOptions {
  readonly database: PostgresDatabase;
  /** The quoted name of the extension's schema. */
  readonly home: string;
  /** Vectors that a search must see for an index to pay. */
  readonly indexFrom: number;
}

/** The name of an embedder's index. */
export const indexName = (embedder: number): string => `memory_vectors_hnsw_${embedder}`;

export class HnswIndexes {
  readonly #options: HnswOptions;
  readonly #schema: string;
  /** Embedders for which this process has tried, each once. */
  readonly #tried = new Set<number>();
  #build: Promise<void> | undefined;
  /** The process of the server that is at it. */
  #backend: number | undefined;

  constructor(options: HnswOptions) {
    this.#options = options;
    this.#schema = quoted(options.database.settings.schema);
  }

  /** Whether a search is to use the embedder's index; sees to it that there is one for the next time. */
  async serves(asked: AskedEmbedder, range: SearchRange): Promise<boolean> {
    if (asked.dimensions > MOST_DIMENSIONS) return false;
    const bindings = new Bindings();
    const text = `SELECT coalesce(sum(s.passages), 0)::float8 AS seen,
        EXISTS (SELECT FROM pg_index WHERE indexrelid = to_regclass(${bindings.bind(this.#name(asked), "text")}) AND indisvalid) AS built
      FROM ${this.#schema}.memory_scopes s WHERE ${ownersCondition(range.scope, bindings)}`;
    const { database, indexFrom } = this.#options;
    const [state] = await database.repeatable<{ seen: number; built: boolean }>({ text, values: bindings.values });
    if (state!.seen < indexFrom) return false;
    if (!state!.built) this.#start(asked);
    return state!.built;
  }

  /** SQL for what is indexed, of a row of the table of vectors. */
  expression(row: string, { dimensions }: AskedEmbedder): string {
    return `(${row}value::${this.#options.home}.halfvec(${dimensions}))`;
  }

  /** Stops what is under way. */
  async close(): Promise<void> {
    while (this.#build !== undefined) {
      const cancel = { text: "SELECT pg_cancel_backend($1)", values: [this.#backend] };
      if (this.#backend !== undefined) await this.#options.database.repeatable(cancel).catch(() => {});
      await Promise.race([this.#build, wait(CANCEL_EVERY)]);
    }
  }

  #start(asked: AskedEmbedder): void {
    if (this.#build !== undefined || this.#tried.has(asked.number)) return;
    this.#tried.add(asked.number);
    this.#build = this.#connected((connection) => this.#make(connection, asked))
      .catch(() => {})
      .finally(() => {
        this.#build = undefined;
      });
  }

  async #connected(work: (connection: PooledConnection) => Promise<void>): Promise<void> {
    const connection = await this.#options.database.pool.connect();
    try {
      await work(connection);
    } finally {
      connection.release(true);
    }
  }

  /** One process at a time. What another left unfinished is taken away first, as is what comes to nothing here. */
  async #make(connection: PooledConnection, asked: AskedEmbedder): Promise<void> {
    const { rows } = await connection.query({ text: BEGINNING, values: [this.#name(asked)] });
    const { backend, free, built } = rows[0] as { backend: number; free: boolean; built: boolean };
    if (!free || built) return;
    const drop = untimed(`DROP INDEX CONCURRENTLY IF EXISTS ${this.#name(asked)}`);
    await connection.query(drop);
    this.#backend = backend;
    try {
      await connection.query(untimed(this.#creation(asked)));
    } catch {
      this.#backend = undefined;
      await connection.query(drop);
    } finally {
      this.#backend = undefined;
    }
  }

  #creation(asked: AskedEmbedder): string {
    const { home } = this.#options;
    return `CREATE INDEX CONCURRENTLY ${indexName(asked.number)} ON ${this.#schema}.memory_vectors
      USING hnsw (${this.expression("", asked)} ${home}.halfvec_ip_ops) WHERE embedder = ${asked.number}`;
  }

  #name({ number }: AskedEmbedder): string {
    return `${this.#schema}.${indexName(number)}`;
  }
}
