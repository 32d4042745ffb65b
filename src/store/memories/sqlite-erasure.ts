import { escaped } from "../drivers/escaped-text.js";
import type { SqliteConnection } from "../drivers/sqlite-connection.js";
import type { SqliteRows } from "../drivers/sqlite-rows.js";
import { formsInFile, formsOf } from "../drivers/texts-in-files.js";
import type { Erasure } from "./memories.js";

/** Where rows and sessions have text. */
const COLUMNS = {
  entries: ["message"],
  documents: ["name", "value"],
  keys: ["key"],
  sessions: ["id"],
  memories: ["id", "body", "speaker", "keys"],
  memory_threads: ["thread"],
  memory_shelves: ["tags"],
  memory_scopes: ["key"],
};

/**
 * Deleted text is overwritten where it stood, and the log that is written ahead is emptied; where bytes of it are left all
 * the same, the file is written anew.
 */
export async function eraseInFile(
  connection: SqliteConnection,
  sessions: SqliteRows,
  texts: readonly string[],
): Promise<Erasure> {
  if (connection.path === ":memory:") return NOTHING;
  const forget = () => connection.insist(() => sessions.forget());
  const left = () => leftIn(connection, texts);
  let isAlone = await forget();
  if ((await left()).length === 0) return NOTHING;
  const isPacked = await connection
    .run(() => connection.prepare("VACUUM").run())
    .then(
      () => true,
      () => false,
    );
  isAlone = (await forget()) && isPacked;
  const found = await left();
  if (found.length === 0 || isAlone) return { found, remains: [] };
  const remains = found.map(
    (path) => `${path} holds it until another connection, which reads an older state, is closed.`,
  );
  return { found: [], remains };
}

const NOTHING: Erasure = { found: [], remains: [] };

/** The files that hold a text which no row has. */
async function leftIn(connection: SqliteConnection, texts: readonly string[]): Promise<string[]> {
  const forms = texts.flatMap((text) => formsOf(escaped(text)));
  const left: string[] = [];
  for (const path of [connection.path, `${connection.path}-wal`]) {
    const found = [...(await formsInFile(path, forms))];
    const shown = await connection.run(() => found.filter((form) => isShown(connection, form)));
    if (found.length > shown.length) left.push(path);
  }
  return left;
}

function isShown(connection: SqliteConnection, form: string): boolean {
  return Object.entries(COLUMNS).some(([table, columns]) => {
    const tests = columns.map((column) => `instr(${column}, ?1) > 0`).join(" OR ");
    return connection.prepare(`SELECT 1 FROM ${table} WHERE ${tests} LIMIT 1`).get(form) !== undefined;
  });
}
