import type { Message } from "../types.js";
import { pairingViolations } from "./pairing.js";
import { blankMessages, emptyList } from "./rules.js";
import type { Violation } from "./violation.js";

/** What OpenAI's chat completions refuse: broken pairs of calls and results, messages without content. */
export function openaiChatViolations(messages: readonly Message[]): Violation[] {
  return [...emptyList(messages), ...pairingViolations(messages), ...blankMessages(messages)];
}
