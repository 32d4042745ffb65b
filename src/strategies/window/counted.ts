import type { Message } from "../../message/types.js";

/** A message with its tokens. */
export interface Counted<M extends Message = Message> {
  readonly message: M;
  readonly tokens: number;
  /** Where its exchange opens, for a message of the log that a stand-in shows: it keeps its place among the others. */
  readonly position?: number;
}

export const totalTokens = (counted: readonly Counted[]): number =>
  counted.reduce((sum, { tokens }) => sum + tokens, 0);
