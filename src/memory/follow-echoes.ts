import type { Memories, MemoryRow, Scope } from "../store/memories/memories.js";
import { isOnly, tells } from "./echoes.js";
import { keyOf } from "./keys.js";
import { bodyOf, type MemoryBody } from "./row.js";

const BATCH = 200;

/** Rows with those in which the agent retells them: it was shown the one when it said the other. */
export async function withEchoRows(
  memories: Memories,
  scope: Scope,
  rows: readonly MemoryRow[],
): Promise<readonly MemoryRow[]> {
  const all = new Map(rows.map((row) => [row.id, row]));
  const waiting = [...rows];
  while (waiting.length > 0) {
    const told = waiting.splice(0, BATCH).map(bodyOf);
    const found = await memories.find(
      scope,
      told.map(({ id }) => keyOf.recalled(id)),
    );
    const echoes = found.rows.filter((row) => !all.has(row.id) && isEcho(bodyOf(row), told));
    const former = echoes.map((row) => keyOf.former(bodyOf(row).id));
    const versions = former.length === 0 ? [] : (await memories.find(scope, former)).rows;
    for (const row of [...echoes, ...versions].filter(({ id }) => !all.has(id))) {
      all.set(row.id, row);
      waiting.push(row);
    }
  }
  return [...all.values()];
}

function isEcho({ source, content, metadata }: MemoryBody, told: readonly MemoryBody[]): boolean {
  const recalled = metadata?.recalled;
  if (source !== "agent" || !Array.isArray(recalled)) return false;
  return told.some(({ id, content: text }) => recalled.includes(id) && (tells(content, text) || isOnly(content, text)));
}
