import type { OptionNames } from "../message/option-names.js";
import type { Block } from "../view/block.js";
import type { Budget } from "../view/budget.js";
import type { NextCut } from "../view/next-cut.js";
import type { WindowSettings } from "../view/settings.js";
import type { Archive, Strategy } from "../view/strategy.js";
import type { ViewRequest } from "../view/view.js";
import type { SessionMemoryOptions } from "./memory/memory-options.js";
import type { SessionRequest } from "./memory/pending-requests.js";
import type { SummariserFailure } from "./summariser-failure.js";

export interface SessionOptions extends WindowSettings {
  /** What makes the views: a strategy or its name; "hierarchical" unless given. */
  readonly strategy?: string | Strategy;
  /** The long-term archive: gets the messages that a view no longer shows. */
  readonly archive?: Archive;
  /** Share of the usable tokens that all pins may take together; 0.25 unless given. */
  readonly pinBudget?: number;
  /** Milliseconds after a view for which the provider's cache is taken to hold it; 5 minutes unless given. */
  readonly cacheLifetime?: number;
  /** Whose memories views show, and whose memories the turns become; none unless given. */
  readonly memory?: SessionMemoryOptions;
  /** Makes a checkpoint each time that so many messages have come; none unless given. */
  readonly checkpointEvery?: number;
}

/** Options as a session holds them: with what its store kept of those that it cannot keep themselves. */
export interface HeldOptions extends SessionOptions {
  /** What the strategy of this name was made with, as far as it is plain data. */
  readonly strategyOptions?: Readonly<Record<string, unknown>>;
  /** Names of options that cannot be stored and were not given again: "archive", "strategy.summariser". */
  readonly missing?: readonly string[];
}

/** The names of all options. */
export const SESSION_OPTIONS: OptionNames<SessionOptions> = {
  window: true,
  model: true,
  reserve: true,
  trigger: true,
  target: true,
  maxSpend: true,
  counter: true,
  strategy: true,
  archive: true,
  pinBudget: true,
  cacheLifetime: true,
  checkpointEvery: true,
  memory: true,
};

/**
 * How a session stands: what its latest view took, whichever process made it, and what is left. As long as there is
 * none, or none since a step back, other settings or another branch, `tokens`, `percentUsed` and `leftOut` are undefined.
 */
export interface SessionStatus {
  readonly id: string;
  readonly strategy: string;
  readonly counter: string;
  /** How far the true count may lie above the counted one, as a share of it. */
  readonly errorBound: number;
  readonly budget: Budget;
  readonly entries: number;
  readonly turns: number;
  /** Entries that the latest view did not show. */
  readonly leftOut: number | undefined;
  readonly tokens: number | undefined;
  readonly blocks: readonly Block[];
  /** How far the next cut is off, by the latest view; undefined where there is none. */
  readonly nextCut: NextCut | undefined;
  /** Ids of the memories that the latest view showed. */
  readonly recalled: readonly string[];
  /** What user messages asked of the memory and waits for a yes: `session.confirm(id)` or `session.dismiss(id)`. */
  readonly requests: readonly SessionRequest[];
  /** How the summariser fails, and what stands in; undefined while it does not, or where there is none. */
  readonly summariser: SummariserFailure | undefined;
  readonly percentUsed: number | undefined;
  readonly pins: readonly string[];
  readonly receipts: number;
}

export interface AppendOptions {
  /**
   * A name of the caller's own for this append: sent again with the same name, after a lost connection for one, it is
   * not carried out a second time, and the entries of the first time are returned.
   */
  readonly key?: string;
}

export interface CompactOptions extends ViewRequest {
  /** Reduces also where the view still fits; true unless given. */
  readonly force?: boolean;
}
