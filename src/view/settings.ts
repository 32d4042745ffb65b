import { VarveError } from "../errors.js";
import type { OptionNames } from "../message/option-names.js";
import type { Calibration } from "../tokens/calibration.js";
import { checkCounter, type TokenCounter } from "../tokens/counter.js";
import { createTokenCounter } from "../tokens/create-token-counter.js";
import { findModel, type ModelPrice, requireModel } from "../tokens/models.js";
import { type Budget, resolveBudget } from "./budget.js";
import type { ThinkingRule } from "./policy.js";

/** How large views may be and how they are counted. Either `window` or a known `model` is needed. */
export interface WindowSettings {
  /** Tokens the model can take in one request. Taken from the model where it is known. */
  readonly window?: number;
  /** Names the model: its window, its output, its tokenizer. */
  readonly model?: string;
  /** Tokens kept free for the answer. From the model's largest output, at most 20,000; 0 where only a window is given. */
  readonly reserve?: number;
  /** Share of the usable tokens above which a view is reduced; 1 unless given. */
  readonly trigger?: number;
  /** Share of the usable tokens that a reduction aims for; 0.7 of the trigger unless given. */
  readonly target?: number;
  readonly counter?: TokenCounter;
}

/** The names of all settings. */
export const WINDOW_SETTINGS: OptionNames<WindowSettings> = {
  window: true,
  model: true,
  reserve: true,
  trigger: true,
  target: true,
  counter: true,
};

/** What the chat format writes behind the last message to start the reply, as OpenAI documents. */
const REPLY_START = 3;
const LARGEST_RESERVE = 20_000;
const RESERVE_SHARE = 0.25;

/** The budget and the counter that settings ask for. */
export function resolveSettings(
  settings: WindowSettings,
  calibration?: Calibration,
): { budget: Budget; counter: TokenCounter; price: ModelPrice | undefined; thinking: ThinkingRule | undefined } {
  const { model, trigger, target } = settings;
  const counter =
    settings.counter === undefined ? createTokenCounter({ model, calibration }) : checkCounter(settings.counter);
  const window = settings.window ?? windowOf(model);
  const reserve = settings.reserve ?? reserveOf(model, window);
  const shares = { ...(trigger !== undefined && { trigger }), ...(target !== undefined && { target }) };
  const maxInput = settings.window === undefined && model !== undefined ? findModel(model)?.maxInput : undefined;
  const limits = { window, reserve, ...(maxInput && { maxInput }), errorBound: counter.errorBound, frame: REPLY_START };
  return {
    counter,
    budget: resolveBudget({ ...limits, ...shares }),
    price: priceOf(settings),
    thinking: thinkingOf(settings),
  };
}

/** What the model named costs, where that is known. */
export const priceOf = ({ model }: WindowSettings): ModelPrice | undefined =>
  model === undefined ? undefined : findModel(model)?.price;

/** What the model named demands of its reasoning. A Claude model that is not known is newer than the table. */
export function thinkingOf({ model }: WindowSettings): ThinkingRule | undefined {
  if (model === undefined) return undefined;
  const known = findModel(model);
  return known === undefined && /\bclaude\b/i.test(model) ? "bound" : known?.thinking;
}

function windowOf(model: string | undefined): number {
  if (model !== undefined) return requireModel(model).window;
  throw new VarveError({
    code: "invalid-option",
    message: "Neither a window nor a model is given, so the size of a view is not known.",
    hint: 'Pass the model\'s context window in tokens, such as { window: 128_000 }, or its name, such as { model: "gpt-4.1" }.',
  });
}

function reserveOf(model: string | undefined, window: number): number {
  const output = model === undefined ? undefined : findModel(model)?.maxOutput;
  return output === undefined ? 0 : Math.min(output, LARGEST_RESERVE, Math.floor(window * RESERVE_SHARE));
}
