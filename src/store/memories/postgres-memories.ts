import { VarveError } from "../../errors.js";
import { escaped, unescaped } from "../drivers/escaped-text.js";
import type { PostgresDatabase } from "../drivers/postgres-database.js";
import { codeOf, isPassing } from "../drivers/postgres-errors.js";
import { quoted } from "../drivers/postgres-schema.js";
import type { Memories, MemoryChange, MemoryOutcome, RowVectors } from "./memories.js";
import { eraseInDatabase } from "./postgres-erasure.js";
import { indexName } from "./postgres-hnsw.js";
import { sweepOrphans } from "./postgres-orphans.js";
import { type PgVectorOptions, PgVectors } from "./postgres-pgvector.js";
import { PostgresRows } from "./postgres-rows.js";
import { ScannedVectors } from "./postgres-scan.js";
import { PostgresSearch } from "./postgres-search.js";
import type { PostgresVectors } from "./postgres-vectors.js";
import { addVectorsValues, writeValues } from "./postgres-write.js";
import { otherSize } from "./vector-set.js";

export interface PostgresMemories extends Memories {
  /** Stops what is under way in the background. */
  close(): Promise<void>;
}

export interface PostgresMemoriesOptions extends PgVectorOptions {
  /** Whether the server has pgvector. */
  readonly vector: boolean;
}

/** Memories in a PostgreSQL database, beside its sessions. */
export function postgresMemories(database: PostgresDatabase, options: PostgresMemoriesOptions): PostgresMemories {
  const schema = quoted(database.settings.schema);
  const rows = new PostgresRows(database, schema);
  const vectors = vectorsOf(database, options);
  const search = new PostgresSearch(database, vectors.open);
  return {
    write: (change) => write(database, change),
    find: (...given) => rows.find(...given),
    get: (...given) => rows.get(...given),
    at: (...given) => rows.at(...given),
    list: (scope, wanted = {}) => rows.list(scope, wanted),
    search: (...given) => search.search(...given),
    embedders: () => rows.embedders(),
    without: (...given) => rows.without(...given),
    addVectors: (...given) => addVectors(database, ...given),
    dropVectors: (embedder) => dropVectors(database, embedder),
    erase: () => eraseInDatabase(database),
    orphans: ({ remove = false } = {}) => sweepOrphans(database, remove),
    close: vectors.close,
  };
}

/** Which way it is to be is found out at the first search, and once for all. */
function vectorsOf(database: PostgresDatabase, options: PostgresMemoriesOptions) {
  let opened: PostgresVectors | undefined;
  return {
    open: async (): Promise<PostgresVectors> => {
      const vectors =
        opened ?? (options.vector ? await PgVectors.open(database, options) : new ScannedVectors(database));
      opened ??= vectors;
      return opened;
    },
    close: async () => opened?.close(),
  };
}

interface WriteRow {
  readonly status: string;
  readonly at_version: number;
  /** Of the session that is stale, or of the embedder with vectors of another size. */
  readonly name: string;
}

/** Somebody else has just made a row with the same id in another scope: the next time it is there to be replaced. */
const TAKEN = "23505";

async function write(database: PostgresDatabase, change: MemoryChange): Promise<MemoryOutcome> {
  const values = writeValues(change);
  const text = `SELECT * FROM ${quoted(database.settings.schema)}.write_memories(${slots(values)})`;
  const passes = (error: unknown) => isPassing(error, database.settings.place) || codeOf(error) === TAKEN;
  const { rows } = await database.persist(() => database.pool.query({ text, values }), passes);
  const { status, at_version: version, name } = rows[0] as WriteRow;
  if (status === "written" || status === "stale") return { status, version };
  if (status === "stale-session") return { status, session: unescaped(name) };
  if (status === "other-size") throw otherSize(unescaped(name), version, givenSize(change, unescaped(name)));
  throw new VarveError({ code: "store-damaged", message: `PostgreSQL: a write of memories ended as "${status}".` });
}

const givenSize = ({ put = [] }: MemoryChange, embedder: string): number =>
  put.find(({ vectors }) => vectors?.embedder === embedder && vectors.values.length > 0)?.vectors?.values[0]?.length ??
  0;

async function addVectors(database: PostgresDatabase, embedder: string, vectors: readonly RowVectors[]): Promise<void> {
  if (vectors.length === 0) return;
  const values = addVectorsValues(embedder, vectors);
  const text = `SELECT ${quoted(database.settings.schema)}.add_vectors(${slots(values)}) AS size`;
  const rows = await database.repeatable<{ size: number | null }>({ text, values });
  const size = rows[0]?.size ?? null;
  if (size !== null) throw otherSize(embedder, size, vectors.find(({ values: [first] }) => first)!.values[0]!.length);
}

/** The embedder goes with its vectors: one of the same name is another, of any size. */
async function dropVectors(database: PostgresDatabase, embedder: string): Promise<void> {
  const schema = quoted(database.settings.schema);
  const values = [escaped(embedder)];
  await database.transaction(async (connection) => {
    const text = `DELETE FROM ${schema}.memory_embedders WHERE name = $1 RETURNING number`;
    const { rows } = await connection.query({ text, values });
    for (const { number } of rows as readonly { number: number }[])
      await connection.query({ text: `DROP INDEX IF EXISTS ${schema}.${indexName(number)}` });
  });
}

const slots = (values: readonly unknown[]): string => values.map((_, at) => `$${at + 1}`).join(", ");
