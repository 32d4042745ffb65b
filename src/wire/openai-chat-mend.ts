/** What of an encoded conversation Chat Completions would refuse, and what is sent instead. */
import { isObject } from "../message/plain-value.js";
import type { OpenAIMessage, OpenAIToolCall, OpenAIToolMessage } from "./openai-chat-types.js";
import { shortened } from "./sendable-text.js";

/** Messages in one request, and calls in one message; `legality/openai-chat.ts` says whence. */
export const CHAT_MESSAGES = 2048;
export const CHAT_CALLS = 128;
export const CHAT_IDS = shortened(40);

/** The messages without those that say nothing, empty lists that may not be there, and more calls than a message may have. */
export function mendMessages(messages: readonly OpenAIMessage[]): OpenAIMessage[] {
  const mended: OpenAIMessage[] = [];
  for (let at = 0; at < messages.length; at++) {
    const message = withoutEmptyLists(messages[at]!);
    if (isEmptyMessage(message)) continue;
    mended.push(message);
    if (message.role !== "assistant" || !(message.tool_calls && message.tool_calls.length > CHAT_CALLS)) continue;
    const results: OpenAIToolMessage[] = [];
    for (let next = messages[at + 1]; next?.role === "tool"; next = messages[++at + 1])
      results.push(withoutEmptyLists(next) as OpenAIToolMessage);
    mended.push(...inTurns(message.tool_calls, results));
    message.tool_calls = message.tool_calls.slice(0, CHAT_CALLS);
  }
  return mended;
}

/** The results of a batch that is too large, and after those of each part of it a message with the next. */
function inTurns(calls: readonly OpenAIToolCall[], results: readonly OpenAIToolMessage[]): OpenAIMessage[] {
  const parts: OpenAIMessage[][] = [];
  const partOf = new Map<string, OpenAIMessage[]>();
  for (let at = 0; at < calls.length; at += CHAT_CALLS) {
    const own = calls.slice(at, at + CHAT_CALLS);
    const part: OpenAIMessage[] = at === 0 ? [] : [{ role: "assistant", content: null, tool_calls: own }];
    for (const { id } of own) partOf.set(id, part);
    parts.push(part);
  }
  for (const result of results) (partOf.get(result.tool_call_id) ?? parts.at(-1)!).push(result);
  return parts.flat();
}

/** A message of the assistant must say or call something; a list must hold something. */
export function isEmptyMessage(message: OpenAIMessage): boolean {
  const { role, content } = message;
  if (Array.isArray(content) && content.length === 0) return true;
  if (role !== "assistant" || "audio" in message) return false;
  const { tool_calls: calls, function_call: call, refusal } = message;
  const isSaid = typeof content === "string" ? content.trim() !== "" : Array.isArray(content);
  return !isSaid && !(calls && calls.length > 0) && !call && !refusal;
}

/** The message is the encoder's own, and is changed in place. */
function withoutEmptyLists(message: OpenAIMessage): OpenAIMessage {
  const { role, content } = message;
  if (role === "assistant" && Array.isArray(message.tool_calls) && message.tool_calls.length === 0)
    delete message.tool_calls;
  if (!Array.isArray(content) || content.length > 0) return message;
  if (role === "tool") message.content = "";
  if (role === "assistant" && isObject(message.tool_calls?.[0])) message.content = null;
  return message;
}
