/**
 * AI SDK `ModelMessage`. It is the canonical form, so both ways are copies; `toAISDK(fromAISDK(messages))` gives the
 * messages of AI SDK 5, 6 and 7 back, but for media in a tool's output of version 5, which take their later names. The
 * parts of AI SDK 4 are read under their names of today.
 *
 * What the AI SDK has no place for is left out on the way back: the bytes of a call's arguments, reasoning files that are
 * references or text, and content of a tool that is neither text nor media. Of custom parts of a wire format, in user
 * messages and in the output of tools, the texts are said.
 */
import { messageProblem } from "../message/check-message.js";
import { systemNote } from "../message/foreign-text.js";
import { isObject } from "../message/plain-value.js";
import { checkMessages, sealMessage } from "../message/seal-message.js";
import type { Message } from "../message/types.js";
import { encodeMessage } from "./ai-sdk-encode.js";
import { modernOptions, modernPart } from "./ai-sdk-legacy.js";
import type { AISDKMessage, AISDKPrompt } from "./ai-sdk-types.js";
import { unposed } from "./unposed.js";
import { expectList, expectObject, invalidMessage, type WireObject } from "./value.js";
import { type WellFormed, wellFormedOf } from "./well-formed.js";

/** Messages that are known to be well-formed as this format writes them. */
const WELL_FORMED: WellFormed = new WeakSet();

const FORMAT = "AI SDK";

/**
 * Reads messages of the AI SDK.
 *
 * @example
 * ```ts
 * fromAISDK([{ role: "user", content: [{ type: "text", text: "Hello" }] }]);
 * ```
 */
export function fromAISDK(messages: unknown): Message[] {
  return expectList(messages, FORMAT).map((message, index) =>
    decodeMessage(expectObject(message, FORMAT, index), index),
  );
}

/**
 * Writes messages for the AI SDK, the system prompt among them. AI SDK 7 refuses that unless told otherwise:
 * `generateText({ model, messages: toAISDK(view.messages), allowSystemInMessages: true })`, or see `toAISDKPrompt`.
 *
 * @example
 * ```ts
 * toAISDK([{ role: "user", content: "Hello" }]); // [{ role: "user", content: "Hello" }]
 * ```
 */
export function toAISDK(messages: readonly Message[]): AISDKMessage[] {
  checkMessages(messages);
  return messages.map((message) => wellFormedOf(message, encodeMessage(message), WELL_FORMED));
}

/**
 * Writes messages for AI SDK 7 with the system prompt apart: `generateText({ model, ...toAISDKPrompt(view.messages) })`.
 * System messages inside the conversation become user text in `<system-note>` tags. AI SDK 6 calls `instructions` `system`.
 *
 * @example
 * ```ts
 * const { instructions, messages } = toAISDKPrompt([
 *   { role: "system", content: "Be brief." },
 *   { role: "user", content: "Hello" },
 * ]);
 * ```
 */
export function toAISDKPrompt(messages: readonly Message[]): AISDKPrompt {
  const encoded = toAISDK(messages);
  const start = encoded.findIndex((message) => message.role !== "system");
  const leading = start < 0 ? encoded : encoded.slice(0, start);
  const instructions = leading.filter((message) => message.role === "system");
  const rest = start < 0 ? [] : encoded.slice(start).map(inConversation);
  return instructions.length === 0 ? { messages: rest } : { instructions, messages: rest };
}

const inConversation = (message: AISDKMessage): AISDKPrompt["messages"][number] =>
  message.role === "system" ? { role: "user", content: systemNote(message.content) } : unposed(message, message);

function decodeMessage(wire: WireObject, index: number): Message {
  const { content } = wire;
  const modern = { ...modernOptions(wire), content: Array.isArray(content) ? content.map(decodePart) : content };
  const problem = messageProblem(modern);
  if (problem === undefined) return sealMessage(modern, index);
  const hint =
    "The role is system, user, assistant or tool; a part has a type and what it demands, such as toolCallId and toolName.";
  throw invalidMessage({ format: FORMAT, index, problem, hint });
}

const decodePart = (part: unknown): unknown => (isObject(part) ? modernPart(part) : part);
