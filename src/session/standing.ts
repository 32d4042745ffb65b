import type { Position } from "../message/positions.js";
import type { ViewState } from "../view/plan.js";

/** A state as others name it: its row, and what changes with each request, which no row is written for. */
export interface Standing {
  /** -1 for the state that views start with. */
  readonly row: number;
  /** Not there in what 0.1.0 stored. */
  readonly sent?: StoredSent | undefined;
}

/** What the newest reasoning was written under, what the latest view sent, and which reasoning is not sent any more. */
export type StoredSent = readonly [ViewState["sent"] | null, ViewState["latest"] | null, Position];

export const sentIn = ({ sent, latest, unthought }: ViewState): StoredSent => [sent ?? null, latest ?? null, unthought];

export function withSent(state: ViewState, stored: StoredSent | undefined): ViewState {
  if (stored === undefined) return state;
  const [sent, latest, unthought] = stored;
  return { ...state, sent: sent ?? undefined, latest: latest ?? undefined, unthought };
}
