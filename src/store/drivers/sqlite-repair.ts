/**
 * A damaged file is not mended where it lies: what can be read is copied row by row into a new one, which takes its place.
 * The damaged one stays beside it.
 */
import { copyFileSync, existsSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import type { DatabaseSync, SQLOutputValue, StatementSync } from "node:sqlite";
import { sqliteMemories } from "../memories/sqlite.js";
import { memoryOf, ROW } from "../memories/sqlite-memory-row.js";
import { SqliteTables } from "../memories/sqlite-tables.js";
import { storeError } from "../store-errors.js";
import { freeName, syncFolder } from "./file-system.js";
import { SqliteConnection } from "./sqlite-connection.js";
import { openDatabase, salvage } from "./sqlite-database.js";
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

/** Tables that are neither an index of words nor SQLite's own. */
const TABLES = `SELECT name, EXISTS (SELECT 1 FROM pragma_table_list(t.name) WHERE wr) AS keyed
  FROM sqlite_schema t WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'memory_words%'`;

async function copyTables(target: string, damaged: string): Promise<void> {
  const [fresh, old] = [await openDatabase(target), await openDatabase(damaged)];
  try {
    salvage(old);
    fresh.exec("BEGIN");
    for (const { name, keyed } of fresh.prepare(TABLES).all())
      copyTable({ fresh, old, table: String(name), isKeyed: keyed === 1 });
    copySequences(fresh, old);
    fresh.exec("COMMIT");
  } finally {
    fresh.close();
    old.close();
  }
}

/** Numbers that were given and are free again are not given a second time; where they cannot be read, only those in use are known. */
function copySequences(fresh: DatabaseSync, old: DatabaseSync): void {
  const update = fresh.prepare("UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = ?");
  try {
    for (const { name, seq } of old.prepare("SELECT name, seq FROM sqlite_sequence").all())
      update.run(Number(seq), String(name));
  } catch (error) {
    if (!isDamage(error)) throw error;
  }
}

interface Copying {
  readonly fresh: DatabaseSync;
  readonly old: DatabaseSync;
  readonly table: string;
  /** Whether the table has no numbers of its own, but a key that begins with one. */
  readonly isKeyed: boolean;
}

/** Readings of one table, all in all: each damaged page costs some forty. */
const ATTEMPTS = 4_000;

/** Copies what can be read: up to the damage, down to it, and between the two in halves. */
function copyTable({ fresh, old, table, isKeyed }: Copying): void {
  const columnsOf = (database: DatabaseSync) =>
    database
      .prepare("SELECT name FROM pragma_table_info(?)")
      .all(table)
      .map(({ name }) => String(name));
  const there = new Set(columnsOf(old));
  const columns = columnsOf(fresh).filter((name) => there.has(name));
  if (columns.length === 0) return;
  const key = isKeyed ? columns[0] : "rowid";
  const list = columns.join(", ");
  const slots = columns.map(() => "?").join(", ");
  const insert = fresh.prepare(`INSERT OR REPLACE INTO ${table} (${list}) VALUES (${slots})`);
  /** The key that it came to; undefined where it came to the end. */
  const copy = (order: "ASC" | "DESC", from: bigint, to: bigint): bigint | undefined => {
    const sql = `SELECT ${list}, ${key} AS at_key FROM ${table} WHERE ${key} ${order === "ASC" ? ">" : ">="} ? AND ${key} < ?
      ORDER BY ${key} ${order}`;
    let at = order === "ASC" ? from : to;
    try {
      const reader = old.prepare(sql);
      reader.setReadBigInts(true);
      for (const row of reader.iterate(from, to)) {
        const values = Object.values(row);
        at = BigInt(values.pop() as bigint);
        insertFitting(insert, values);
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
    const low = copy("ASC", from, to);
    const high = low === undefined ? undefined : copy("DESC", low, to);
    if (low === undefined || high === undefined || high - low < 2n) continue;
    const middle = (low + high) / 2n;
    ranges.push([low, middle + 1n], [middle, high]);
  }
}

/** A row that does not fit the table is none of ours. */
function insertFitting(insert: StatementSync, values: SQLOutputValue[]): void {
  try {
    insert.run(...values);
  } catch (error) {
    if (!isMisfit(error)) throw error;
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
