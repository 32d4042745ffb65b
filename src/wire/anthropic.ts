/**
 * Anthropic Messages. `toAnthropic(fromAnthropic(prompt))` gives `system` and `messages` back, but for these:
 *
 * - neighbouring messages of one role become one, as the API itself reads them, and string content then becomes blocks;
 *   thinking that would then stand behind other blocks is left out, for the API refuses a message with it elsewhere;
 * - tool results stand before the other blocks of their message, as the API demands;
 * - blank text blocks, blocks that are no object, and messages and system prompts left with nothing are left out,
 *   for the API refuses them; so it does images and documents of the assistant, which are said in words;
 * - so it does messages that end in thinking, which is left out, white space at the end of a last message of the
 *   assistant, and failed calls that say nothing, which are said to have failed;
 * - images of more than 5 MB or 8,000 pixels, or 2,000 where there are more than 20, and the oldest of more than 100 images
 *   and documents, are said in words;
 * - calls of tools that Anthropic runs itself are left out where the user spoke since and no result is there;
 * - names of tools hold 128 letters, digits, `_` and `-`: another character becomes `_`;
 * - ids of calls hold letters, digits, `_` and `-` only, and each stands once in a request: another character becomes
 *   `_`, and an id that is taken gets a number behind it, with the result of its call;
 * - of more than four cache marks, which the API refuses, four stay: those of the system prompt, of which the first, and
 *   the newest of the messages, of which one at least;
 * - a field whose value is `undefined` counts as absent; other fields of the prompt (`model`, `tools` …) are not read.
 *
 * Messages of other formats: leading system messages are the system prompt, one block each; later ones become user
 * text in `<system>` tags. Foreign reasoning and provider-executed calls with their results are left out. Of foreign
 * custom parts the texts are said, those of the assistant where it says nothing else, and so are its files; media that
 * the API refuses are said in words. Arguments that are no object go as `{ input: … }`. A call that was approved or denied and has no
 * result yet gets one that says so.
 */
import { checkMessages } from "../message/seal-message.js";
import type { Message } from "../message/types.js";
import { decodePrompt } from "./anthropic-decode.js";
import { encodePrompt } from "./anthropic-encode.js";
import type { AnthropicPrompt } from "./anthropic-types.js";

/**
 * Reads the `messages` of a Messages request, or its `system` and `messages` together.
 *
 * @example
 * ```ts
 * fromAnthropic({ system: "Be brief.", messages: [{ role: "user", content: "Hello" }] });
 * // [{ role: "system", content: "Be brief." }, { role: "user", content: "Hello" }]
 * ```
 */
export function fromAnthropic(prompt: unknown): Message[] {
  return decodePrompt(prompt);
}

/**
 * Writes messages as the `system` and `messages` of a Messages request.
 *
 * @example
 * ```ts
 * const { system, messages } = toAnthropic([
 *   { role: "system", content: "Be brief." },
 *   { role: "user", content: "Hello" },
 * ]);
 * ```
 */
export function toAnthropic(messages: readonly Message[]): AnthropicPrompt {
  checkMessages(messages);
  return encodePrompt(messages);
}
