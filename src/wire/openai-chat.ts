/**
 * OpenAI Chat Completions. `toOpenAI(fromOpenAI(messages))` gives the messages back, but for these:
 *
 * - a field whose value is `undefined` counts as absent;
 * - a field named `__proto__` is left out;
 * - what the API refuses is mended: a message of the assistant that says and calls nothing is left out, and empty lists
 *   are; of more than 128 calls in a message the others follow in messages of their own, behind the results of the first;
 * - names of tools hold 64 letters, digits, `_` and `-`, and ids of calls 40 characters.
 *
 * Messages of other formats: media in a tool's output follow in a user message after the results, since a tool message
 * holds text only; foreign reasoning and provider-executed calls with their results are left out. Of foreign custom
 * parts the texts are said, those of the assistant where it says nothing else, and so are its files. A call that was
 * approved or denied and has no result yet gets one that says so; the result of a call without an id has none. A file
 * without a name is sent under one by its type. Media that OpenAI refuses are said in words; those that came in this
 * format go back as they came.
 */
import { checkMessages } from "../message/seal-message.js";
import type { Message } from "../message/types.js";
import { decodeMessages } from "./openai-chat-decode.js";
import { encodeMessages } from "./openai-chat-encode.js";
import type { OpenAIMessage } from "./openai-chat-types.js";
import { expectList } from "./value.js";

/**
 * Reads the `messages` of a Chat Completions request.
 *
 * @example
 * ```ts
 * const messages = fromOpenAI([
 *   { role: "user", content: "What is the weather in Paris?" },
 *   { role: "assistant", content: null, tool_calls: [{ id: "c1", type: "function", function: { name: "weather", arguments: '{"city":"Paris"}' } }] },
 *   { role: "tool", tool_call_id: "c1", content: "18 °C" },
 * ]);
 * messages[2].content[0].toolName; // "weather"
 * ```
 */
export function fromOpenAI(messages: unknown): Message[] {
  return decodeMessages(expectList(messages, "OpenAI"));
}

/**
 * Writes messages as the `messages` of a Chat Completions request.
 *
 * @example
 * ```ts
 * toOpenAI([{ role: "user", content: "Hello" }]); // [{ role: "user", content: "Hello" }]
 * ```
 */
export function toOpenAI(messages: readonly Message[]): OpenAIMessage[] {
  checkMessages(messages);
  return encodeMessages(messages);
}
