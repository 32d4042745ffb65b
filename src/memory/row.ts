import { type MemoryRow, type Scope, scopeOf } from "../store/memories/memories.js";
import type { EntryReference, Memory, MemoryFact } from "./memory.js";
import type { MemorySource } from "./trust/source.js";

/** What a row's body holds: all of a memory that the row's own fields do not say. */
export interface MemoryBody {
  readonly id: string;
  readonly content: string;
  readonly stored: number;
  readonly source: MemorySource;
  readonly facts?: readonly MemoryFact[];
  readonly times?: number;
  readonly entries?: readonly EntryReference[];
  /** The log entries in which the agent said nothing but this. */
  readonly retold?: readonly EntryReference[];
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** Which version of the memory this is, from 1; former ones are closed rows of their own. */
  readonly version?: number;
}

/** The row's id: a client's own id is unique in its scope, a row's in the store. */
export function rowId(scope: string, id: string, version?: number): string {
  return version === undefined ? `${scope}/${id}` : `${scope}/${id}\n${version}`;
}

export const bodyOf = (row: MemoryRow): MemoryBody => JSON.parse(row.body);

/** The memory that a row holds. */
export function memoryOf(row: MemoryRow, body: MemoryBody = bodyOf(row)): Memory {
  const { id, content, stored, source, facts = [], times = 1, entries, metadata = {} } = body;
  const scope: Scope = row.tags.length === 0 ? scopeOf(row.scope) : { ...scopeOf(row.scope), tags: row.tags };
  return {
    id,
    content,
    scope,
    at: iso(row.time),
    storedAt: iso(stored),
    ...(row.until === undefined ? {} : { validUntil: iso(row.until) }),
    source,
    ...(row.speaker === "" ? {} : { speaker: row.speaker }),
    ...(row.thread === "" ? {} : { thread: row.thread }),
    ...(entries === undefined ? {} : { entries }),
    facts,
    times,
    metadata,
  };
}

export const iso = (time: number): string => new Date(time).toISOString();
