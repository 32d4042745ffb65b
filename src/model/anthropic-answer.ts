/** What the parts of an answer of Anthropic's protocol mean, whole or streamed. */
import { isObject } from "../wire/value.js";
import type { Completion } from "./language-model.js";

export function finishOf(reason: unknown): Completion["finish"] {
  if (reason === "max_tokens" || reason === "model_context_window_exceeded") return "length";
  if (reason === "refusal") return "refused";
  return reason === "end_turn" || reason === "stop_sequence" ? "stop" : "other";
}

/** Cached input is input: the provider reports it apart. */
export function usageOf(usage: unknown): Completion["usage"] {
  if (!isObject(usage)) return undefined;
  const parts = [usage.input_tokens, usage.cache_read_input_tokens, usage.cache_creation_input_tokens];
  const input = parts.reduce<number>((sum, part) => sum + (typeof part === "number" ? part : 0), 0);
  return {
    ...(typeof usage.input_tokens === "number" && { inputTokens: input }),
    ...(typeof usage.output_tokens === "number" && { outputTokens: usage.output_tokens }),
  };
}
