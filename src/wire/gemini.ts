/**
 * Gemini `generateContent`. `toGemini(fromGemini(prompt))` gives `systemInstruction` and `contents` back, but for these:
 *
 * - neighbouring contents of one role become one, so that all responses to a turn's calls stand together;
 * - empty texts without a signature, parts that are no object, and contents and instructions left with nothing are
 *   left out, for the API refuses them;
 * - names of functions hold 64 letters, digits and `_`, `.`, `:`, `-`, and begin with a letter or `_`: another character
 *   becomes `_`;
 * - a field whose value is `undefined` counts as absent; other fields of the prompt (`tools` …) are not read.
 *
 * Fields may be spelled in camel case or, as the REST interface allows, in snake case; each is written as it came.
 *
 * A call without id gets one from its place, and a response without id that of the first open call of its name in
 * the latest content with calls; both are taken away again. Messages of other formats: leading system messages are the
 * instruction, one part each; later ones become user text in `<system-note>` tags. Foreign reasoning and provider-executed
 * calls with their results are left out. Of foreign custom parts the texts are said, those of the assistant where it
 * says nothing else; files that another provider keeps are named. A response has the name of its call. A call that was approved or denied and has no result yet gets one that says so.
 *
 * Gemini 3 refuses a step of the current turn whose first call has no signature. Where Gemini did not make the call, or
 * its arguments were shortened since, the value stands there that the API documents for calls of other models; a call
 * that came unsigned in this format goes back unsigned.
 */
import { checkMessages } from "../message/seal-message.js";
import type { Message } from "../message/types.js";
import { decodePrompt } from "./gemini-decode.js";
import { encodePrompt } from "./gemini-encode.js";
import type { GeminiPrompt } from "./gemini-types.js";

/**
 * Reads the `contents` of a Gemini request, or its `systemInstruction` and `contents` together.
 *
 * @example
 * ```ts
 * fromGemini([{ role: "user", parts: [{ text: "Hello" }] }]); // [{ role: "user", content: "Hello" }]
 * ```
 */
export function fromGemini(prompt: unknown): Message[] {
  return decodePrompt(prompt);
}

/**
 * Writes messages as the `systemInstruction` and `contents` of a Gemini request.
 *
 * @example
 * ```ts
 * const { systemInstruction, contents } = toGemini([
 *   { role: "system", content: "Be brief." },
 *   { role: "user", content: "Hello" },
 * ]);
 * ```
 */
export function toGemini(messages: readonly Message[]): GeminiPrompt {
  checkMessages(messages);
  return encodePrompt(messages);
}
