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
 * - cache marks are not kept: `toAnthropic(view, { cache: true })` sets those of a request;
 * - a field whose value is `undefined` counts as absent; other fields of the prompt (`model`, `tools` …) are not read.
 *
 * Messages of other formats: leading system messages are the system prompt, one block each; later ones become user
 * text in `<system-note>` tags, which what the user and tools say may not have. Foreign reasoning and provider-executed calls with their results are left out. Of foreign
 * custom parts the texts are said, those of the assistant where it says nothing else, and so are its files; media that
 * the API refuses are said in words. Arguments that are no object go as `{ input: … }`. A call that was approved or denied and has no
 * result yet gets one that says so.
 */
import { invalidOption } from "../errors.js";
import { checkNames, type OptionNames } from "../message/option-names.js";
import { isObject } from "../message/plain-value.js";
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

export interface ToAnthropicOptions {
  /** Whether to mark the request for the prompt cache. */
  readonly cache?: boolean;
  /** How long what is marked stays there: 5 minutes unless given, or an hour, at a higher price. */
  readonly ttl?: "5m" | "1h";
}

/** Messages with what is known of them: a view. */
export interface ShownMessages {
  readonly messages: readonly Message[];
  readonly tools?: readonly unknown[];
  readonly plan?: { readonly items: readonly { readonly kind: string; readonly message?: Message }[] };
}

/**
 * Writes messages, or a view, as the `system` and `messages` of a Messages request. With `cache` it has up to four cache
 * marks: behind the system prompt, and with it the tools, which stand before it; behind the notes of a view; where the
 * request before ended; and at the end. Tools of a view that are marked already count among the four.
 *
 * @example
 * ```ts
 * const { system, messages } = toAnthropic([
 *   { role: "system", content: "Be brief." },
 *   { role: "user", content: "Hello" },
 * ]);
 * ```
 */
export function toAnthropic(
  shown: readonly Message[] | ShownMessages,
  options: ToAnthropicOptions = {},
): AnthropicPrompt {
  const { cache = false, ttl } = checkNames(options, OPTIONS, "toAnthropic") as ToAnthropicOptions;
  if (typeof cache !== "boolean") throw invalidOption({ option: "cache", value: cache, allowed: "true or false" });
  if (ttl !== undefined && ttl !== "5m" && ttl !== "1h")
    throw invalidOption({ option: "ttl", value: ttl, allowed: '"5m" or "1h"' });
  const {
    messages,
    plan,
    tools = [],
  } = isObject(shown) ? (shown as ShownMessages) : { messages: shown as readonly Message[] };
  checkMessages(messages);
  const notes = plan?.items.find(({ kind }) => kind === "notes")?.message?.content;
  return encodePrompt(
    messages,
    undefined,
    cache ? { notes: typeof notes === "string" ? notes : undefined, ttl, tools } : undefined,
  );
}

const OPTIONS: OptionNames<ToAnthropicOptions> = { cache: true, ttl: true };
