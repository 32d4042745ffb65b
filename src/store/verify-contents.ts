import { VarveError } from "../errors.js";
import { type Store, sessionsIn, type VerifyOptions, type VerifyReport } from "./store.js";
import { parentOf } from "./stored-entry.js";

const ALL = { documents: [""], keys: true };

/**
 * Reads all that a store holds. `faults` is the list that the store tells its warnings to; what cannot be read is added.
 */
export async function verifyContents(
  store: Store,
  faults: VarveError[],
  { onProgress = () => undefined }: VerifyOptions = {},
): Promise<VerifyReport> {
  const seen = async <T>(work: () => Promise<T> | T): Promise<T | undefined> => {
    try {
      return await work();
    } catch (error) {
      if (!VarveError.isInstance(error)) throw error;
      if (error.code !== "memory-unavailable" && !faults.some(({ message }) => message === error.message))
        faults.push(error);
      return undefined;
    }
  };
  const ids: string[] = [];
  await seen(async () => {
    for await (const { id } of sessionsIn(store)) ids.push(id);
  });
  let entries = 0;
  for (const [done, id] of ids.entries()) {
    onProgress({ done, total: ids.length });
    const stored = await seen(() => store.read(id, ALL));
    for (const entry of stored?.entries ?? []) {
      const isTold = faults.some(({ details }) => details.session === id && isIn(details.entries, entry.id));
      if (!isTold) await seen(() => void entry.message);
      const parent = parentOf(entry);
      if (!(parent >= -1 && parent < entry.sequence)) faults.push(strayEntry(id, entry.id));
    }
    if (stored !== undefined && !(stored.info.head < stored.entries.length)) faults.push(strayEntry(id, "head"));
    entries += stored?.entries.length ?? 0;
  }
  const memories = (await seen(() => countMemories(store))) ?? 0;
  return { sessions: ids.length, entries, memories, faults };
}

const isIn = (list: unknown, id: string): boolean => Array.isArray(list) && list.includes(id);

async function countMemories({ memories }: Store): Promise<number> {
  let [count, after] = [0, undefined as string | undefined];
  do {
    const page = await memories?.list({}, { limit: 1_000, ...(after !== undefined && { after }) });
    count += page?.rows.length ?? 0;
    after = page?.next;
  } while (after !== undefined);
  return count;
}

const strayEntry = (session: string, entry: string): VarveError =>
  new VarveError({
    code: "store-damaged",
    message: `What stands in front of "${entry}" of the session "${session}" is not in the log.`,
    hint: "Restore the store from a copy or an export.",
    details: { session, entry },
  });
