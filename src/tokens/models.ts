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
    if (model && isSameVersion(parts.slice(end))) return model;
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

/** Path, tag and separators aside: "Models/Gemini-2.5-Pro:latest" → "gemini-2-5-pro". */
function normalise(name: string): string {
  const base = name.slice(name.lastIndexOf("/") + 1).split(/[:@[]/)[0] ?? "";
  return base.toLowerCase().replaceAll(/[._\s]/g, "-");
}

/** The first part of every name in the table. */
const FAMILIES: ReadonlySet<string> = new Set([...MODELS.keys()].map((name) => name.split("-")[0] ?? ""));

/** What is left of a name must not be another version: "gpt-5-9" is not gpt-5, but "gpt-5-2025-08-07" is. */
function isSameVersion(rest: readonly string[]): boolean {
  return rest[0] === undefined || !/^\d{1,2}$/.test(rest[0]);
}
