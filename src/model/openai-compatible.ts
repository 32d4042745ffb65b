import { isObject, type WireObject } from "../wire/value.js";
import { type AttemptOptions, attempt } from "./attempts.js";
import type { Completion, CompletionRequest, LanguageModel } from "./language-model.js";
import { ProviderError } from "./model-error.js";
import { type Fetch, postJson } from "./post-json.js";

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

/**
 * A model behind OpenAI's chat completions protocol: OpenAI, Azure, Groq, Together, OpenRouter, vLLM, Ollama and others.
 *
 * @example
 * ```ts
 * const model = openaiCompatible({ baseURL: "http://localhost:11434/v1", model: "qwen3:8b" });
 * const { text } = await model.complete({ prompt: "Say hello." });
 * ```
 */
export function openaiCompatible(options: OpenAICompatibleOptions): LanguageModel {
  const { model, window, apiKey } = options;
  const url = `${options.baseURL.replace(/\/+$/, "")}/chat/completions`;
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
  };
}

function requestBody({ system, prompt, maxOutputTokens, schema }: CompletionRequest, url: string): WireObject {
  const messages = [...(system ? [{ role: "system", content: system }] : []), { role: "user", content: prompt }];
  return {
    messages,
    ...(maxOutputTokens !== undefined && { [outputField(url)]: maxOutputTokens }),
    ...(schema !== undefined && {
      response_format: { type: "json_schema", json_schema: { name: "answer", schema } },
    }),
  };
}

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

/** Some servers answer with a list of parts, thoughts among them. */
function contentText(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content
    .flatMap((part: unknown) =>
      isObject(part) && part.type === "text" && typeof part.text === "string" ? part.text : [],
    )
    .join("");
}

function finishOf(reason: unknown): Completion["finish"] {
  if (reason === "length" || reason === "model_length" || reason === "max_tokens") return "length";
  if (reason === "content_filter") return "refused";
  return reason === "stop" || reason === "eos" || reason === "end_turn" ? "stop" : "other";
}

function usageOf(usage: unknown): Completion["usage"] {
  if (!isObject(usage)) return undefined;
  const { prompt_tokens: input, completion_tokens: output } = usage;
  return {
    ...(typeof input === "number" && { inputTokens: input }),
    ...(typeof output === "number" && { outputTokens: output }),
  };
}
