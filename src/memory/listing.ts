import { checkNames, type OptionNames } from "../message/option-names.js";
import type { Memories, MemoryRow, Scope } from "../store/memories/memories.js";
import { checkTags, checkText } from "./check-input.js";
import { checkCount, checkFilter } from "./check-request.js";
import { matchesFilter } from "./filter.js";
import { keyOf } from "./keys.js";
import type { Memory, MemoryFilter } from "./memory.js";
import { rowsOfOne } from "./one-memory.js";
import { bodyOf, memoryOf } from "./row.js";

export interface MemoryList {
  readonly memories: readonly Memory[];
  /** To be given as `after` for the next page; undefined on the last one. */
  readonly next: string | undefined;
}

export interface MemoryListOptions {
  readonly after?: string;
  /** Memories looked at for a page; 100 unless given. A filter may leave fewer. */
  readonly limit?: number;
  readonly where?: MemoryFilter;
  /** Whether what was stored last comes first. */
  readonly newest?: boolean;
  /** Whether former versions and memories that no longer hold are listed too. */
  readonly superseded?: boolean;
}

const OPTIONS: OptionNames<MemoryListOptions> = {
  after: true,
  limit: true,
  where: true,
  newest: true,
  superseded: true,
};

/** A page of the memories of a scope, in the order in which they were stored unless the newest are wanted first. */
export async function listMemories(
  memories: Memories,
  scope: Scope,
  { now, options }: { readonly now: number; readonly options: MemoryListOptions },
): Promise<MemoryList> {
  checkNames(options, OPTIONS, "memory.list");
  const { superseded = false, where: _, ...paging } = options;
  const where = checkFilter(options.where ?? {}, "memory.list");
  checkText(paging.after, "after");
  if (paging.limit !== undefined) checkCount(paging.limit, "limit");
  const page = await memories.list(withTags(scope, where), paging);
  const rows = superseded ? page.rows : page.rows.filter(({ until = Number.POSITIVE_INFINITY }) => until > now);
  return {
    memories: rows.map((row) => memoryOf(row)).filter((memory) => matchesFilter(memory, where)),
    next: page.next,
  };
}

/** All rows of a scope, page by page. */
export async function* rowsOf(memories: Memories, scope: Scope): AsyncGenerator<MemoryRow> {
  let after: string | undefined;
  do {
    const page = await memories.list(scope, { limit: 500, ...(after === undefined ? {} : { after }) });
    yield* page.rows;
    after = page.next;
  } while (after !== undefined);
}

/** Every version of a memory, the first one first; empty where there is none. */
export async function historyOf(memories: Memories, scope: Scope, id: string): Promise<Memory[]> {
  const { rows } = await memories.find(scope, [keyOf.id(id), keyOf.former(id)]);
  const versions = rowsOfOne(scope, id, rows).map((row) => ({ row, body: bodyOf(row) }));
  versions.sort((a, b) => (a.body.version ?? 1) - (b.body.version ?? 1));
  return versions.map(({ row, body }) => memoryOf(row, body));
}

const withTags = (scope: Scope, { tags = [] }: MemoryFilter): Scope => ({
  ...scope,
  tags: [...(scope.tags ?? []), ...checkTags(tags, "where.tags")],
});
