import type { PostgresDatabase } from "../drivers/postgres-database.js";
import { quoted } from "../drivers/postgres-schema.js";
import type { Erasure } from "./memories.js";

/** Tables whose rows have text, or what an index makes of it. */
const TABLES = ["entries", "documents", "keys", "memories", "memory_keys", "memory_passages", "memory_threads"];

/**
 * What the tables show is gone with its transaction; VACUUM takes the dead rows out of tables and indexes. What the server
 * keeps beyond that is not ours to remove, and is said.
 */
export async function eraseInDatabase(database: PostgresDatabase): Promise<Erasure> {
  const schema = quoted(database.settings.schema);
  await dropEmptyThreads(database, schema);
  const tables = TABLES.map((table) => `${schema}.${table}`).join(", ");
  const why = await vacuum(database, `VACUUM (INDEX_CLEANUP ON) ${tables}`);
  const dead = `PostgreSQL: dead rows keep it until VACUUM has run${why === undefined ? "" : `: ${why}`}.`;
  return {
    found: [],
    remains: [
      ...(why === undefined ? [] : [dead]),
      "PostgreSQL: freed space in its pages may keep old bytes until they are written over, or until VACUUM FULL.",
      "PostgreSQL: its write-ahead log, archives of that, replicas and backups keep what was written before.",
    ],
  };
}

/** Why it was not done; undefined where it was. */
async function vacuum(database: PostgresDatabase, text: string): Promise<string | undefined> {
  const owned = `SELECT pg_has_role(c.relowner, 'USAGE') AS owned FROM pg_class c WHERE c.oid = to_regclass($1)`;
  const values = [`${quoted(database.settings.schema)}.entries`];
  const [row] = await database.repeatable<{ owned: boolean }>({ text: owned, values });
  if (row?.owned !== true) return "this role does not own the tables, so it could not be run here";
  try {
    await database.once({ text });
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** A conversation's name goes with its last row. Its scope is locked, as by whoever writes to it. */
async function dropEmptyThreads(database: PostgresDatabase, schema: string): Promise<void> {
  const isEmpty = `NOT EXISTS (SELECT FROM ${schema}.memories m WHERE m.scope = t.scope AND m.thread_mark = t.mark)`;
  await database.transaction(async (connection) => {
    const lock = `SELECT FROM ${schema}.memory_scopes WHERE number IN (
      SELECT t.scope FROM ${schema}.memory_threads t WHERE ${isEmpty}) ORDER BY number FOR UPDATE`;
    await connection.query({ text: lock });
    await connection.query({ text: `DELETE FROM ${schema}.memory_threads t WHERE ${isEmpty}` });
  });
}
