import type { DatabaseSync } from "node:sqlite";
import { VarveError } from "../../errors.js";
import { damagedList } from "../damage.js";
import { MEMORY_SCHEMA } from "../memories/sqlite-schema.js";
import { hasFullText, rollBack } from "./sqlite-database.js";

/** Marks a file as one of ours: "vrve". */
const APPLICATION = 0x76727665;

/**
 * The schema's history, oldest first; the number of a migration is its place here, from 1, and is the file's
 * `user_version` once it is done. Those that were released are never changed.
 *
 * An entry's `place` is its session's number times 2^28 plus its sequence: rows of one session lie together in the order
 * of the log without a second index, and long texts in the row itself, which a composed key would push out of it. `kind`
 * is the role's number (see `ROLES`), plus 8 where the message is blank. `runs` say again, for each full run of entries,
 * what stands in front of their texts, so that a long log is opened without reading it. Numbers of sessions are never
 * given again: a reader of a deleted session must not find another's texts.
 *
 * `sum` is a row's checksum, NULL for rows that 0.1.0 wrote. That of what stands in front of an entry's text lies above
 * the lowest 8 bits of `kind`, to be read without the text. `documents` of a session is JSON: by group of rows (see
 * `groupOf`) all their sums in one, so that a missing row is noticed.
 */
const MIGRATIONS: readonly string[] = [
  `CREATE TABLE sessions (
     number INTEGER PRIMARY KEY AUTOINCREMENT,
     id TEXT NOT NULL UNIQUE,
     version INTEGER NOT NULL,
     entries INTEGER NOT NULL,
     head INTEGER NOT NULL,
     created INTEGER NOT NULL,
     updated INTEGER NOT NULL,
     bytes INTEGER NOT NULL
   );
   CREATE TABLE entries (
     place INTEGER PRIMARY KEY,
     parent INTEGER NOT NULL,
     time INTEGER NOT NULL,
     kind INTEGER NOT NULL,
     message TEXT NOT NULL
   );
   CREATE TABLE runs (
     place INTEGER PRIMARY KEY,
     kinds BLOB NOT NULL,
     times BLOB NOT NULL,
     parents BLOB
   );
   CREATE TABLE documents (
     session INTEGER NOT NULL,
     name TEXT NOT NULL,
     value TEXT NOT NULL,
     PRIMARY KEY (session, name)
   ) WITHOUT ROWID;
   CREATE TABLE keys (
     session INTEGER NOT NULL,
     key TEXT NOT NULL,
     first INTEGER NOT NULL,
     count INTEGER NOT NULL,
     PRIMARY KEY (session, key)
   ) WITHOUT ROWID;`,
  MEMORY_SCHEMA,
  "ALTER TABLE memories ADD COLUMN sum INTEGER;",
];

/** Apart from the list, since a file where words cannot be searched stays in front of its end. */
const SUMS = `
  ALTER TABLE sessions ADD COLUMN documents TEXT NOT NULL DEFAULT '{}';
  ALTER TABLE sessions ADD COLUMN sum INTEGER;
  ALTER TABLE entries ADD COLUMN sum INTEGER;
  ALTER TABLE runs ADD COLUMN sum INTEGER;
  ALTER TABLE documents ADD COLUMN sum INTEGER;
  ALTER TABLE keys ADD COLUMN sum INTEGER;
  CREATE TRIGGER unsummed AFTER UPDATE OF version ON sessions WHEN new.sum IS old.sum
    BEGIN UPDATE sessions SET sum = NULL WHERE number = new.number; END;`;

/**
 * Brings a file to the newest schema in one transaction; refuses a file of a later release, or of another program.
 * Where words cannot be searched, the file stays at the schema before that of memories, and is brought up by whoever
 * can.
 */
export function migrate(database: DatabaseSync, path: string): void {
  const found = checkSchema(database, path);
  if (found.version === MIGRATIONS.length && found.hasSums) return;
  const last = hasFullText(database) ? MIGRATIONS.length : MIGRATIONS.indexOf(MEMORY_SCHEMA);
  database.exec("BEGIN IMMEDIATE");
  try {
    const done = checkSchema(database, path);
    for (const migration of MIGRATIONS.slice(done.version, last)) database.exec(migration);
    if (!done.hasSums) database.exec(SUMS);
    const version = Math.max(done.version, last);
    database.exec(`PRAGMA application_id = ${APPLICATION}; PRAGMA user_version = ${version}; COMMIT`);
  } catch (error) {
    rollBack(database);
    throw error;
  }
}

/** What a file says of itself, in one statement: another process may be making it at this moment. */
const SCHEMA = `
  SELECT
    (SELECT application_id FROM pragma_application_id) AS application,
    (SELECT user_version FROM pragma_user_version) AS version,
    (SELECT encoding FROM pragma_encoding) AS encoding,
    (SELECT count(*) FROM pragma_table_info('sessions') WHERE name = 'sum') AS sums,
    (SELECT count(*) FROM sqlite_schema WHERE name NOT LIKE 'sqlite%') AS tables`;

interface Schema {
  /** The number of migrations that a file has behind it. */
  readonly version: number;
  readonly hasSums: boolean;
}

/** Throws where the file is not ours to use. */
export function checkSchema(database: DatabaseSync, path: string): Schema {
  const said = database.prepare(SCHEMA).get();
  const [application, version, tables] = [said?.application, said?.version, said?.tables].map(Number);
  if (application !== APPLICATION && (application !== 0 || tables! > 0)) throw foreign(path);
  if (version! > MIGRATIONS.length) throw newer(path, version!);
  if (said?.encoding !== "UTF-8") throw damagedList(path);
  return { version: version!, hasSums: said.sums === 1 };
}

const foreign = (path: string): VarveError =>
  new VarveError({
    code: "store-damaged",
    message: `"${path}" is a database of another program.`,
    hint: "Choose another path for the store.",
    details: { path },
  });

const newer = (path: string, version: number): VarveError =>
  new VarveError({
    code: "store-newer",
    message: `"${path}" has schema ${version}; this release knows schemas up to ${MIGRATIONS.length}.`,
    hint: "Update varve, or choose another path for the store. The file was not changed.",
    details: { path, version, known: MIGRATIONS.length },
  });
