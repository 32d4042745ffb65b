/** What varve needs of `node:sqlite`, in a way that all Nodes from 22.13 on can do. */
import type { DatabaseSync } from "node:sqlite";
import { storeError } from "../store-errors.js";
import { makeFile } from "./file-system.js";

/** Opens a database, made where there is none, for this user alone. */
export async function openDatabase(path: string): Promise<DatabaseSync> {
  const { DatabaseSync } = await sqliteOf(path);
  if (path !== ":memory:") makeFile(path);
  return new DatabaseSync(path);
}

const sqliteOf = (path: string) =>
  import("node:sqlite").catch((error: unknown) => {
    const says = `needs node:sqlite, which Node ${process.versions.node} does not have`;
    const hint = 'Use Node 22.13 or later, or the store "memory" or "postgres://…".';
    throw storeError({ code: "store-failed", says, hint }, path, error);
  });

/** Whether a database can search words: Node's SQLite has FTS5 from 22.16 on, but for 23. */
export const hasFullText = (database: DatabaseSync): boolean =>
  database.prepare("SELECT 1 FROM pragma_module_list WHERE name = 'fts5'").get() !== undefined;

/** The same of this Node, without a file. */
export async function searchesWords(): Promise<boolean> {
  const database = await openDatabase(":memory:");
  try {
    return hasFullText(database);
  } finally {
    database.close();
  }
}

/** From then on SQLite reads also a file with fewer pages than its head counts, and a list of tables that it does not like. */
export const salvage = (database: DatabaseSync): void => database.exec("PRAGMA writable_schema = ON");

/** Ends a transaction without its changes. SQLite has ended it by itself where, for one, the disk is full. */
export function rollBack(database: DatabaseSync): void {
  try {
    database.exec("ROLLBACK");
  } catch {}
}
