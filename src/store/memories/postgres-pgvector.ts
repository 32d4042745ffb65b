/** Vectors that are compared on the server, by pgvector. */
import type { PostgresDatabase, Statement } from "../drivers/postgres-database.js";
import { quoted } from "../drivers/postgres-schema.js";
import { Bindings, isNarrow, ownersCondition, passageCondition, type SearchRange } from "./postgres-bindings.js";
import { HnswIndexes } from "./postgres-hnsw.js";
import { numbersOf } from "./postgres-vector-columns.js";
import type { AskedEmbedder, PostgresVectors } from "./postgres-vectors.js";

/** Vectors that a search must see for an index to pay: so many are compared in some hundredths of a second. */
const INDEX_FROM = 50_000;
/** The first release that goes on in an index until enough of what it finds is in the range. */
const ITERATING = 0.8;
/** What pgvector takes for the candidates of a search in an index. */
const MOST_CANDIDATES = 1_000;

export interface PgVectorOptions {
  readonly indexFrom?: number;
}

export class PgVectors implements PostgresVectors {
  readonly #database: PostgresDatabase;
  readonly #schema: string;
  /** Where the extension's types and operators are; the search path may not lead there. */
  readonly #home: string;
  readonly #indexes: HnswIndexes | undefined;

  private constructor(database: PostgresDatabase, home: string, indexes: HnswIndexes | undefined) {
    this.#database = database;
    this.#schema = quoted(database.settings.schema);
    this.#home = home;
    this.#indexes = indexes;
  }

  static async open(database: PostgresDatabase, { indexFrom = INDEX_FROM }: PgVectorOptions = {}): Promise<PgVectors> {
    const text = `SELECT nspname AS home, substring(extversion FROM '^[0-9]+.[0-9]+')::float8 AS version
      FROM pg_extension JOIN pg_namespace n ON n.oid = extnamespace WHERE extname = 'vector'`;
    const [extension] = await database.repeatable<{ home: string; version: number }>({ text });
    const { home, version } = extension ?? { home: "public", version: 0 };
    const options = { database, home: quoted(home), indexFrom };
    return new PgVectors(database, options.home, version < ITERATING ? undefined : new HnswIndexes(options));
  }

  async nearest(asked: AskedEmbedder, range: SearchRange, limit: number): Promise<readonly number[]> {
    const indexed = (await this.#indexes?.serves(asked, range)) === true;
    for (let count = 2 * limit; ; count *= 4) {
      const passages = await this.#passages({ asked, range, count, indexed });
      const memories = [...new Set(passages.map(({ memory }) => memory))];
      if (memories.length >= limit || passages.length < count) return memories.slice(0, limit);
    }
  }

  column(row: string, { query }: AskedEmbedder, bindings: Bindings): string {
    const vector = `${this.#home}.vector`;
    return `-(${row}.value::${vector} ${this.#operator} ${bindings.bind(`[${numbersOf(query)}]`, vector)})`;
  }

  cosine(column: unknown): number {
    return Number(column);
  }

  close(): Promise<void> {
    return this.#indexes?.close() ?? Promise.resolve();
  }

  get #operator(): string {
    return `OPERATOR(${this.#home}.<#>)`;
  }

  #passages(look: Look): Promise<readonly { memory: number }[]> {
    const bindings = new Bindings();
    const { asked, range, count, indexed } = look;
    const narrow = isNarrow(range);
    const text = `SELECT v.memory FROM ${this.#schema}.memory_vectors v
      ${narrow ? `JOIN ${this.#schema}.memory_passages p ON p.number = v.passage` : ""}
      WHERE v.embedder = ${asked.number}
        AND v.scope IN (SELECT s.number FROM ${this.#schema}.memory_scopes s WHERE ${ownersCondition(range.scope, bindings)})
        ${narrow ? `AND ${passageCondition(range, bindings)}` : ""}
      ORDER BY ${indexed ? this.#indexOrder(asked, bindings) : `${this.column("v", asked, bindings)} DESC`} LIMIT ${count}`;
    const statement = { text, values: bindings.values };
    return indexed ? this.#throughIndex(statement, count) : this.#database.repeatable(statement);
  }

  #indexOrder(asked: AskedEmbedder, bindings: Bindings): string {
    const query = bindings.bind(`[${numbersOf(asked.query)}]`, `${this.#home}.halfvec(${asked.dimensions})`);
    return `${this.#indexes!.expression("v.", asked)} ${this.#operator} ${query}`;
  }

  #throughIndex(statement: Statement, count: number): Promise<readonly { memory: number }[]> {
    return this.#database.transaction(async (connection) => {
      const text =
        "SELECT set_config('hnsw.ef_search', $1, true), set_config('hnsw.iterative_scan', 'strict_order', true)";
      await connection.query({ text, values: [String(Math.min(count, MOST_CANDIDATES))] });
      return (await connection.query(statement)).rows as readonly { memory: number }[];
    });
  }
}

interface Look {
  readonly asked: AskedEmbedder;
  readonly range: SearchRange;
  /** Passages. */
  readonly count: number;
  readonly indexed: boolean;
}
