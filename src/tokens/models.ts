import { invalidOption, VarveError } from "../errors.js";
import type { ImageRule } from "./media.js";
import data from "./models.json" with { type: "json" };
import type { TokenizerFamily } from "./tokenizer-family.js";

/** USD per million tokens. */
export interface ModelPrice {
  readonly input: number;
  readonly output: number;
  /** Input that the provider's prompt cache already holds. */
  readonly cacheRead?: number;
  /** Input that is put into the prompt cache, where that is charged apart. */
  readonly cacheWrite?: number;
}

export interface ModelInfo {
  readonly id: string;
  /** Tokens of one request, input and output together. */
  readonly window: number;
  /** The most input, where it is less than the window. */
  readonly maxInput?: number;
  readonly maxOutput: number;
  readonly tokenizer: TokenizerFamily;
  /** How images are counted; absent where the model takes none. */
  readonly image?: ImageRule;
  readonly price?: ModelPrice;
  /**
   * What the model demands of reasoning that it has signed: "bound" to all that stood before it, or that a running turn
   * "opens-turn" with it. Absent where it demands nothing that a view could break, as all of OpenAI and Google.
   */
  readonly thinking?: "bound" | "opens-turn";
}

/** When the table was last checked, and against what. */
export const MODEL_TABLE: { readonly date: string; readonly source: string } = { date: data.date, source: data.source };

const MODELS: ReadonlyMap<string, ModelInfo> = new Map(
  (data.models as readonly (ModelInfo & { readonly aliases?: readonly string[] })[]).flatMap(
    ({ aliases = [], ...info }) => [info.id, ...aliases].map((name): [string, ModelInfo] => [normalise(name), info]),
  ),
);

/**
 * What is known of a model, by the name a provider or a gateway gives it: with a provider before it, a date, a
 * version or a tag behind it, and dots or dashes in its number.
 *
 * @example
 * ```ts
 * findModel("anthropic/claude-sonnet-4-20250514")?.window; // 200000
 * findModel("models/gemini-2.5-pro")?.maxOutput; // 65536
 * findModel("my-own-model"); // undefined
 * ```
 */
export function findModel(name: string): ModelInfo | undefined {
  if (typeof name !== "string") throw invalidOption({ option: "model", value: name, allowed: "the model's name" });
  const parts = normalise(name).split("-");
  const first = parts.findIndex((_, index) => FAMILIES.has(parts[index] ?? ""));
  if (first < 0) return undefined;
  for (let end = parts.length; end > first; end--) {
    const model = MODELS.get(parts.slice(first, end).join("-"));
    if (model && isSameModel(parts.slice(end), parts[first])) return model;
  }
  return undefined;
}

/** Like `findModel`, but throws `unknown-model` where there is none. */
export function requireModel(name: string): ModelInfo {
  const model = findModel(name);
  if (model) return model;
  throw new VarveError({
    code: "unknown-model",
    message: `The model "${name}" is not in the table of ${MODEL_TABLE.date}.`,
    hint: "Pass an explicit `window`, the model's context window in tokens.",
    details: { model: name },
  });
}

/**
 * Path, tag and separators aside: "Models/Gemini-2.5-Pro:latest" → "gemini-2-5-pro". A fine-tuned model is named after
 * the one it is made from: "ft:gpt-4o:acme::id" → "gpt-4o".
 */
function normalise(name: string): string {
  const last = name.slice(name.lastIndexOf("/") + 1).replace(/^ft:/i, "");
  const base = last.split(/[:@[]/)[0] ?? "";
  return base.toLowerCase().replaceAll(/[._\s]/g, "-");
}

/** The first part of every name in the table. */
const FAMILIES: ReadonlySet<string> = new Set([...MODELS.keys()].map((name) => name.split("-")[0] ?? ""));

/** Words behind a name that make it a model of another kind, with a window of its own. */
const OTHER_KINDS: ReadonlySet<string> = new Set([
  "asr",
  "audio",
  "embed",
  "embedding",
  "guard",
  "image",
  "live",
  "moderation",
  "realtime",
  "rerank",
  "reranker",
  "search",
  "transcribe",
  "tts",
  "video",
]);

/** What is left of a name must not be another version: "gpt-5-9" is not gpt-5, but "gpt-5-2025-08-07" is. */
function isSameModel(rest: readonly string[], family: string | undefined): boolean {
  if (rest[0] !== undefined && /^\d{1,2}$/.test(rest[0])) return false;
  // Open models are named "instruct" where they chat, OpenAI's where they only complete.
  return !rest.some((word) => OTHER_KINDS.has(word) || (word === "instruct" && family === "gpt"));
}
