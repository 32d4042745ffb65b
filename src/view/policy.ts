import type { Position } from "../message/positions.js";
import type { EntryScore } from "../notes/importance.js";
import type { ModelPrice } from "../tokens/models.js";
import type { Budget } from "./budget.js";
import type { Cover, ViewState } from "./plan.js";
import type { Reading } from "./reading.js";
import type { ViewRequest } from "./view.js";

/** What a model demands of reasoning that it has signed. */
export type ThinkingRule = "bound" | "opens-turn";

/** What a plan is made from. */
export interface PlanInput {
  readonly reading: Reading;
  readonly budget: Budget;
  readonly state: ViewState;
  readonly request: ViewRequest;
  /** The model's prices, where they are known: they say whether a cut pays. */
  readonly price?: ModelPrice | undefined;
  readonly thinking?: ThinkingRule | undefined;
  /** Positions of the entries whose exchanges every view shows. */
  readonly pinned: readonly Position[];
  /** Reduces now, down to the target, also where the view still fits. */
  readonly force?: boolean;
  /** Cuts only where the view does not fit: what was taken back does not come again until the log has grown. */
  readonly held?: boolean;
}

/** What distinguishes one strategy's views from another's. */
export interface Policy {
  /** Names the strategy in receipts. */
  readonly name: string;
  /** Messages at the end that a cut spares as long as they fit. */
  readonly lockLast: number;
  /** Share of the usable tokens that one tool result may take. */
  readonly resultShare: number;
  /** Whether a cut clears old results of the last turn where that keeps the turn together. */
  readonly clears: boolean;
  /** Why it cuts, for receipts; the window unless given. */
  readonly reason?: string;
  readonly past: PastPolicy;
  /** Position of the cut that a tail is due for, though it fits; undefined where it is not due. */
  readonly due?: (tail: readonly TailExchange[]) => Position | undefined;
  /** What a tail may have before it is due, where that can be told in numbers. */
  readonly limits?: { readonly turns?: number; readonly entries?: number; readonly tokens?: number };
  /** Why such a cut is made, for receipts; a threshold unless given. */
  readonly dueReason?: string;
  /** The position up to which what stands in for the past is there, where it is made in the background. */
  readonly prepared?: (own: unknown) => Position;
}

/** An exchange of the tail, as thresholds measure it. */
export interface TailExchange {
  readonly at: Position;
  /** The same number for all exchanges of one turn. */
  readonly turn: number;
  readonly entries: number;
  readonly tokens: number;
}

/** What stands in for the part of the log before the cut. */
export interface PastPolicy {
  /** The most tokens that it takes of those which system prompt, tools and context leave. */
  readonly bound: (input: PlanInput, room: number) => number;
  /** Its text, and what the next cut goes on from. */
  readonly write: (
    input: PastInput,
  ) => { readonly text: string; readonly covers: readonly Cover[]; readonly made?: unknown } | undefined;
  /** Exchanges from before the cut that are shown in full because they matter. */
  readonly keep?: (input: KeepInput) => readonly Position[];
  /** How much each entry matters, where that decides what is kept. */
  readonly scores?: (input: PlanInput) => readonly EntryScore[];
  /** What the text depends on beside the cut: another stamp, another text. */
  readonly stamp?: (own: unknown) => string;
  /** Whether it is shown where nothing is left out as well. */
  readonly always?: boolean;
  /** Tokens that a summariser writes for a cut, where one does. */
  readonly written?: (input: Pick<PlanInput, "budget">) => number;
  /** Stands in the system prompt's role, as spec 1 shows it: for texts that hold no word of a tool. */
  readonly role?: "system" | "user";
}

export interface KeepInput {
  readonly plan: PlanInput;
  /** The cut that comes. */
  readonly cut: Position;
  /** Tokens that system prompt, tools and context leave. */
  readonly room: number;
  readonly isShown: (at: Position) => boolean;
}

export interface PastInput {
  readonly plan: PlanInput;
  readonly cut: Position;
  /** Entries before the cut that the view does not show. */
  readonly leftOut: number;
  /** Whether an entry from before the cut is shown all the same, and those that are. */
  readonly isShown: (at: Position) => boolean;
  readonly shown: readonly Position[];
  /** Tokens that the view has left for it, and those that system prompt, tools and context leave. */
  readonly room: number;
  readonly space: number;
}
