import { invalidOption } from "../errors.js";
import { checkNames, type OptionNames } from "../message/option-names.js";
import { isObject, type WireObject } from "../wire/value.js";
import { type AttemptOptions, attempt } from "./attempts.js";
import { ATTEMPT_OPTIONS } from "./check-options.js";
import type { Completion, CompletionRequest, LanguageModel } from "./language-model.js";
import { ProviderError } from "./model-error.js";

/** What is used of a language model of the AI SDK, specification V2, V3 or V4. */
export interface AISDKLanguageModel {
  readonly modelId: string;
  doGenerate(options: never): PromiseLike<unknown>;
}

export interface AISDKModelOptions extends AttemptOptions {
  /** Tokens that one request may take, where you know better than the table of models. */
  readonly window?: number;
}

const OPTIONS: OptionNames<AISDKModelOptions> = { ...ATTEMPT_OPTIONS, window: true };

/**
 * A language model of the AI SDK.
 *
 * @example
 * ```ts
 * import { openai } from "@ai-sdk/openai";
 * const model = aiSdkModel(openai("gpt-4.1-mini"));
 * const { text } = await model.complete({ prompt: "Say hello." });
 * ```
 */
export function aiSdkModel(model: AISDKLanguageModel, options: AISDKModelOptions = {}): LanguageModel {
  checkNames(options, OPTIONS, "aiSdkModel");
  if (!isModel(model))
    throw invalidOption({ option: "model", value: model, allowed: 'a model of the AI SDK, such as openai("gpt-4.1")' });
  return {
    name: model.modelId,
    ...(options.window !== undefined && { window: options.window }),
    complete: (request) =>
      attempt(
        // The options' type differs between specifications; what is passed is valid in each.
        async (signal) => readResult(await model.doGenerate(callOptions(request, signal) as never)),
        options,
        request.signal,
      ),
  };
}

const isModel = (value: unknown): value is AISDKLanguageModel =>
  typeof value === "object" &&
  value !== null &&
  "modelId" in value &&
  "doGenerate" in value &&
  typeof value.doGenerate === "function";

function callOptions({ system, prompt, maxOutputTokens, schema }: CompletionRequest, abortSignal: AbortSignal): object {
  return {
    prompt: [
      ...(system ? [{ role: "system", content: system }] : []),
      { role: "user", content: [{ type: "text", text: prompt }] },
    ],
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    ...(schema !== undefined && { responseFormat: { type: "json", schema } }),
    abortSignal,
  };
}

function readResult(result: unknown): Completion {
  if (!isObject(result) || !Array.isArray(result.content)) {
    throw new ProviderError({ message: "the AI SDK model gave no content" });
  }
  const texts = result.content.flatMap((part: unknown) =>
    isObject(part) && part.type === "text" && typeof part.text === "string" ? [part.text] : [],
  );
  return { text: texts.join(""), finish: finishOf(result.finishReason), usage: usageOf(result.usage) };
}

/** V2 names the reason, V3 and V4 wrap it. */
function finishOf(finishReason: unknown): Completion["finish"] {
  const reason = isObject(finishReason) ? finishReason.unified : finishReason;
  if (reason === "content-filter") return "refused";
  return reason === "stop" || reason === "length" ? reason : "other";
}

function usageOf(usage: unknown): Completion["usage"] {
  if (!isObject(usage)) return undefined;
  const [inputTokens, outputTokens] = [total(usage, "inputTokens"), total(usage, "outputTokens")];
  return { ...(inputTokens !== undefined && { inputTokens }), ...(outputTokens !== undefined && { outputTokens }) };
}

function total(usage: WireObject, name: string): number | undefined {
  const value = usage[name];
  const count = isObject(value) ? value.total : value;
  return typeof count === "number" ? count : undefined;
}
