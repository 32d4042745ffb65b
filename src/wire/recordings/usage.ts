/** Usage as providers and agents report it, brought to one meaning: `input` holds the cached tokens too. */
import { defined, isObject, numberField, objectField, type WireObject } from "./fields.js";
import type { RecordedUsage } from "./recording.js";

export type CallUsage = Omit<RecordedUsage, "at">;

interface Counts {
  readonly input: number | undefined;
  readonly output: number | undefined;
  readonly cacheRead?: number | undefined;
  readonly cacheWrite?: number | undefined;
}

/** For reports that count cached input apart from the rest, as Anthropic does. */
function cachedApart({ input, output, cacheRead, cacheWrite }: Counts): CallUsage | undefined {
  if (input === undefined && output === undefined) return undefined;
  const all = (input ?? 0) + (cacheRead ?? 0) + (cacheWrite ?? 0);
  return defined<CallUsage>({ input: all, output: output ?? 0, cacheRead, cacheWrite });
}

/** For reports whose input holds the cached tokens already, as OpenAI's and Gemini's. */
function cachedWithin({ input, output, cacheRead }: Counts): CallUsage | undefined {
  if (input === undefined && output === undefined) return undefined;
  return defined<CallUsage>({ input: input ?? 0, output: output ?? 0, cacheRead });
}

export function anthropicUsage(usage: unknown): CallUsage | undefined {
  if (!isObject(usage)) return undefined;
  return cachedApart({
    input: numberField(usage.input_tokens),
    output: numberField(usage.output_tokens),
    cacheRead: numberField(usage.cache_read_input_tokens),
    cacheWrite: numberField(usage.cache_creation_input_tokens),
  });
}

/** OpenAI's two APIs, Codex, LangChain's `usage_metadata`, and Langfuse's `usageDetails`. */
export function openaiUsage(usage: unknown): CallUsage | undefined {
  if (!isObject(usage)) return undefined;
  return cachedWithin({
    input: firstNumber(usage, ["prompt_tokens", "input_tokens", "promptTokens", "inputTokens", "input"]),
    output: firstNumber(usage, ["completion_tokens", "output_tokens", "completionTokens", "outputTokens", "output"]),
    cacheRead: cachedTokens(usage),
  });
}

function cachedTokens(usage: WireObject): number | undefined {
  const details = objectField(
    usage.prompt_tokens_details ?? usage.input_tokens_details ?? usage.input_token_details ?? {},
  );
  return firstNumber({ ...details, ...usage }, ["cached_tokens", "cached_input_tokens", "cache_read", "cachedTokens"]);
}

const firstNumber = (fields: WireObject, names: readonly string[]): number | undefined =>
  names.map((name) => numberField(fields[name])).find((value) => value !== undefined);

/** pi: `input`, `output`, `cacheRead`, `cacheWrite`. */
export function piUsage(usage: unknown): CallUsage | undefined {
  if (!isObject(usage)) return undefined;
  return cachedApart({
    input: numberField(usage.input),
    output: numberField(usage.output),
    cacheRead: numberField(usage.cacheRead),
    cacheWrite: numberField(usage.cacheWrite),
  });
}

/** opencode: `input`, `output`, `cache: { read, write }`. */
export function opencodeUsage(usage: unknown): CallUsage | undefined {
  if (!isObject(usage)) return undefined;
  const cache = objectField(usage.cache);
  return piUsage({ ...usage, cacheRead: cache.read, cacheWrite: cache.write });
}

/** Gemini CLI: `input` with `cached` in it, `output` beside `thoughts`. */
export function geminiUsage(usage: unknown): CallUsage | undefined {
  if (!isObject(usage)) return undefined;
  const output = (numberField(usage.output) ?? 0) + (numberField(usage.thoughts) ?? 0);
  return cachedWithin({ input: numberField(usage.input), output, cacheRead: numberField(usage.cached) });
}
