/** A memory as the tables have it, put together from those that its parts are in. */
import { damagedMemory } from "../damage.js";
import { escaped, unescaped } from "../drivers/escaped-text.js";
import { isIntact, isJSON, rowSum } from "../drivers/row-sum.js";
import type { MemoryRow } from "./memories.js";
import type { SqliteRow, SqliteTables } from "./sqlite-tables.js";

export const ROW = `SELECT memories.number, id, memory_scopes.key AS scope, thread_names.thread, place, tags, time, until, speaker,
  keys, body, sum FROM memories
  CROSS JOIN memory_shelves ON memory_shelves.number = memories.shelf
  CROSS JOIN memory_scopes ON memory_scopes.number = memory_shelves.scope
  CROSS JOIN memory_threads AS thread_names ON thread_names.number = memories.thread`;

type Summed = Omit<MemoryRow, "keys"> & { readonly keys: string };

/** The sum of all that a memory says, whichever table it is in; keys as JSON. */
export const memorySum = ({ id, scope, thread, place, tags, time, until, speaker, keys, body }: Summed): number =>
  rowSum(JSON.stringify([id, scope, thread, place, tags, time, until ?? null, speaker, keys].map(String)), body);

/** The memory of a row, or nothing where it is damaged, which is told. */
export function memoryOf(row: SqliteRow, tables: SqliteTables): MemoryRow[] {
  const [tags, keys, body] = [row.tags, row.keys, row.body].map(String) as [string, string, string];
  if ([tags, keys, body].every(isJSON)) {
    const memory = {
      id: unescaped(String(row.id)),
      scope: String(row.scope),
      thread: unescaped(String(row.thread)),
      place: Number(row.place),
      tags: JSON.parse(tags),
      time: Number(row.time),
      until: row.until === null ? undefined : Number(row.until),
      speaker: unescaped(String(row.speaker)),
      body,
    };
    if (isIntact(row.sum, memorySum({ ...memory, keys }))) return [{ ...memory, keys: JSON.parse(keys) }];
  }
  tables.tell(damagedMemory(unescaped(String(row.id))));
  return [];
}

/** The memory of an id, or nothing. */
export function memoryWith(tables: SqliteTables, id: string): MemoryRow | undefined {
  const row = tables.get(`${ROW} WHERE id = ?`, escaped(id));
  return row && memoryOf(row, tables)[0];
}
