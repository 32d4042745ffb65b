import { invalidOption, VarveError } from "../errors.js";
import type { Store } from "../store/store.js";
import { entryOfRow, rowOf } from "../store/stored-entry.js";
import { checkSessionId } from "./check-options.js";
import { writeSession } from "./write-session.js";

export interface ForkPorts {
  readonly store: Store;
  readonly now: () => number;
  /** Resolves when everything said to open sessions is in the store. */
  readonly settle: () => Promise<void>;
}

/** What was copied. */
export interface Fork {
  readonly id: string;
  readonly from: string;
  readonly entries: number;
}

/** Copies a session with all its branches, checkpoints and receipts under another id; from there both go their own ways. */
export async function forkSession(from: string, to: string, { store, now, settle }: ForkPorts): Promise<Fork> {
  checkSessionId(from);
  checkSessionId(to);
  await settle();
  const stored = await store.read(from, { documents: [""], keys: true });
  if (stored === undefined) throw notThere(from);
  if ((await store.version(to)) > 0)
    throw invalidOption({ option: "to", value: to, allowed: "an id that the store has no session under" });
  const { info, documents, keys = new Map() } = stored;
  const time = now();
  // Some stores fetch a message only when it is read.
  const entries = stored.entries.map((entry) => entryOfRow(rowOf(entry)));
  const values = new Map([...documents].map(([name, text]) => [name, JSON.parse(text) as unknown]));
  const head = { id: to, head: info.head, created: time, updated: time };
  await writeSession(store, { head, entries, documents: values, keys }, false);
  return { id: to, from, entries: entries.length };
}

const notThere = (id: string): VarveError =>
  new VarveError({
    code: "not-found",
    message: `There is no session "${id}" to fork.`,
    hint: "varve.sessions() lists those there are.",
    details: { session: id },
  });
