import { isSignedReasoning } from "../content.js";
import type { AssistantPart, Message } from "../types.js";
import { customViolations } from "./custom-pairing.js";
import { pairingViolations } from "./pairing.js";
import { emptyList } from "./rules.js";
import type { Violation } from "./violation.js";

/** What OpenAI's Responses refuse: broken pairs, and a reasoning item without the item that it led to. */
export function openaiResponsesViolations(messages: readonly Message[]): Violation[] {
  return [
    ...emptyList(messages),
    ...pairingViolations(messages),
    ...customViolations(messages, "openaiResponses"),
    ...messages.flatMap(reasoningAlone),
  ];
}

function reasoningAlone(message: Message, at: number): Violation[] {
  if (message.role !== "assistant" || typeof message.content === "string") return [];
  const last = message.content.findLastIndex(isSignedReasoning);
  if (last < 0 || message.content.slice(last + 1).some(isOutput)) return [];
  return [{ rule: "reasoning-alone", at }];
}

const isOutput = (part: AssistantPart): boolean => part.type !== "reasoning" && part.type !== "reasoning-file";
