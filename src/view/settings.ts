import { z } from "zod";
import { invalidOption, VarveError } from "../errors.js";
import type { Calibration } from "../tokens/calibration.js";
import { checkCounter, type TokenCounter } from "../tokens/counter.js";
import { createTokenCounter } from "../tokens/create-token-counter.js";
import { findModel, type ModelPrice, requireModel } from "../tokens/models.js";
import { type Budget, resolveBudget } from "./budget.js";
import { ratesOf } from "./economics.js";
import type { ThinkingRule } from "./policy.js";

/** Checked where it is resolved: that of a session may take its place. */
const unchecked = <T>() => z.custom<T>().optional();

export const windowFields = {
  /** Tokens the model can take in one request. Taken from the model where it is known. */
  window: unchecked<number>(),
  /** Names the model: its window, its output, its tokenizer. */
  model: unchecked<string>(),
  /** Tokens kept free for the answer. From the model's largest output, at most 20,000; 1,300 where that is not known; 0 where only a window is given. */
  reserve: unchecked<number>(),
  /** Share of the usable tokens above which a view is reduced; 1 unless given. */
  trigger: unchecked<number>(),
  /** Share of the usable tokens that a reduction aims for; 0.7 of the trigger unless given. */
  target: unchecked<number>(),
  /**
   * USD that a step may cost to read its view from the provider's cache, by the model's prices: a view that costs more
   * is reduced, however much of the window is left.
   */
  maxSpend: unchecked<number>(),
  counter: unchecked<TokenCounter>(),
};
/** How large views may be and how they are counted. Either `window` or a known `model` is needed. */
export type WindowSettings = Readonly<z.input<z.ZodObject<typeof windowFields>>>;

/** What the chat format writes behind the last message to start the reply, as OpenAI documents. */
const REPLY_START = 3;
const LARGEST_RESERVE = 20_000;
const RESERVE_SHARE = 0.25;
/** 99 of 100 answers of recorded agents, with their calls, take less. */
const USUAL_ANSWER = 1_300;
const USUAL_SHARE = 0.05;

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
    budget: withinSpend(resolveBudget({ ...limits, ...shares }), settings, counter),
    price: priceOf(settings),
    thinking: thinkingOf(settings),
  };
}

/** The budget whose trigger is what the price allows, where that is less. */
function withinSpend(budget: Budget, settings: WindowSettings, { errorBound }: TokenCounter): Budget {
  const { maxSpend, model } = settings;
  if (maxSpend === undefined) return budget;
  if (!(typeof maxSpend === "number" && maxSpend > 0 && Number.isFinite(maxSpend)))
    throw invalidOption({ option: "maxSpend", value: maxSpend, allowed: "USD above 0 for one step, such as 0.05" });
  const price = priceOf(settings);
  if (price === undefined)
    throw new VarveError({
      code: "invalid-option",
      message: `maxSpend goes by the model's prices, and ${model === undefined ? "no model is named" : `those of "${model}" are not known`}.`,
      hint: 'Name a model whose prices are known, such as { model: "claude-sonnet-4-5" }, or give a trigger, a share of the window, instead.',
      details: { option: "maxSpend", value: maxSpend, model },
    });
  const affordable = Math.floor(maxSpend / ratesOf(price).cached / (1 + errorBound));
  if (affordable >= budget.usable) return budget;
  const trigger = Math.min(budget.trigger, affordable);
  const scale = (tokens: number) => Math.floor((tokens * trigger) / Math.max(1, budget.trigger));
  const { target, floor = target } = budget;
  return { ...budget, affordable, trigger, target: scale(target), floor: scale(floor) };
}

/** What the model named costs, where that is known. */
export const priceOf = ({ model }: WindowSettings): ModelPrice | undefined =>
  model === undefined ? undefined : findModel(model)?.price;

/** What the model demands of its reasoning. One of Claude that is not known, or not named, is newer than the table. */
export function thinkingOf({ model }: WindowSettings): ThinkingRule | undefined {
  if (model === undefined) return "bound";
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
  if (model === undefined) return 0;
  if (output === undefined) return Math.min(USUAL_ANSWER, Math.floor(window * USUAL_SHARE));
  return Math.min(output, LARGEST_RESERVE, Math.floor(window * RESERVE_SHARE));
}
