import { invalidOption } from "../../errors.js";
import { checkMessages } from "../../message/seal-message.js";
import type { Message } from "../../message/types.js";
import { encodePrompt as encodeAnthropic } from "../anthropic-encode.js";
import { encodePrompt as encodeGemini } from "../gemini-encode.js";
import { encodeMessages } from "../openai-chat-encode.js";
import { encodeItems } from "../openai-responses-encode.js";
import type { Origins } from "../origins.js";
import { anthropicFaults } from "./anthropic.js";
import { geminiFaults } from "./gemini.js";
import { openaiChatFaults } from "./openai-chat.js";
import { openaiResponsesFaults } from "./openai-responses.js";
import type { Fault, Violation } from "./violation.js";

type Faults = (messages: readonly Message[], origins: Origins) => Fault[];

const FAULTS = {
  "openai-chat": (messages, origins) => openaiChatFaults(encodeMessages(messages, origins)),
  "openai-responses": (messages, origins) => openaiResponsesFaults(encodeItems(messages, origins)),
  anthropic: (messages, origins) => anthropicFaults(encodeAnthropic(messages, origins)),
  gemini: (messages, origins) => geminiFaults(encodeGemini(messages, origins)),
} as const satisfies Record<string, Faults>;

export type Provider = keyof typeof FAULTS;

export const PROVIDERS = Object.keys(FAULTS) as readonly Provider[];

/**
 * The rules of a provider that a list of messages breaks as it is encoded for it; empty where the provider would take
 * what `toOpenAI` and its siblings write.
 *
 * @example
 * ```ts
 * violations([{ role: "assistant", content: "Hello" }], "anthropic"); // [{ rule: "first-not-user", at: 0 }]
 * ```
 */
export function violations(messages: readonly Message[], provider: Provider): Violation[] {
  checkMessages(messages);
  if (typeof provider !== "string" || !Object.hasOwn(FAULTS, provider))
    throw invalidOption({ option: "provider", value: provider, allowed: `one of ${PROVIDERS.join(", ")}` });
  const origins: Origins = new Map();
  const found = FAULTS[provider](messages, origins);
  const positions = new Map(messages.map((message, at) => [message, at]));
  const positionOf = (at: Fault["at"]): number => {
    const known = at.find((each) => origins.has(each));
    return positions.get(origins.get(known)!) ?? 0;
  };
  return found.map(({ rule, at }) => ({ rule, at: positionOf(at) }));
}
