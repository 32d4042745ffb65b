import type { Budget } from "../../compaction/budget.js";
import type { ShownExchanges } from "../../compaction/shown.js";
import type { Log } from "../../message/log.js";
import type { SystemMessage } from "../../message/types.js";
import type { TokenCounter } from "../../tokens/counter.js";
import type { Counted } from "./counted.js";

export interface StandInInput {
  readonly log: Log;
  readonly counter: TokenCounter;
  readonly budget: Budget;
  readonly shown: ShownExchanges;
}

export interface Move {
  /** Position of the new cut. */
  readonly position: number;
  /** Entries before it that the view does not show. */
  readonly leftOut: number;
  /** Tokens that are left for what stands in. */
  readonly room: number;
}

/** What stands in a view for the part of the log before the cut: a note, or digests. */
export interface StandIn {
  /** In order; changes only when the cut moves, so that the view's prefix stays. */
  readonly messages: readonly Counted<SystemMessage>[];
  /** Shorter forms for a view whose last turn leaves little room, shortest last. */
  readonly shorter: readonly (readonly Counted<SystemMessage>[])[];
  /** Tokens to leave free for it when a cut is planned. */
  readonly bound: number;
  /** Takes in the log up to a new cut. */
  moveTo(move: Move): void | Promise<void>;
}
