import type { ContextDocument } from "../compaction/context-document.js";
import { documentMessages } from "../compaction/context-history.js";
import { VarveError } from "../errors.js";
import type { Message } from "../message/types.js";
import type { Store } from "../store/store.js";
import type { Recall, Snapshots } from "./snapshots.js";

export interface TakeOverInput {
  readonly id: string;
  readonly store: Store;
  readonly snapshots: Snapshots | undefined;
  /** Notes what a document says beside its messages. */
  readonly adopt: (document: ContextDocument) => void;
  readonly append: (messages: readonly Message[], options: { readonly key: string }) => Promise<unknown>;
}

/** A session's history is taken over once, by whoever opens it first. */
const RECALL = "varve/recall";

/** Goes on from a document or a snapshot where the store knows nothing of a session; returns what of the latter. */
export async function takeOver({ id, store, snapshots, adopt, append }: TakeOverInput): Promise<Recall | undefined> {
  const document = await store.readContext?.(id);
  if (document !== undefined) {
    adopt(document);
    await appendOnce(documentMessages(document), append);
    return undefined;
  }
  const found = snapshots?.recall();
  if (found !== undefined) await appendOnce(found.messages, append);
  return found?.recall;
}

/** Where somebody else was first, what that one found counts. */
async function appendOnce(messages: readonly Message[], append: TakeOverInput["append"]): Promise<void> {
  await append(messages, { key: RECALL }).catch((error: unknown) => {
    if (!VarveError.isInstance(error) || error.code !== "key-reused") throw error;
  });
}
