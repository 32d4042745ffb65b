import type { PostgresDatabase } from "../drivers/postgres-database.js";
import { quoted } from "../drivers/postgres-schema.js";
import type { Orphans } from "./memories.js";

/**
 * What belongs to no row. The database keeps such from coming about; where somebody took its constraints away, it is
 * counted here, and where asked removed.
 */
export async function sweepOrphans(database: PostgresDatabase, remove: boolean): Promise<Orphans> {
  const schema = quoted(database.settings.schema);
  const lost = {
    keys: `${schema}.memory_keys o WHERE NOT EXISTS (SELECT FROM ${schema}.memories m WHERE m.number = o.memory)`,
    passages: `${schema}.memory_passages o WHERE NOT EXISTS (SELECT FROM ${schema}.memories m WHERE m.number = o.memory)`,
    vectors: `${schema}.memory_vectors o WHERE NOT EXISTS (
      SELECT FROM ${schema}.memory_passages p JOIN ${schema}.memories m ON m.number = p.memory WHERE p.number = o.passage)`,
  };
  return database.transaction(async (connection) => {
    const count = (name: keyof typeof lost) => `(SELECT count(*) FROM ${lost[name]}) AS ${name}`;
    const { rows } = await connection.query({
      text: `SELECT ${count("passages")}, ${count("vectors")}, ${count("keys")}`,
    });
    const counts = rows[0] as Orphans;
    if (!remove || counts.passages + counts.vectors + counts.keys === 0) return counts;
    for (const name of ["vectors", "passages", "keys"] as const)
      await connection.query({ text: `DELETE FROM ${lost[name]}` });
    await connection.query({ text: recount(schema) });
    return counts;
  });
}

const recount = (schema: string): string => `UPDATE ${schema}.memory_scopes s SET
  passages = (SELECT count(*) FROM ${schema}.memory_passages p WHERE p.scope = s.number),
  terms = (SELECT coalesce(sum(p.length), 0) FROM ${schema}.memory_passages p WHERE p.scope = s.number)`;
