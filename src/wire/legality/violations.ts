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

interface ProviderRules {
  faults(messages: readonly Message[], origins: Origins): Fault[];
  /** Whether a system message may stand inside the conversation. */
  readonly lateSystem: boolean;
}

const RULES = {
  "openai-chat": {
    faults: (messages, origins) => openaiChatFaults(encodeMessages(messages, origins)),
    lateSystem: true,
  },
  "openai-responses": {
    faults: (messages, origins) => openaiResponsesFaults(encodeItems(messages, origins)),
    lateSystem: true,
  },
  anthropic: { faults: (messages, origins) => anthropicFaults(encodeAnthropic(messages, origins)), lateSystem: false },
  gemini: { faults: (messages, origins) => geminiFaults(encodeGemini(messages, origins)), lateSystem: false },
} as const satisfies Record<string, ProviderRules>;

export type Provider = keyof typeof RULES;

export const PROVIDERS = Object.keys(RULES) as readonly Provider[];

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
  if (typeof provider !== "string" || !Object.hasOwn(RULES, provider))
    throw invalidOption({ option: "provider", value: provider, allowed: `one of ${PROVIDERS.join(", ")}` });
  const { faults, lateSystem }: ProviderRules = RULES[provider];
  const origins: Origins = new Map();
  const found = faults(messages, origins);
  const positions = new Map(messages.map((message, at) => [message, at]));
  const positionOf = (at: Fault["at"]): number => {
    const known = at.find((each) => origins.has(each));
    return positions.get(origins.get(known)!) ?? 0;
  };
  const late = lateSystem ? [] : lateSystemMessages(messages);
  return [...late, ...found.map(({ rule, at }) => ({ rule, at: positionOf(at) }))];
}

/** Formats with one place for the system prompt cannot say where inside the conversation a later one stood. */
function lateSystemMessages(messages: readonly Message[]): Violation[] {
  const first = messages.findIndex((message) => message.role !== "system");
  return messages.flatMap((message, at) =>
    first >= 0 && at > first && message.role === "system" ? [{ rule: "late-system", at }] : [],
  );
}
