/** What can be asked of rows, but for searches. */
import {
  type Found,
  type MemoryListOptions,
  type MemoryPage,
  type MemoryRow,
  type Place,
  type ScopeParts,
  scopeKey,
  sees,
} from "./memories.js";
import type { MemoryRows } from "./memory-rows.js";
import { placeOfMark } from "./page-mark.js";
import type { Kept } from "./shelves.js";

const PAGE_SIZE = 100;

export function findRows(rows: MemoryRows, scope: ScopeParts, keys: readonly string[]): Found {
  const found = new Set(keys.flatMap((key) => [...(rows.byKey.get(key) ?? [])]));
  const seen = [...found].filter((kept) => isSeen(scope, kept)).sort(byOrder);
  return { version: rows.versionOf(scopeKey(scope)), rows: seen.map(({ row }) => row) };
}

export function rowsOf(rows: MemoryRows, scope: ScopeParts, ids: readonly string[]): MemoryRow[] {
  return ids.flatMap((id) => {
    const kept = rows.byId.get(id);
    return kept !== undefined && isSeen(scope, kept) ? [kept.row] : [];
  });
}

export function rowsAt({ shelves }: MemoryRows, places: readonly Place[]): MemoryRow[] {
  return places.flatMap(({ scope, thread, place }) => {
    const kept = shelves.find(scope)?.threads.get(thread)?.rows.get(place);
    return kept === undefined ? [] : [kept.row];
  });
}

/** A page ends at a place in the order of all rows, so that writing between pages moves none. */
export function listRows({ list }: MemoryRows, scope: ScopeParts, options: MemoryListOptions): MemoryPage {
  const { after, limit = PAGE_SIZE, newest = false } = options;
  const page: Kept[] = [];
  const place = after === undefined ? undefined : placeOfMark(after);
  for (const kept of newest ? list.before(place ?? Number.POSITIVE_INFINITY) : list.behind(place ?? 0)) {
    if (!isSeen(scope, kept)) continue;
    if (page.length === limit) return { rows: page.map(({ row }) => row), next: String(page.at(-1)?.order ?? 0) };
    page.push(kept);
  }
  return { rows: page.map(({ row }) => row), next: undefined };
}

export function embeddersOf({ byId }: MemoryRows): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { embedders } of byId.values())
    for (const name of embedders.size === 0 ? [""] : embedders) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

export function rowsWithout(rows: MemoryRows, embedder: string, from: { after?: string; limit: number }): MemoryRow[] {
  const found: MemoryRow[] = [];
  for (const id of rows.idsBehind(from.after)) {
    if (found.length === from.limit) break;
    const kept = rows.byId.get(id)!;
    if (!kept.embedders.has(embedder)) found.push(kept.row);
  }
  return found;
}

const isSeen = (scope: ScopeParts, { shelf, row }: Kept): boolean => sees(scope, { ...shelf.owners, tags: row.tags });

const byOrder = (left: Kept, right: Kept): number => left.order - right.order;
