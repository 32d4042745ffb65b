import type { Message } from "../../message/types.js";

/** A message with its tokens. */
export interface Counted<M extends Message = Message> {
  readonly message: M;
  readonly tokens: number;
}

export const totalTokens = (counted: readonly Counted[]): number =>
  counted.reduce((sum, { tokens }) => sum + tokens, 0);
