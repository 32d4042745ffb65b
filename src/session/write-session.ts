/** Puts whole sessions into a store. What cannot be written wholly leaves no half session, and none of others is touched. */
import { randomUUID } from "node:crypto";
import { VarveError } from "../errors.js";
import type { Entry } from "../message/entry.js";
import type { Change, KeyedAppend, Store, StoredSession } from "../store/store.js";
import { entryOfRow, rowOf } from "../store/stored-entry.js";

export interface WholeSession {
  readonly head: { readonly id: string; readonly head: number; readonly created: number; readonly updated: number };
  /** Of all branches, by sequence. */
  readonly entries: readonly Entry[];
  readonly documents: ReadonlyMap<string, unknown>;
  readonly keys: ReadonlyMap<string, KeyedAppend>;
}

/** Writes a session that is not there: one commit for each keyed append, and one for what lies between them. */
export async function writeSession(store: Store, session: WholeSession): Promise<void> {
  const { id } = session.head;
  const mark = randomUUID();
  try {
    let version = 0;
    for (const change of marked(changesOf(session), mark)) {
      const outcome = await store.commit(id, { ...change, version });
      if (outcome.status !== "committed") throw overtaken(id);
      ({ version } = outcome);
    }
  } catch (error) {
    if (await isMarked(store, id, mark)) await store.delete(id);
    throw error;
  }
}

/** The document that a session has as long as it is written. A commit that seems to fail may be there all the same. */
const MARK = "import";

/** The first change sets the mark, and the last one removes it. */
const marked = (changes: readonly Step[], mark: string): readonly Step[] =>
  changes.length === 1
    ? changes
    : changes.map((change, at) => {
        if (at === 0) return { ...change, documents: new Map([[MARK, mark]]) };
        const isLast = at === changes.length - 1;
        return isLast ? { ...change, documents: new Map([...(change.documents ?? []), [MARK, undefined]]) } : change;
      });

async function isMarked(store: Store, id: string, mark: string): Promise<boolean> {
  const stored = await store.read(id, { from: Number.POSITIVE_INFINITY, documents: [MARK] });
  return stored?.documents.get(MARK) === JSON.stringify(mark);
}

/** Writes a session in place of the one there; where that fails, the one there comes back. */
export async function replaceSession(store: Store, session: WholeSession): Promise<void> {
  const before = await readSession(store, session.head.id);
  await store.delete(session.head.id);
  try {
    await writeSession(store, session);
  } catch (error) {
    if (before !== undefined && (await store.version(before.head.id)) === 0) await writeSession(store, before);
    throw error;
  }
}

async function readSession(store: Store, id: string): Promise<WholeSession | undefined> {
  const stored = await readable(store.read(id, { documents: [""], keys: true }));
  if (stored === undefined) return undefined;
  const { info, documents, keys = new Map() } = stored;
  // Some stores fetch a message when it is read; they are going to have nothing to fetch it from.
  const entries = stored.entries.map((entry) => entryOfRow(rowOf(entry)));
  const values = [...documents].map(([name, text]) => [name, JSON.parse(text) as unknown] as const);
  return { head: info, entries, documents: new Map(values), keys };
}

/** A session that is damaged may be replaced, and cannot come back. */
async function readable(reading: Promise<StoredSession | undefined>): Promise<StoredSession | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (VarveError.isInstance(error) && error.code === "store-damaged") return undefined;
    throw error;
  }
}

type Step = Omit<Change, "version">;

/** The first commit gives a session its time of making, the last one that of its latest change. */
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
