/**
 * Reasoning that a provider has signed may be bound to all that stood before it: newer Claude models refuse a request in
 * which it stands under another prefix. Where a view does not begin with what the newest was written under, all goes;
 * what is thought from then on stays.
 *
 * That of others stays in any case, as it is not sent to Claude:
 * - OpenAI's newer models drop reasoning items behind a changed prefix by themselves, and take the request
 *   (https://developers.openai.com/api/docs/guides/preserved-reasoning). They refuse one whose items are torn apart: "Item
 *   'fc_1' of type 'function_call' was provided without its required 'reasoning' item: 'rs_1'".
 * - Gemini binds its signatures to no prefix. Gemini 3 wants one on the first call of each step of the current turn
 *   (https://ai.google.dev/gemini-api/docs/thought-signatures); a cut leaves steps whole, and what has none gets the one
 *   that is documented for calls of others: `gemini-steps.ts`.
 */
import type { Position } from "../message/positions.js";
import type { Message, Part } from "../message/types.js";
import type { ViewState } from "./plan.js";

const isBound = ({ type, ...part }: Part): boolean =>
  (type === "reasoning" || type === "reasoning-file") &&
  !("providerOptions" in part && (part.providerOptions?.openai ?? part.providerOptions?.google));

/** A message without such reasoning; itself where it has none. Nothing is left of one that held nothing else. */
export function withoutReasoning(message: Message): Message {
  if (message.role !== "assistant" || typeof message.content === "string") return message;
  const content = message.content.filter((part) => !isBound(part));
  return content.length === message.content.length ? message : { ...message, content };
}

export const hasReasoning = (message: Message): boolean => withoutReasoning(message) !== message;

/** Whether reasoning of an exchange that opens here is not sent. */
export const isUnthought = ({ unthought }: ViewState, at: Position): boolean => at < unthought;
