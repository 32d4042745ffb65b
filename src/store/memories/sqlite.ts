import { VarveError } from "../../errors.js";
import type { SqliteConnection } from "../drivers/sqlite-connection.js";
import type { SqliteRows } from "../drivers/sqlite-rows.js";
import {
  type Memories,
  type MemoryChange,
  type MemoryHit,
  type MemoryOutcome,
  type MemoryQuestion,
  type Orphans,
  type ScopeParts,
  scopeKey,
} from "./memories.js";
import { eraseInFile } from "./sqlite-erasure.js";
import { SqliteMemoryReader } from "./sqlite-memory-reader.js";
import { type MemoryParts, SqliteMemoryWriter } from "./sqlite-memory-writer.js";
import { SqlitePassages } from "./sqlite-passages.js";
import { SqliteRedactions } from "./sqlite-redaction.js";
import { SqliteSearch } from "./sqlite-search.js";
import { SqliteShelves } from "./sqlite-shelves.js";
import { SqliteTables } from "./sqlite-tables.js";
import { SqliteVectorTables } from "./sqlite-vector-tables.js";
import { SqliteVectors } from "./sqlite-vectors.js";

/** Memories in the file of a SQLite store, which several processes may use at once. */
export function sqliteMemories(connection: SqliteConnection, sessions: SqliteRows): Memories {
  if (!connection.hasFullText()) throw noFullText(connection.path);
  const tables = new SqliteTables(connection);
  const parts: MemoryParts = {
    tables,
    shelves: new SqliteShelves(tables),
    passages: new SqlitePassages(tables),
    vectors: new SqliteVectors(tables),
  };
  return { ...readers(connection, parts), ...writers({ connection, sessions, parts }) };
}

type Readers = Pick<Memories, "find" | "get" | "at" | "list" | "search" | "embedders" | "without">;

function readers(connection: SqliteConnection, parts: MemoryParts): Readers {
  const reader = new SqliteMemoryReader(parts);
  const during = <T>(work: () => T): Promise<T> => connection.transaction("DEFERRED", work);
  return {
    find: (scope, keys) =>
      during(() => ({ version: parts.shelves.versionOf(scopeKey(scope)), rows: reader.find(scope, keys) })),
    get: (scope, ids) => during(() => reader.get(scope, ids)),
    at: (places) => during(() => reader.at(places)),
    list: (scope, options = {}) => during(() => reader.list(scope, options)),
    search: searcher(connection, parts),
    embedders: () =>
      during(() => new Map(parts.vectors.embedders().flatMap(({ name, rows }) => (rows > 0 ? [[name, rows]] : [])))),
    without: (embedder, options) => during(() => reader.without(embedder, options)),
  };
}

/** Codes that have come since the last search are read first, and others get their turn meanwhile. */
function searcher(connection: SqliteConnection, parts: MemoryParts) {
  const near = new SqliteVectorTables(parts.tables);
  const search = new SqliteSearch(parts, near);
  const read = (asked: MemoryQuestion): boolean => search.vectorsOf(asked).every(({ embedder }) => near.read(embedder));
  return async (scope: ScopeParts, question: MemoryQuestion): Promise<MemoryHit[]> => {
    while (!(await connection.run(() => read(question))));
    return connection.transaction("DEFERRED", () => {
      near.keep(parts.vectors.embedders());
      return search.search(scope, question);
    });
  };
}

interface WriteParts {
  readonly connection: SqliteConnection;
  readonly sessions: SqliteRows;
  readonly parts: MemoryParts;
}

type Writers = Pick<Memories, "write" | "addVectors" | "dropVectors" | "erase" | "orphans">;

function writers({ connection, sessions, parts }: WriteParts): Writers {
  const redactions = new SqliteRedactions(sessions);
  const during = <T>(work: () => T): Promise<T> => connection.transaction("IMMEDIATE", work);
  const forget = () => connection.insist(() => sessions.forget());
  return {
    async write(change) {
      const outcome = await during(() => apply(change, parts, redactions));
      if (outcome.status === "written" && takesOut(change)) await forget();
      return outcome;
    },
    addVectors: (embedder, vectors) =>
      during(() => {
        const writer = new SqliteMemoryWriter(parts);
        for (const each of vectors) writer.addVectors(embedder, each);
        writer.finish();
      }),
    async dropVectors(embedder) {
      const number = await during(() => parts.vectors.drop(embedder));
      if (number === undefined) return;
      while (await during(() => parts.vectors.sweep(number)));
      await forget();
    },
    erase: (texts) => eraseInFile(connection, sessions, texts),
    orphans: ({ remove = false } = {}) =>
      connection.transaction(remove ? "IMMEDIATE" : "DEFERRED", () => orphansIn(parts, remove)),
  };
}

/** Removed text is to leave the files too. */
const takesOut = ({ remove = [], redact = [] }: MemoryChange): boolean => remove.length > 0 || redact.length > 0;

/** A removal has the last word. */
function apply(change: MemoryChange, parts: MemoryParts, redactions: SqliteRedactions): MemoryOutcome {
  const version = parts.shelves.versionOf(change.scope);
  if (change.version !== undefined && change.version !== version) return { status: "stale", version };
  const stale = change.redact?.find((redaction) => !redactions.isCurrent(redaction));
  if (stale !== undefined) return { status: "stale-session", session: stale.session };
  const writer = new SqliteMemoryWriter(parts);
  for (const memory of change.put ?? []) writer.put(memory);
  for (const amendment of change.amend ?? []) writer.amend(amendment);
  removeAll(change.remove ?? [], writer, parts);
  writer.finish();
  for (const redaction of change.redact ?? []) redactions.redact(redaction);
  return { status: "written", version: parts.shelves.advance(change.scope) };
}

/** Where this much of all goes, an index of words is sooner written anew than searched for each. */
const MUCH = 0.1;

function removeAll(ids: readonly string[], writer: SqliteMemoryWriter, { tables, passages }: MemoryParts): void {
  const all = tables.number("SELECT sum(rows) FROM memory_shelves") ?? 0;
  const remove = () => {
    for (const id of ids) writer.remove(id);
  };
  if (ids.length < MUCH * all) remove();
  else passages.rewriting(remove);
}

function orphansIn({ tables, passages, vectors }: MemoryParts, remove: boolean): Orphans {
  const lost = "memory_keys WHERE NOT EXISTS (SELECT 1 FROM memories WHERE memories.number = memory)";
  const keys = tables.number(`SELECT count(*) FROM ${lost}`) ?? 0;
  if (remove) tables.run(`DELETE FROM ${lost}`);
  return { passages: passages.orphans(remove), vectors: vectors.orphans(remove), keys };
}

const noFullText = (path: string): VarveError =>
  new VarveError({
    code: "memory-unavailable",
    message: `The store "${path}" keeps no memories here: the SQLite of Node ${process.versions.node} has no full-text search.`,
    hint: 'Use Node 22.16 or later, but not 23, or another store, such as "file:FOLDER". Sessions work all the same.',
    details: { path, node: process.versions.node },
  });
