/** Puts whole sessions into a store. What cannot be written wholly leaves everything as it was. */
import { VarveError } from "../errors.js";
import type { Entry } from "../message/entry.js";
import type { Change, KeyedAppend, Store } from "../store/store.js";

export interface WholeSession {
  readonly head: { readonly id: string; readonly head: number; readonly created: number; readonly updated: number };
  /** Of all branches, by sequence. */
  readonly entries: readonly Entry[];
  readonly documents: ReadonlyMap<string, unknown>;
  readonly keys: ReadonlyMap<string, KeyedAppend>;
}

/**
 * Writes a session by one step of the store: in the place of the one there, or, where that is not asked for, only where
 * there is none.
 */
export async function writeSession(store: Store, session: WholeSession, replaces: boolean): Promise<void> {
  const { id } = session.head;
  const expected = replaces ? {} : { version: 0 };
  const { status } = await store.replace(id, { ...expected, changes: changesOf(session) });
  if (status === "stale") throw overtaken(id);
}

type Step = Omit<Change, "version">;

/**
 * One commit for each keyed append, and one for what lies between them. The first gives a session its time of making,
 * the last one that of its latest change.
 */
function changesOf({ head, entries, documents, keys }: WholeSession): Step[] {
  const { created: time, updated } = head;
  const steps: Step[] = [];
  let written = 0;
  for (const [key, { first, count }] of [...keys].sort(([, a], [, b]) => a.first - b.first)) {
    const end = first + count;
    if (first > written) steps.push({ time, entries: entries.slice(written, first) });
    steps.push({ time, entries: entries.slice(first, end), key });
    written = Math.max(written, end);
  }
  if (steps.length === 0 && entries.length > 0) {
    steps.push({ time, entries });
    written = entries.length;
  }
  return [...steps, { time: updated, entries: entries.slice(written), documents, head: head.head }];
}

const overtaken = (id: string): VarveError =>
  new VarveError({
    code: "store-busy",
    message: `Somebody else writes to the session "${id}" while it is being imported.`,
    hint: "Import again once the session is at rest.",
    retryable: true,
    details: { session: id },
  });
