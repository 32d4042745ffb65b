import type { Message, ToolDefinition } from "../message/types.js";

/**
 * Counts tokens for one model. `errorBound` says how far the true count may lie above the number given, as a
 * fraction of it: 0 where the tokenizer is public, at most 0.1 where it is estimated. Budgets plan with it.
 */
export interface TokenCounter {
  /** Names the tokenizer and its calibration; counts of two counters with one name agree. */
  readonly name: string;
  readonly errorBound: number;
  /** What reported usage corrects the count by, already in every number given; absent or 1 where nothing does. */
  readonly factor?: number;
  text(text: string): number;
  /** A message with its overhead, its calls and its media. */
  message(message: Message): number;
  tools(tools: readonly ToolDefinition[]): number;
}
