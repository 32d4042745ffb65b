/** Migrations go forward only, all of them in one transaction, by one process at a time. */
import { VarveError } from "../../errors.js";
import { memoryTables } from "../memories/postgres-tables.js";
import { writeFunction } from "../memories/postgres-write-function.js";
import type { Connection, PostgresDatabase } from "./postgres-database.js";
import type { PostgresSettings } from "./postgres-options.js";
import { firstSchema, quoted, rowSums } from "./postgres-schema.js";

/** The schema's history, oldest first: the SQL of each step for a schema's quoted name. Released steps never change. */
const MIGRATIONS: readonly ((schema: string) => string)[] = [
  firstSchema,
  (schema) => memoryTables(schema) + writeFunction(schema),
  rowSums,
];

/** The oldest server that the tests run on is newer; this is the oldest that its makers still maintain. */
const OLDEST_SERVER = 14;

export interface Server {
  /** Whether vectors can be kept and searched: the server has pgvector. */
  readonly vector: boolean;
}

interface Probe {
  readonly server: number;
  readonly encoding: string;
  readonly made: boolean;
  readonly vector: boolean;
  readonly available: boolean;
}

/** Brings the schema to the newest version, or refuses a server or a schema that this release cannot use. */
export async function migrate(database: PostgresDatabase): Promise<Server> {
  const { settings } = database;
  const [probe] = await database.first<Probe>({ text: PROBE, values: [migrationsTable(settings)] });
  checkServer(probe!, settings);
  const done = probe!.made ? await lastMigration(database, settings) : 0;
  if (done < MIGRATIONS.length) await database.transaction((connection) => advance(connection, settings));
  return { vector: probe!.vector || (probe!.available && (await addVector(database))) };
}

const PROBE = `SELECT
  current_setting('server_version_num')::int / 10000 AS server,
  current_setting('server_encoding') AS encoding,
  to_regclass($1) IS NOT NULL AS made,
  EXISTS (SELECT FROM pg_extension WHERE extname = 'vector') AS vector,
  EXISTS (SELECT FROM pg_available_extensions WHERE name = 'vector') AS available`;

const migrationsTable = ({ schema }: PostgresSettings): string => `${quoted(schema)}.migrations`;

/** Says what is wrong with a server, if anything is. */
export function checkServer(
  { server, encoding }: Pick<Probe, "server" | "encoding">,
  settings: PostgresSettings,
): void {
  const { place } = settings;
  const refuse = (message: string, hint: string) =>
    new VarveError({ code: "store-failed", message: `PostgreSQL: ${message}`, hint, details: { ...place } });
  if (server < OLDEST_SERVER)
    throw refuse(`The server at ${place.host} is version ${server}.`, `Use PostgreSQL ${OLDEST_SERVER} or newer.`);
  if (encoding !== "UTF8")
    throw refuse(
      `The database ${place.database} has the encoding ${encoding}.`,
      `Make one that can hold every text: CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0.`,
    );
}

async function lastMigration(database: PostgresDatabase, settings: PostgresSettings): Promise<number> {
  const rows = await database.repeatable<{ last: number }>({ text: lastStatement(settings) });
  return known(rows[0]!.last, settings);
}

const lastStatement = (settings: PostgresSettings): string =>
  `SELECT coalesce(max(number), 0) AS last FROM ${migrationsTable(settings)}`;

async function advance(connection: Connection, settings: PostgresSettings): Promise<void> {
  const schema = quoted(settings.schema);
  await lockSchema(connection, settings);
  const { rows } = await connection.query({
    text: "SELECT FROM pg_namespace WHERE nspname = $1",
    values: [settings.schema],
  });
  if (rows.length === 0) await connection.query({ text: `CREATE SCHEMA ${schema}` });
  const table = migrationsTable(settings);
  await connection.query({
    text: `CREATE TABLE IF NOT EXISTS ${table} (number integer PRIMARY KEY, time timestamptz NOT NULL DEFAULT now())`,
  });
  const result = await connection.query({ text: lastStatement(settings) });
  const done = known((result.rows[0] as { last: number }).last, settings);
  for (const [index, migration] of MIGRATIONS.entries()) {
    if (index < done) continue;
    await connection.query({ text: migration(schema) });
    await connection.query({ text: `INSERT INTO ${table} (number) VALUES ($1)`, values: [index + 1] });
  }
}

/** Held to the end of the transaction, by one process for one schema. */
export const lockSchema = (connection: Connection, { schema }: PostgresSettings) =>
  connection.query({ text: "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", values: [`varve ${schema}`] });

function known(version: number, { place }: PostgresSettings): number {
  if (version <= MIGRATIONS.length) return version;
  throw new VarveError({
    code: "store-newer",
    message: `The schema ${place.schema} of ${place.database} has version ${version}; this release knows versions up to ${MIGRATIONS.length}.`,
    hint: "Update varve, or choose another schema. Nothing was changed.",
    details: { ...place, version, known: MIGRATIONS.length },
  });
}

/** A role that may not add the extension goes without. */
async function addVector(database: PostgresDatabase): Promise<boolean> {
  try {
    await database.transaction(async (connection) => {
      await lockSchema(connection, database.settings);
      await connection.query({ text: "CREATE EXTENSION IF NOT EXISTS vector" });
    });
    return true;
  } catch (error) {
    if (VarveError.isInstance(error) && error.code === "store-denied") return false;
    throw error;
  }
}
