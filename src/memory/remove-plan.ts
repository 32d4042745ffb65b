import { type MemoryRow, sees } from "../store/memories/memories.js";
import { type Changes, Desk, type PlanContext } from "./desk.js";
import { isCurrent, keyOf } from "./keys.js";
import { bodyOf } from "./row.js";

/** Rows that go together. */
export interface Leaving {
  readonly rows: readonly MemoryRow[];
  /** Row ids of all that go, in this change and in others: nothing is handed on to those. */
  readonly leaving: ReadonlySet<string>;
}

/** The keys under which rows are found that a removal has to do with. */
export function keysForRemoval(row: MemoryRow): string[] {
  const { id } = bodyOf(row);
  return [keyOf.id(id), keyOf.former(id), keyOf.ended(id)];
}

/**
 * Plans the removal of rows. With a memory as it stands go its former versions, and nothing of another scope under the
 * same id; what it had ended holds again, and who said the same after it has its slots.
 */
export function planRemoval(
  { rows, leaving }: Leaving,
  found: readonly MemoryRow[],
  context: PlanContext,
): Changes & { readonly removed: readonly MemoryRow[] } {
  const whole = new Set(rows.filter(isCurrent).map((row) => bodyOf(row).id));
  const named = new Set(rows.map(({ id }) => id));
  const isVersion = (row: MemoryRow): boolean =>
    row.scope === context.scope && whole.has(bodyOf(row).id) && sees({ tags: context.tags ?? [] }, { tags: row.tags });
  const goes = (row: MemoryRow): boolean => named.has(row.id) || isVersion(row);
  const [removed, rest] = [found.filter((row) => goes(row)), found.filter((row) => !goes(row) && !leaving.has(row.id))];
  const desk = new Desk(rest, context);
  for (const row of removed.filter(isCurrent)) desk.release({ body: bodyOf(row) });
  const { amend, wanted } = desk.changes();
  return { put: [], amend, remove: removed.map(({ id }) => id), wanted, removed };
}
