/**
 * OpenAI Responses. `toOpenAIResponses(fromOpenAIResponses(items))` gives the items back, but for these:
 *
 * - an input that is a string becomes a list with one user message;
 * - a field whose value is `undefined` counts as absent, and one named `__proto__` is left out;
 * - the output of a custom call is a custom output, for the API refuses any other;
 * - what the API refuses is mended: the id of a call that another call has already gets a number behind it, with its
 *   output; of two items with one id the second has none, or is left out where it needs one; reasoning that leads to
 *   nothing is left out; an empty list is an empty text, or its message is left out;
 * - names of tools hold 64 letters, digits, `_` and `-`, and ids of calls 64 characters.
 *
 * All items of the assistant between two inputs (reasoning, messages, calls, and items of types unknown here) are one
 * message, so that a call stays with the reasoning that led to it. Messages of other formats: foreign reasoning and
 * provider-executed calls with their results are left out. Of foreign custom parts the texts are said, those of the
 * assistant where it says nothing else, and so are its files. A call that was approved or denied and has no result yet
 * gets one that says so. A file without a name is sent under one by its type. Media that
 * OpenAI refuses are said in words; those that came in this format go back as they came.
 */
import { checkMessages } from "../message/seal-message.js";
import type { Message } from "../message/types.js";
import { decodeItems } from "./openai-responses-decode.js";
import { encodeItems } from "./openai-responses-encode.js";
import type { ResponsesItem } from "./openai-responses-types.js";

/**
 * Reads the `input` of a Responses request, or the `output` of a response.
 *
 * @example
 * ```ts
 * fromOpenAIResponses([
 *   { role: "user", content: "What is the weather in Paris?" },
 *   { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "gAAA" },
 *   { type: "function_call", id: "fc_1", call_id: "c1", name: "weather", arguments: '{"city":"Paris"}' },
 *   { type: "function_call_output", call_id: "c1", output: "18 °C" },
 * ]); // a user message, an assistant message with two parts, a tool message
 * ```
 */
export function fromOpenAIResponses(items: unknown): Message[] {
  return decodeItems(items);
}

/**
 * Writes messages as the `input` of a Responses request.
 *
 * @example
 * ```ts
 * toOpenAIResponses([{ role: "user", content: "Hello" }]); // [{ role: "user", content: "Hello" }]
 * ```
 */
export function toOpenAIResponses(messages: readonly Message[]): ResponsesItem[] {
  checkMessages(messages);
  return encodeItems(messages);
}
