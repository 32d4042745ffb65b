import { type Memories, type MemoryRow, type Scope, scopeOf } from "../store/memories/memories.js";
import { keyOf } from "./keys.js";
import type { EntryReference } from "./memory.js";
import { bodyOf } from "./row.js";
import { tooBusy } from "./storing.js";
import { inTurn } from "./turns.js";

/** What the agent said of memories and was not stored, since it said nothing else: it goes from the log with them. */
export interface Retelling {
  readonly entry: EntryReference;
  /** Ids of the memories. */
  readonly ids: readonly string[];
}

const ATTEMPTS = 20;

/** Notes with memories where they were retold. Those that are gone by then are passed over. */
export async function noteRetellings(
  scope: Scope,
  retellings: readonly Retelling[],
  { memories }: { readonly memories: Memories },
): Promise<void> {
  const entries = new Map<string, EntryReference[]>();
  for (const { entry, ids } of retellings) for (const id of ids) entries.set(id, [...(entries.get(id) ?? []), entry]);
  if (entries.size === 0) return;
  const { rows } = await memories.find(scope, [...entries.keys()].map(keyOf.id));
  for (const key of new Set(rows.map((row) => row.scope))) {
    await inTurn({ memories, scope: key }, () => noteIn(key, entries, memories));
  }
}

/** Within the scope of one owner, on what its rows are at the time of writing. */
async function noteIn(
  scope: string,
  entries: ReadonlyMap<string, readonly EntryReference[]>,
  memories: Memories,
): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const { version, rows } = await memories.find(scopeOf(scope), [...entries.keys()].map(keyOf.id));
    const own = rows.filter((row) => row.scope === scope);
    const amend = own.flatMap((row) => noted(row, entries.get(bodyOf(row).id) ?? []));
    if (amend.length === 0) return;
    const { status } = await memories.write({ scope, version, amend });
    if (status === "written") return;
  }
  throw tooBusy(scope);
}

function noted({ id, until, keys, ...row }: MemoryRow, entries: readonly EntryReference[]) {
  const body = bodyOf({ id, until, keys, ...row });
  const known = new Set((body.retold ?? []).map(keyOf.entry));
  const added = entries.filter((entry) => !known.has(keyOf.entry(entry)));
  if (added.length === 0) return [];
  const retold = [...(body.retold ?? []), ...added];
  return [{ id, until, keys, body: JSON.stringify({ ...body, retold }) }];
}
