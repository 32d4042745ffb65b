import type { Message } from "../message/types.js";
import type { TokenCounter } from "../tokens/counter.js";

/** Tokens of a list of messages. */
export const countMessages = (messages: readonly Message[], counter: TokenCounter): number =>
  messages.reduce((sum, message) => sum + counter.message(message), 0);
