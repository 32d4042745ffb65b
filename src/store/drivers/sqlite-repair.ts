/**
 * A damaged file is not mended where it lies: what can be read is copied row by row into a new one, which takes its place.
 * The damaged one stays beside it.
 */
import { copyFileSync, existsSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { sqliteMemories } from "../memories/sqlite.js";
import { memoryOf, ROW } from "../memories/sqlite-memory-row.js";
import { SqliteTables } from "../memories/sqlite-tables.js";
import { storeError } from "../store-errors.js";
import { freeName, syncFolder } from "./file-system.js";
import { SqliteConnection } from "./sqlite-connection.js";
import { openDatabase } from "./sqlite-database.js";
import { IN_USE, isBusy, isDamage, isMisfit, sqliteError } from "./sqlite-errors.js";
import { SqliteRows } from "./sqlite-rows.js";

/** Returns the path of the backup. */
export async function repairSqlite(path: string): Promise<string> {
  await endLog(path);
  const backup = freeName(`${path}.backup`);
  const fresh = freeName(`${path}.repairing`);
  copyFileSync(path, backup);
  if (existsSync(`${path}-wal`)) copyFileSync(`${path}-wal`, `${backup}-wal`);
  try {
    const settings = { timeout: 0, onWarning: () => undefined };
    (await SqliteConnection.open(fresh, settings)).close();
    await copyTables(fresh, backup);
    const connection = await SqliteConnection.open(fresh, settings);
    await connection.transaction("IMMEDIATE", () => mendRows(connection));
    if (connection.hasFullText())
      await sqliteMemories(connection, new SqliteRows(connection)).orphans({ remove: true });
    await connection.transaction("IMMEDIATE", () => countMemories(new SqliteTables(connection)));
    connection.close();
    for (const beside of ["-wal", "-shm"]) rmSync(path + beside, { force: true });
    renameSync(fresh, path);
    syncFolder(dirname(path));
    return backup;
  } catch (error) {
    for (const left of ["", "-wal", "-shm"]) rmSync(fresh + left, { force: true });
    throw sqliteError(error, path);
  }
}

/** Brings all into the file itself, which only the last one that uses it can do. What is too damaged for that stays as it is. */
async function endLog(path: string): Promise<void> {
  const database = await openDatabase(path);
  try {
    database.exec("PRAGMA journal_mode = DELETE");
  } catch (error) {
    if (isBusy(error)) throw storeError(IN_USE, path, error);
  } finally {
    database.close();
  }
}

/** Tables without rows of their own that an index is in, or that SQLite keeps. */
const TABLES = `SELECT name, EXISTS (SELECT 1 FROM pragma_table_list(t.name) WHERE wr) AS keyed
  FROM main.sqlite_schema t WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'memory_words%'`;

async function copyTables(fresh: string, damaged: string): Promise<void> {
  const database = await openDatabase(fresh);
  try {
    database.prepare("ATTACH ? AS old").run(damaged);
    database.exec("BEGIN");
    for (const { name, keyed } of database.prepare(TABLES).all()) copyTable(database, String(name), keyed === 1);
    copySequences(database);
    database.exec("COMMIT");
  } finally {
    database.close();
  }
}

/** Numbers that were given and are free again are not given a second time; where they cannot be read, only those in use are known. */
function copySequences(database: DatabaseSync): void {
  try {
    database.exec(`UPDATE sqlite_sequence SET seq = max(seq, coalesce(
      (SELECT seq FROM old.sqlite_sequence o WHERE o.name = sqlite_sequence.name), 0))`);
  } catch (error) {
    if (!isDamage(error)) throw error;
  }
}

/** Readings of one table, all in all: each damaged page costs some forty. */
const ATTEMPTS = 4_000;

/** Copies what can be read: up to the damage, down to it, and between the two in halves. */
function copyTable(database: DatabaseSync, table: string, isKeyed: boolean): void {
  const columnsOf = (schema: string) =>
    database
      .prepare(`SELECT name FROM pragma_table_info(?, ?)`)
      .all(table, schema)
      .map(({ name }) => String(name));
  const there = new Set(columnsOf("old"));
  const columns = columnsOf("main").filter((name) => there.has(name));
  if (columns.length === 0) return;
  const key = isKeyed ? columns[0]! : "rowid";
  const list = columns.map((name) => `"${name}"`).join(", ");
  const insert = database.prepare(
    `INSERT OR REPLACE INTO main.${table} (${list}) VALUES (${columns.map(() => "?").join(", ")})`,
  );
  const readers = ["ASC", "DESC"].map((order) => {
    const sql = `SELECT ${key} AS "at key", ${list} FROM old.${table} WHERE ${key} > ? AND ${key} < ? ORDER BY ${key} ${order}`;
    const statement = database.prepare(sql);
    statement.setReadBigInts(true);
    return statement;
  });
  /** The key that it came to; undefined where it came to the end. */
  const copy = (reader: (typeof readers)[number], [from, to]: readonly bigint[], start: bigint): bigint | undefined => {
    let at = start;
    try {
      for (const row of reader.iterate(from!, to!)) {
        const { "at key": key, ...rest } = row as Record<string, bigint | string | null | Uint8Array>;
        at = key as bigint;
        try {
          insert.run(...Object.values(rest));
        } catch (error) {
          if (!isMisfit(error)) throw error;
        }
      }
      return undefined;
    } catch (error) {
      if (!isDamage(error)) throw error;
      return at;
    }
  };
  const ranges: (readonly [bigint, bigint])[] = [[-(2n ** 62n), 2n ** 62n]];
  for (let attempt = 0; attempt < ATTEMPTS && ranges.length > 0; attempt++) {
    const [from, to] = ranges.shift()!;
    const low = copy(readers[0]!, [from, to], from);
    const high = low === undefined ? undefined : copy(readers[1]!, [low, to], to);
    if (low === undefined || high === undefined || high - low < 2n) continue;
    const middle = (low + high) / 2n;
    ranges.push([low, middle + 1n], [middle, high]);
  }
}

/** Writes every session anew from what is intact of it, with a sum for each row. */
function mendRows(connection: SqliteConnection): void {
  const rows = new SqliteRows(connection);
  for (const number of rows.numbers()) rows.mend(number);
  const tables = new SqliteTables(connection);
  if (!connection.hasFullText()) return;
  const intact = tables.all(ROW).flatMap((row) => (memoryOf(row, tables).length > 0 ? [Number(row.number)] : []));
  tables.run("DELETE FROM memories WHERE number NOT IN (SELECT value FROM json_each(?))", JSON.stringify(intact));
  tables.run("INSERT INTO memory_words (memory_words) VALUES ('rebuild')");
}

function countMemories(tables: SqliteTables): void {
  tables.run(`UPDATE memory_shelves SET
    rows = (SELECT count(*) FROM memories WHERE shelf = memory_shelves.number),
    passages = (SELECT coalesce(sum(passages), 0) FROM memories WHERE shelf = memory_shelves.number),
    terms = (SELECT coalesce(sum(length), 0) FROM memory_passages JOIN memories ON memories.number = memory
      WHERE shelf = memory_shelves.number)`);
}
