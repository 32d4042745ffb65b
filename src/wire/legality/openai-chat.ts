import { isObject } from "../../message/plain-value.js";
import { isOpenAIName } from "../openai-calls.js";
import { CHAT_CALLS, CHAT_IDS, CHAT_MESSAGES, isEmptyMessage } from "../openai-chat-mend.js";
import type { OpenAIMessage } from "../openai-chat-types.js";
import { type PairEvent, pairFaults } from "./pairing.js";
import type { Fault } from "./violation.js";

/**
 * What OpenAI's Chat Completions refuse, in the words of the API where it has some for it:
 *
 * - `no-messages`: "Invalid 'messages': empty array. Expected an array with minimum length 1"
 * - `too-many-messages`: "$.messages is too long. Maximum length is 2048, but got 4968 items."
 * - `blank-message`: "Invalid value for 'content': expected a string, got null.", "… empty array. Expected an array with
 *   minimum length 1"; an assistant message has content unless it has calls (reference of `messages`)
 * - `empty-calls`: "Invalid 'messages[2].tool_calls': empty array. Expected an array with minimum length 1"
 * - `too-many-calls`: "Invalid 'messages[3].tool_calls': array too long. Expected an array with maximum length 128"
 * - `call-id`: "Invalid 'messages[2].tool_calls[0].id': string too long. Expected a string with maximum length 40"
 * - `tool-name`: "Invalid 'messages[1].tool_calls[0].function.name': string does not match pattern. Expected a string that
 *   matches the pattern '^[a-zA-Z0-9_-]+$'", 64 characters at most (reference of `tools`)
 * - `unanswered-call`, `duplicate-call-id`: "An assistant message with 'tool_calls' must be followed by tool messages
 *   responding to each 'tool_call_id'."
 * - `orphan-result`, `answered-twice`: "messages with role 'tool' must be a response to a preceeding message with
 *   'tool_calls'."
 */
export function openaiChatFaults(messages: readonly OpenAIMessage[]): Fault[] {
  const spoken = messages.some(({ role }) => role !== "system");
  return [
    ...(spoken ? [] : [{ rule: "no-messages", at: [] }]),
    ...messages.slice(CHAT_MESSAGES, CHAT_MESSAGES + 1).map((at) => ({ rule: "too-many-messages", at: [at] })),
    ...pairFaults(messages.flatMap(events)),
    ...messages.flatMap((message) => messageRules(message).map((rule) => ({ rule, at: [message] }))),
  ];
}

function events(message: OpenAIMessage): PairEvent[] {
  if (message.role === "tool")
    return typeof message.tool_call_id === "string" ? [{ result: message.tool_call_id, at: [message] }] : [];
  return ["settle", ...idsOf(message).map((call) => ({ call, at: [message] }))];
}

/** Servers that know no ids send calls without; so does the older `function_call`. */
const idsOf = (message: OpenAIMessage): string[] =>
  callsOf(message).flatMap(({ id }) => (typeof id === "string" ? [id] : []));

const callsOf = (message: OpenAIMessage) =>
  message.role === "assistant" && Array.isArray(message.tool_calls) ? message.tool_calls.filter(isObject) : [];

function messageRules(message: OpenAIMessage): string[] {
  const calls = callsOf(message);
  const named = calls.map((call) => ("custom" in call ? call.custom : call.function));
  if (message.role === "assistant" && message.function_call) named.push(message.function_call);
  const names = named.filter(isObject).map(({ name }) => name);
  const ids = message.role === "tool" ? [message.tool_call_id] : calls.map(({ id }) => id);
  return [
    ...(isEmptyMessage(message) ? ["blank-message"] : []),
    ...(message.role === "assistant" && message.tool_calls?.length === 0 ? ["empty-calls"] : []),
    ...(calls.length > CHAT_CALLS ? ["too-many-calls"] : []),
    ...(ids.some((id) => typeof id === "string" && id.length > CHAT_IDS.longest) ? ["call-id"] : []),
    ...(names.some((name) => typeof name === "string" && !isOpenAIName(name)) ? ["tool-name"] : []),
  ];
}
