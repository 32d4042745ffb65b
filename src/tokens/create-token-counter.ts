import { invalidOption, VarveError } from "../errors.js";
import { messageProblem } from "../message/check-message.js";
import { checkNames, type OptionNames } from "../message/option-names.js";
import { isObject } from "../message/plain-value.js";
import type { AnyTool, Message } from "../message/types.js";
import { type Calibration, checkCalibration, correctionOf, NO_CALIBRATION } from "./calibration.js";
import { countCl100k } from "./cl100k.js";
import { countMessage } from "./count-message.js";
import { countTools } from "./count-tools.js";
import type { TokenCounter } from "./counter.js";
import { createEstimator } from "./estimate.js";
import type { ImageRule } from "./media.js";
import type { Meter } from "./meter.js";
import { findModel } from "./models.js";
import { countO200k } from "./o200k.js";
import { FAMILIES, type FamilyRule, type TokenizerFamily } from "./tokenizer-family.js";

export interface TokenCounterOptions {
  /** Names the model; its tokenizer and image rule are used. Without it the count is that of o200k. */
  readonly model?: string;
  /** Counts with this instead of the model's tokenizer. */
  readonly encoding?: "o200k" | "cl100k" | "estimate";
  /** Corrects the counter by reported usage. */
  readonly calibration?: Calibration;
}

const OPTIONS: OptionNames<TokenCounterOptions> = { model: true, encoding: true, calibration: true };

/**
 * A counter for a model: exact where its tokenizer is public, else estimated. Without a model it counts o200k, with 4
 * tokens for each message and 8 for each call.
 *
 * @example
 * ```ts
 * const counter = createTokenCounter({ model: "gpt-4.1" });
 * counter.message({ role: "user", content: "hello world" }); // 6
 * ```
 */
export function createTokenCounter(options: TokenCounterOptions = {}): TokenCounter {
  checkNames(options, OPTIONS, "createTokenCounter");
  const { model, calibration = NO_CALIBRATION } = options;
  if (model !== undefined && typeof model !== "string")
    throw invalidOption({ option: "model", value: model, allowed: 'the name of a model, such as "gpt-4.1"' });
  const family = options.encoding ? encodingFamily(options.encoding, model) : familyOf(model);
  const rule = FAMILIES[family];
  const image = (model === undefined ? undefined : findModel(model)?.image) ?? defaultImage(family);
  const { factor, errorBound } = correctionOf(checkCalibration(calibration), rule.errorBound);
  const scale = (count: number): number => (factor === 1 ? count : Math.ceil(count * factor));
  const text = textCounter(family, rule);
  return {
    name: `${family}/${image}${factor === 1 ? "" : `×${factor}`}`,
    errorBound,
    factor,
    text: (value) => scale(typeof value === "string" ? text(value) : refuse("text", value, "a string")),
    message: (message) => scale(checkedCount(message, { text, image })),
    tools: (tools) => scale(countTools(checkTools(tools), { text, overhead: rule.toolsOverhead })),
  };
}

function refuse(option: string, value: unknown, allowed: string): never {
  throw invalidOption({ option, value, allowed });
}

/** Messages are checked where they come in, so one is looked at only where it cannot be counted. */
function checkedCount(message: Message, meter: Meter): number {
  try {
    return countMessage(message, meter);
  } catch (cause) {
    const problem = messageProblem(message);
    if (problem === undefined) throw cause;
    throw new VarveError({
      code: "invalid-message",
      message: `The message to be counted ${problem}.`,
      hint: "Messages have a role (system, user, assistant, tool) and content, as the AI SDK's ModelMessage.",
      cause,
    });
  }
}

function checkTools(tools: readonly AnyTool[]): readonly AnyTool[] {
  if (!Array.isArray(tools)) refuse("tools", tools, "a list of tools");
  const odd = tools.findIndex((tool) => !isObject(tool));
  return odd < 0 ? tools : refuse(`tools[${odd}]`, tools[odd], "an object, as the provider takes it");
}

const ENCODINGS = '"o200k", "cl100k" or "estimate"';

/** An estimate is of the model's own family, where it is one that is estimated. */
function encodingFamily(encoding: "o200k" | "cl100k" | "estimate", model: string | undefined): TokenizerFamily {
  if (encoding === "o200k" || encoding === "cl100k") return encoding;
  if (encoding !== "estimate") throw invalidOption({ option: "encoding", value: encoding, allowed: ENCODINGS });
  const family = familyOf(model);
  return typeof FAMILIES[family].count === "string" ? "o200k-estimate" : family;
}

const estimators = new Map<TokenizerFamily, (text: string) => number>();

function textCounter(family: TokenizerFamily, { count }: FamilyRule): (text: string) => number {
  if (count === "o200k") return countO200k;
  if (count === "cl100k") return countCl100k;
  const estimator = estimators.get(family) ?? createEstimator(count);
  estimators.set(family, estimator);
  return estimator;
}

/** Names of models that are not in the table, by how they begin. */
const BEGINNINGS: readonly (readonly [RegExp, TokenizerFamily])[] = [
  [/claude/, "claude-2026"],
  [/gpt-?(3|4(?!o|\.|-?1))/, "cl100k"],
  [/gpt|\bo\d|codex|davinci/, "openai"],
  [/gemini|gemma/, "gemini"],
  [/llama/, "llama"],
  [/m[ai][sgn]\w*tral|mixtral|codestral|devstral/, "mistral"],
  [/qwen|qwq/, "qwen"],
  [/deepseek/, "deepseek"],
  [/kimi|moonshot/, "kimi"],
  [/glm/, "glm"],
  [/grok/, "grok"],
];

function familyOf(model: string | undefined): TokenizerFamily {
  if (model === undefined) return "o200k";
  const known = findModel(model)?.tokenizer;
  if (known !== undefined) return known;
  const name = model.toLowerCase();
  return BEGINNINGS.find(([pattern]) => pattern.test(name))?.[1] ?? "unknown";
}

function defaultImage(family: TokenizerFamily): ImageRule {
  if (family.startsWith("claude")) return "anthropic-large";
  return family === "gemini" ? "gemini-3" : "openai-tile";
}
