/** What the parts of an answer of OpenAI's protocol mean, whole or streamed. */
import { isObject } from "../wire/value.js";
import type { Completion } from "./language-model.js";

/** Some servers answer with a list of parts, thoughts among them. */
export function contentText(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content
    .flatMap((part: unknown) =>
      isObject(part) && part.type === "text" && typeof part.text === "string" ? part.text : [],
    )
    .join("");
}

export function finishOf(reason: unknown): Completion["finish"] {
  if (reason === "length" || reason === "model_length" || reason === "max_tokens") return "length";
  if (reason === "content_filter") return "refused";
  return reason === "stop" || reason === "eos" || reason === "end_turn" ? "stop" : "other";
}

export function usageOf(usage: unknown): Completion["usage"] {
  if (!isObject(usage)) return undefined;
  const { prompt_tokens: input, completion_tokens: output } = usage;
  return {
    ...(typeof input === "number" && { inputTokens: input }),
    ...(typeof output === "number" && { outputTokens: output }),
  };
}
