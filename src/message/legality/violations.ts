import { invalidOption } from "../../errors.js";
import { checkMessages } from "../seal-message.js";
import type { Message } from "../types.js";
import { anthropicViolations } from "./anthropic.js";
import { geminiViolations } from "./gemini.js";
import { openaiChatViolations } from "./openai-chat.js";
import { openaiResponsesViolations } from "./openai-responses.js";
import type { Violation } from "./violation.js";

const RULES = {
  "openai-chat": openaiChatViolations,
  "openai-responses": openaiResponsesViolations,
  anthropic: anthropicViolations,
  gemini: geminiViolations,
} as const;

export type Provider = keyof typeof RULES;

export const PROVIDERS = Object.keys(RULES) as readonly Provider[];

/**
 * The rules of a provider that a list of messages breaks; empty where the provider would accept it.
 *
 * @example
 * ```ts
 * violations([{ role: "assistant", content: "Hello" }], "anthropic"); // [{ rule: "first-not-user", at: 0 }]
 * ```
 */
export function violations(messages: readonly Message[], provider: Provider): Violation[] {
  checkMessages(messages);
  if (!Object.hasOwn(RULES, provider))
    throw invalidOption({ option: "provider", value: provider, allowed: `one of ${PROVIDERS.join(", ")}` });
  return RULES[provider](messages);
}
