import type { AnyTool, Message, ToolDefinition } from "../message/types.js";
import type { VerifiedSummary } from "../notes/summarise-verified.js";
import type { Summariser } from "../notes/summariser.js";
import type { Plan } from "./plan.js";
import type { PlanInput, Policy } from "./policy.js";
import type { WindowSettings } from "./settings.js";
import type { View } from "./view.js";

/**
 * Takes messages that have left the view; what it does with them is its own affair. The view waits for it, and so do the
 * views after it: it must come to an end without asking for one itself.
 */
export type Archive = (messages: readonly Message[]) => void | Promise<void>;

/** Work that views do not wait for, such as prose that a model writes: later views show what came of it. */
export interface Work {
  /** Names what it takes in: the same work is not begun twice. */
  readonly id: string;
  /** Whether the next view waits for it, and tells where it failed. */
  readonly isAwaited?: boolean;
  /** What the strategy keeps of its own once it is done; the summariser given makes it, or that of the strategy. */
  run(options: BackgroundOptions): Promise<unknown>;
}

export interface BackgroundOptions {
  readonly summariser?: Summariser;
  readonly signal?: AbortSignal;
  /** Told of every summary that was made, and of what was wrong with those that were not used. */
  readonly onSummary?: (summary: VerifiedSummary) => void;
}

export type WorkInput = Pick<PlanInput, "reading" | "budget" | "state" | "held">;

/** The policy that turns a log into views: it plans, and keeps nothing between two plans but what a state holds. */
export interface Strategy extends ContextManager {
  readonly name: string;
  /** What it was made with: a session goes by it where its own options say nothing. */
  readonly settings?: WindowSettings & { readonly archive?: Archive };
  /** What distinguishes its views, for those that come with varve. */
  readonly policy?: Policy;
  plan(input: PlanInput): Plan | Promise<Plan>;
  /** What there is to do in the background; undefined where there is nothing. */
  work?(input: WorkInput): Work | undefined;
  /** The same with a summariser for its prose; where it takes one and has none. */
  withSummariser?(summariser: Summariser): Strategy;
  /** What is known before the first message. */
  readonly own?: unknown;
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
