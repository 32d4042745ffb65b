import type { Budget } from "../compaction/budget.js";
import type { WindowSettings } from "../compaction/settings.js";
import type { View, ViewRequest } from "../compaction/view.js";
import type { Digest } from "../digest/digest.js";
import type { SummaryTask } from "../digest/running-summary.js";
import type { VerifiedSummary } from "../digest/summarise-verified.js";
import type { Summariser } from "../digest/summariser.js";
import type { Log } from "../message/log.js";
import type { AnyTool, Message, ToolDefinition } from "../message/types.js";
import type { TokenCounter } from "../tokens/counter.js";
import type { ModelPrice } from "../tokens/models.js";

/** What a strategy works on: one log, one budget, one way of counting. */
export interface StrategyInput {
  readonly log: Log;
  readonly budget: Budget;
  readonly counter: TokenCounter;
  /** The model's prices, where they are known: they say whether a cut pays. */
  readonly price?: ModelPrice | undefined;
  /** Positions of the entries whose exchanges every view shows. */
  readonly pinned: () => readonly number[];
  /** Position at which the view before this start had cut, where its prefix is to stay. */
  readonly cut?: number;
  /** The long-term archive: gets what a view no longer shows. */
  readonly archive?: Archive;
  /**
   * Told that a summary is to be made, where somebody else makes it: from what `summaryTask` of the viewer says, and for
   * `takeSummary`. The viewer begins none itself then.
   */
  readonly onSummaryDue?: () => void;
}

/** A summary that is to be made, with the id of the last entry that it takes in. */
export interface PendingSummary extends SummaryTask {
  readonly last: string;
}

/**
 * Takes messages that have left the view; what it does with them is its own affair. The view waits for it, and so do the
 * views after it: it must come to an end without asking for one itself.
 */
export type Archive = (messages: readonly Message[]) => void | Promise<void>;

export interface ViewOptions {
  /** Reduces now, down to the target, also where the view still fits. */
  readonly force?: boolean;
  /** Only says what a view would be: the archive is not called, and the viewer stays as it was. */
  readonly dry?: boolean;
}

/** A strategy at work on one log. It keeps what it needs between views, such as where it cut. */
export interface Viewer {
  /** Position in the log at which the latest view's tail started. */
  readonly cut: number;
  view(request: ViewRequest, options?: ViewOptions): Promise<View>;
  /** Told when a turn has come to its end: the time for work in the background. */
  turnComplete?(): void;
  /** What a summariser has to do for the views to come; undefined where there is nothing. */
  summaryTask?(): PendingSummary | undefined;
  /** Takes over what came of it; false where the views have gone on from elsewhere since. */
  takeSummary?(task: PendingSummary, summary: VerifiedSummary): boolean;
  /** All that later views depend on, unchangeable: hand it to `restore` to go back. */
  readonly state?: unknown;
  /** Goes to a state: back to one of its own, or, where it is news, on to the latest that another process came to. */
  restore?(state: unknown, isNews?: boolean): void;
  /** A state as plain data, for a store; `load` makes it one for `restore` again, also in another process. */
  save?(state: unknown): unknown;
  load?(saved: unknown): unknown;
  /** Whether later views could tell one state from the other. */
  differs?(before: unknown, after: unknown): boolean;
  /** Tokens that a tool result may take in a view: a longer one is shortened. */
  readonly resultCap?: number;
  /** Tokens of the exchange that opens at a position, as a view shows it. */
  tokensAt?(position: number): number;
  /** A digest that some view showed. */
  digest?(id: string): Digest | undefined;
}

/** The policy that turns a log into views. */
export interface Strategy extends ContextManager {
  readonly name: string;
  /** What it was made with: a session goes by it where its own options say nothing. */
  readonly settings?: WindowSettings & { readonly archive?: Archive };
  start(input: StrategyInput): Viewer;
  /** The same with a summariser for its prose; where it takes one and has none. */
  withSummariser?(summariser: Summariser): Strategy;
}

/** A payload is a view, under the name the context-manager interface gives it. */
export type LLMPayload<Tool extends AnyTool = ToolDefinition> = View<Tool>;

/** The interface for callers that keep their own list of messages. */
export interface ContextManager {
  composePayload(
    systemPrompt: string,
    history: readonly Message[],
    tools: readonly ToolDefinition[],
    ragContext?: string,
  ): Promise<LLMPayload>;
  onTurnComplete(newHistory: readonly Message[]): Promise<void>;
}

/** A strategy that takes tools in any shape and hands them on in it, as those that come with varve do. */
export interface BuiltInStrategy extends Strategy {
  composePayload<Tool extends AnyTool = ToolDefinition>(
    systemPrompt: string,
    history: readonly Message[],
    tools: readonly Tool[],
    ragContext?: string,
  ): Promise<LLMPayload<Tool>>;
}
