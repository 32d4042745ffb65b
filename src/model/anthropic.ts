import { invalidOption } from "../errors.js";
import { checkNames, type OptionNames } from "../message/option-names.js";
import { isObject, type WireObject } from "../wire/value.js";
import { finishOf, usageOf } from "./anthropic-answer.js";
import { readStream, streamBody } from "./anthropic-stream.js";
import { type AttemptOptions, attempt } from "./attempts.js";
import { ATTEMPT_OPTIONS, checkAddress, checkText } from "./check-options.js";
import type { Completion, CompletionRequest } from "./language-model.js";
import { ProviderError } from "./model-error.js";
import { type Fetch, postJson } from "./post-json.js";
import { postStream } from "./post-stream.js";
import { withSchema } from "./schema-text.js";
import { attemptStream } from "./stream-attempts.js";
import type { StreamingModel } from "./streaming.js";

export interface AnthropicOptions extends AttemptOptions {
  readonly apiKey: string;
  readonly model: string;
  /** `https://api.anthropic.com` unless given. */
  readonly baseURL?: string;
  /** Tokens that one request may take, where you know better than the table of models. */
  readonly window?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Further fields of the request: `temperature`, `thinking`. */
  readonly body?: Readonly<Record<string, unknown>>;
  readonly fetch?: Fetch;
}

const OPTIONS: OptionNames<AnthropicOptions> = {
  apiKey: true,
  model: true,
  baseURL: true,
  window: true,
  headers: true,
  body: true,
  fetch: true,
  ...ATTEMPT_OPTIONS,
};

const ADDRESS = "https://api.anthropic.com";

/** The protocol asks for a limit; this one holds where the caller gives none. */
const DEFAULT_OUTPUT = 4_096;

/**
 * A model behind Anthropic's messages protocol.
 *
 * @example
 * ```ts
 * const model = anthropic({ apiKey: process.env.ANTHROPIC_API_KEY ?? "", model: "claude-haiku-4-5" });
 * const { text } = await model.complete({ prompt: "Say hello." });
 * ```
 */
export function anthropic(options: AnthropicOptions): StreamingModel {
  checkNames(options, OPTIONS, "anthropic");
  const { window, apiKey } = options;
  const model = checkText("model", options.model, "claude-haiku-4-5");
  if (typeof apiKey !== "string")
    throw invalidOption({ option: "apiKey", value: undefined, allowed: "the key for the provider, a text" });
  const url = messagesURL(checkAddress("baseURL", options.baseURL ?? ADDRESS, ADDRESS));
  const headers = { "x-api-key": apiKey, "anthropic-version": "2023-06-01", ...options.headers };
  return {
    name: model,
    ...(window !== undefined && { window }),
    complete: (request) => {
      const body = { model, ...requestBody(request), ...options.body };
      const send = options.fetch ?? globalThis.fetch;
      return attempt(
        async (signal) => readAnswer(await postJson({ url, headers, body, secret: apiKey }, send, signal)),
        options,
        request.signal,
      );
    },
    stream: (request) => {
      const { maxOutputTokens: max_tokens = DEFAULT_OUTPUT } = request;
      const body = { model, max_tokens, ...streamBody(request), ...options.body };
      const send = options.fetch ?? globalThis.fetch;
      const run = (signal: AbortSignal) => readStream(postStream({ url, headers, body, secret: apiKey }, send, signal));
      return attemptStream(run, options, request.signal);
    },
  };
}

/** Clients differ in whether the base URL ends with the version. */
function messagesURL(baseURL: string): string {
  const base = baseURL.replace(/\/+$/, "");
  return /\/v\d+$/.test(base) ? `${base}/messages` : `${base}/v1/messages`;
}

function requestBody(request: CompletionRequest): WireObject {
  const { system, prompt, maxOutputTokens = DEFAULT_OUTPUT } = request;
  return {
    max_tokens: maxOutputTokens,
    ...(system && { system }),
    messages: [{ role: "user", content: withSchema(prompt, request.schema) }],
  };
}

function readAnswer(answer: WireObject): Completion {
  if (!Array.isArray(answer.content)) throw new ProviderError({ message: "the answer holds no content" });
  const texts = answer.content.flatMap((block: unknown) =>
    isObject(block) && block.type === "text" && typeof block.text === "string" ? [block.text] : [],
  );
  return { text: texts.join(""), finish: finishOf(answer.stop_reason), usage: usageOf(answer.usage) };
}
