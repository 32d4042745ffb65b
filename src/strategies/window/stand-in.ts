import type { Budget } from "../../compaction/budget.js";
import type { ShownExchanges } from "../../compaction/shown.js";
import type { Digest } from "../../digest/digest.js";
import type { SummaryTask } from "../../digest/running-summary.js";
import type { VerifiedSummary } from "../../digest/summarise-verified.js";
import type { Log } from "../../message/log.js";
import type { Message } from "../../message/types.js";
import type { TokenCounter } from "../../tokens/counter.js";
import type { Counted } from "./counted.js";

export interface StandInInput {
  readonly log: Log;
  readonly counter: TokenCounter;
  readonly budget: Budget;
  readonly shown: ShownExchanges;
  /** How many digests of the log have ids already; none unless given. */
  readonly numbered?: number;
  /** Told that a summary is to be made, where somebody else makes it. */
  readonly onSummaryDue?: () => void;
}

export interface Move {
  /** Position of the new cut. */
  readonly position: number;
  /** Entries before it that the view does not show. */
  readonly leftOut: number;
  /** Positions before it that the view shows all the same. */
  readonly kept?: ReadonlySet<number>;
  /** Tokens that are left for what stands in. */
  readonly room: number;
}

/** What a message of a stand-in speaks for: a digest for the positions it covers, or an exchange shown as it is. */
export interface Standing {
  readonly from: number;
  /** Without it. */
  readonly to: number;
  /** The digest's id; undefined where the message shows the exchange itself. */
  readonly digest: string | undefined;
}

/** What stands in a view for the part of the log before the cut: a note, or digests. */
export interface StandIn {
  /** In order; the same objects as long as the cut stays and nothing new is there, so that the view's prefix stays. */
  readonly messages: readonly Counted[];
  /** Shorter forms for a view whose last turn leaves little room, shortest last. */
  readonly shorter: readonly (readonly Counted[])[];
  /** Tokens to leave free for it when a cut is planned. */
  readonly bound: number;
  /** Takes in the log up to a new cut; or the same again, with other entries left out, once pins have changed. */
  moveTo(move: Move): void | Promise<void>;
  /** Starts work in the background for a cut there, so that later views need not wait for it. */
  prepare?(position: number): void;
  /** The position up to which such work is done; all of the log where there is none to do. */
  readonly prepared?: number;
  /** What a summariser has to do for a cut there, where one writes something; `take` takes over what came of it. */
  task?(position: number): SummaryTask | undefined;
  take?(task: SummaryTask, summary: VerifiedSummary): boolean;
  /** All that it shows and will show depends on, as a value: hand it to `restore` to go back. */
  readonly state?: unknown;
  /** Goes back: from a trial as if it had not been, else as an undo. */
  restore?(state: unknown, trial?: boolean): void;
  /** What one of its messages speaks for; undefined where it tells only that something is missing. */
  standing?(message: Message): Standing | undefined;
  /** Tokens that a summariser writes for a cut, where one does. */
  readonly written?: number;
  /** How many ids for digests are given away, those of others before it included. */
  readonly numbered?: number;
  /** A digest that it has made. */
  digest?(id: string): Digest | undefined;
}
