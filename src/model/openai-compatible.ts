import { checkNames, type OptionNames } from "../message/option-names.js";
import { isObject, type WireObject } from "../wire/value.js";
import { type AttemptOptions, attempt } from "./attempts.js";
import { ATTEMPT_OPTIONS, checkAddress, checkText } from "./check-options.js";
import type { Completion, CompletionRequest } from "./language-model.js";
import { ProviderError } from "./model-error.js";
import { contentText, finishOf, usageOf } from "./openai-answer.js";
import { readStream, streamBody } from "./openai-stream.js";
import { type Fetch, postJson } from "./post-json.js";
import { postStream } from "./post-stream.js";
import { attemptStream } from "./stream-attempts.js";
import type { StreamingModel } from "./streaming.js";

export interface OpenAICompatibleOptions extends AttemptOptions {
  /** Up to and with the version: `https://api.openai.com/v1`, `http://localhost:11434/v1`. */
  readonly baseURL: string;
  readonly model: string;
  readonly apiKey?: string;
  /** Tokens that one request may take, where you know better than the table of models. */
  readonly window?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Further fields of the request: `temperature`, `reasoning_effort`. */
  readonly body?: Readonly<Record<string, unknown>>;
  readonly fetch?: Fetch;
}

const OPTIONS: OptionNames<OpenAICompatibleOptions> = {
  baseURL: true,
  model: true,
  apiKey: true,
  window: true,
  headers: true,
  body: true,
  fetch: true,
  ...ATTEMPT_OPTIONS,
};

/**
 * A model behind OpenAI's chat completions protocol: OpenAI, Azure, Groq, Together, OpenRouter, vLLM, Ollama and others.
 *
 * @example
 * ```ts
 * const model = openaiCompatible({ baseURL: "http://localhost:11434/v1", model: "qwen3:8b" });
 * const { text } = await model.complete({ prompt: "Say hello." });
 * for await (const event of model.stream({ messages: [{ role: "user", content: "Say hello." }] })) {
 *   if (event.type === "text-delta") process.stdout.write(event.text);
 * }
 * ```
 */
export function openaiCompatible(options: OpenAICompatibleOptions): StreamingModel {
  checkNames(options, OPTIONS, "openaiCompatible");
  const { window, apiKey } = options;
  const model = checkText("model", options.model, "gpt-4.1-mini");
  const baseURL = checkAddress("baseURL", options.baseURL, "http://localhost:11434/v1");
  const url = `${baseURL.replace(/\/+$/, "")}/chat/completions`;
  const headers = { ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }), ...options.headers };
  return {
    name: model,
    ...(window !== undefined && { window }),
    complete: (request) => {
      const body = { model, ...requestBody(request, url), ...options.body };
      const send = options.fetch ?? globalThis.fetch;
      return attempt(
        async (signal) => readAnswer(await postJson({ url, headers, body, secret: apiKey }, send, signal)),
        options,
        request.signal,
      );
    },
    stream: (request) => {
      const limit = outputLimit(request.maxOutputTokens, url);
      const body = { model, ...streamBody(request), ...limit, ...options.body };
      const send = options.fetch ?? globalThis.fetch;
      const run = (signal: AbortSignal) => readStream(postStream({ url, headers, body, secret: apiKey }, send, signal));
      return attemptStream(run, options, request.signal);
    },
  };
}

function requestBody({ system, prompt, maxOutputTokens, schema }: CompletionRequest, url: string): WireObject {
  const messages = [...(system ? [{ role: "system", content: system }] : []), { role: "user", content: prompt }];
  return {
    messages,
    ...outputLimit(maxOutputTokens, url),
    ...(schema !== undefined && {
      response_format: { type: "json_schema", json_schema: { name: "answer", schema } },
    }),
  };
}

const outputLimit = (tokens: number | undefined, url: string): WireObject =>
  tokens === undefined ? {} : { [outputField(url)]: tokens };

/** OpenAI's newer models refuse the old name, other servers do not know the new one. */
const outputField = (url: string): string =>
  /^https:\/\/([\w-]+\.)*(openai\.com|openai\.azure\.com)\//.test(url) ? "max_completion_tokens" : "max_tokens";

function readAnswer(answer: WireObject): Completion {
  const choice: unknown = Array.isArray(answer.choices) ? answer.choices[0] : undefined;
  if (!isObject(choice)) throw new ProviderError({ message: "the answer holds no choice" });
  const message = isObject(choice.message) ? choice.message : {};
  const refused = typeof message.refusal === "string" && message.refusal !== "";
  return {
    text: refused ? String(message.refusal) : contentText(message.content),
    finish: refused ? "refused" : finishOf(choice.finish_reason),
    usage: usageOf(answer.usage),
  };
}
