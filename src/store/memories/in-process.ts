import type { Memories, MemoryChange, MemoryOutcome, Redaction } from "./memories.js";
import { MemoryRows } from "./memory-rows.js";
import { embeddersOf, findRows, listRows, rowsAt, rowsOf, rowsWithout } from "./read-rows.js";
import { searchRows } from "./search-rows.js";

/** What memories need of the store that they are part of. */
export interface MemoriesHost {
  /** Throws where the store is closed. */
  check(): void;
  /** Gets ready to take text out of a session; undefined where the session has changed since, or is gone. */
  redaction(redaction: Redaction): (() => void) | undefined;
}

/** Memories in this process's memory. Each call is carried out in one go, so that no other comes between. */
export function inProcessMemories(host: MemoriesHost): Memories {
  const rows = new MemoryRows();
  const guarded = async <T>(work: () => T): Promise<T> => {
    host.check();
    return work();
  };
  return {
    write: (change) => guarded(() => writeRows(rows, change, host)),
    addVectors: (...given) => guarded(() => rows.addVectors(...given)),
    dropVectors: (embedder) => guarded(() => rows.dropVectors(embedder)),
    orphans: () => guarded(() => NO_ORPHANS),
    ...readersOf((work) => guarded(() => work(rows))),
  };
}

/** In this process nothing is kept apart from its row. */
export const NO_ORPHANS = { passages: 0, vectors: 0, keys: 0 };

type Readers = Pick<Memories, "find" | "get" | "at" | "list" | "search" | "embedders" | "without">;

/** What can be asked of rows, each question answered within `during`. */
export function readersOf(during: <T>(work: (rows: MemoryRows) => T) => Promise<T>): Readers {
  return {
    find: (scope, keys) => during((rows) => findRows(rows, scope, keys)),
    get: (scope, ids) => during((rows) => rowsOf(rows, scope, ids)),
    at: (places) => during((rows) => rowsAt(rows, places)),
    list: (scope, options = {}) => during((rows) => listRows(rows, scope, options)),
    search: (scope, question) => during((rows) => searchRows(rows, scope, question)),
    embedders: () => during(embeddersOf),
    without: (embedder, options) => during((rows) => rowsWithout(rows, embedder, options)),
  };
}

function writeRows(rows: MemoryRows, change: MemoryChange, host: MemoriesHost): MemoryOutcome {
  const version = rows.versionOf(change.scope);
  if (change.version !== undefined && change.version !== version) return { status: "stale", version };
  const redactions = [];
  for (const redaction of change.redact ?? []) {
    const redact = host.redaction(redaction);
    if (redact === undefined) return { status: "stale-session", session: redaction.session };
    redactions.push(redact);
  }
  rows.check(change);
  for (const redact of redactions) redact();
  return { status: "written", version: rows.apply(change) };
}
