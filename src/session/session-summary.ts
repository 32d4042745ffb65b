/** What the documents of a session tell without opening it: no entry is read, and no strategy loaded. */
import type { SessionInfo, Store } from "../store/store.js";
import { PLAIN_STRATEGY } from "../view/strategies/default-strategy.js";
import type { Checkpoint, Checkpoints } from "./checkpoint.js";
import { OPTIONS, PINS, SUMMARISER } from "./document-names.js";
import { CHECKPOINTS } from "./saved-views.js";
import type { HeldOptions } from "./session-options.js";
import type { SummariserFailure } from "./summariser-failure.js";
import { ACCOUNT, type ViewAccount } from "./view-account.js";

/** A session from outside. */
export interface SessionSummary {
  readonly info: SessionInfo;
  /** What it was left with, its strategy by name. */
  readonly options: HeldOptions | undefined;
  /** Its latest view, with which it was left; undefined where none was made since its head or its settings changed. */
  readonly latest: ViewAccount | undefined;
  /** How its summariser fails; undefined while it does not. */
  readonly summariser: SummariserFailure | undefined;
  /** Oldest first. */
  readonly checkpoints: readonly Checkpoint[];
  /** Ids of the pinned entries. */
  readonly pins: readonly string[];
}

export async function readSummary(store: Store, id: string): Promise<SessionSummary | undefined> {
  const stored = await store.read(id, { from: Number.POSITIVE_INFINITY, documents: ["state/"] });
  if (stored === undefined) return undefined;
  const value = (name: string): unknown => JSON.parse(stored.documents.get(name) ?? "null");
  const options = value(OPTIONS) as HeldOptions | null;
  const pins = value(PINS) as { readonly pins?: readonly { readonly entry: string }[] } | null;
  return {
    info: stored.info,
    options: options === null ? undefined : { strategy: PLAIN_STRATEGY, ...options },
    latest: (value(ACCOUNT) as ViewAccount | null) ?? undefined,
    summariser: (value(SUMMARISER) as SummariserFailure | null) ?? undefined,
    checkpoints: (value(CHECKPOINTS) as Checkpoints | null)?.list ?? [],
    pins: (pins?.pins ?? []).map(({ entry }) => entry),
  };
}
