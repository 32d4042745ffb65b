import type { ContextDocument } from "../compaction/context-document.js";
import { documentMessages } from "../compaction/context-history.js";
import type { Message } from "../message/types.js";
import type { Store } from "../store/store.js";
import type { Recall, Snapshots } from "./snapshots.js";

export interface TakeOverInput {
  readonly id: string;
  readonly store: Store;
  readonly snapshots: Snapshots | undefined;
  /** Notes what a document says beside its messages. */
  readonly adopt: (document: ContextDocument) => void;
  readonly append: (messages: readonly Message[]) => Promise<unknown>;
}

/** Goes on from a document or a snapshot where the store knows nothing of a session; returns what of the latter. */
export async function takeOver({ id, store, snapshots, adopt, append }: TakeOverInput): Promise<Recall | undefined> {
  const document = await store.readContext?.(id);
  if (document !== undefined) {
    adopt(document);
    await append(documentMessages(document));
    return undefined;
  }
  const found = snapshots?.recall();
  if (found !== undefined) await append(found.messages);
  return found?.recall;
}
