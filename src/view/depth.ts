/** How deep a cut goes, and whether one pays that the window does not demand. */
import type { ModelPrice } from "../tokens/models.js";
import type { Budget } from "./budget.js";
import { cutEconomics, payingTarget, stepsUntil } from "./economics.js";
import type { PlanInput } from "./policy.js";

/** A cut frees room for at least so many steps, where that leaves the view half of its room. */
const LEAST_STEPS = 4;
const LEAST_TARGET = 0.4;

/** Above how many tokens a view is reduced, and down to how many. */
interface Limits {
  readonly trigger: number;
  readonly target: number;
  /** Whether the price of a step sets them, rather than the window. */
  readonly isSpend: boolean;
}

/** The limits of the part that system prompt, tools and context leave. */
export function limitsIn(space: number, growth: number | undefined, { budget, price, reading }: PlanInput): Limits {
  const whole = Math.floor((space * budget.trigger) / Math.max(1, budget.usable));
  const spend = (budget.affordable ?? Number.POSITIVE_INFINITY) - (budget.usable - space);
  const isSpend = spend <= whole;
  const trigger = isSpend ? Math.max(spend, Math.min(space, leastRoom(growth, reading.cap))) : whole;
  const [room, of] = isSpend ? [trigger, budget.trigger] : [space, budget.usable];
  const scale = (tokens: number) => Math.floor((room * tokens) / Math.max(1, of));
  const target = scale(budget.target);
  if (growth === undefined || budget.floor === undefined || budget.floor >= budget.target)
    return { trigger, target, isSpend };
  const roomy = Math.max(Math.floor(trigger * LEAST_TARGET), trigger - Math.ceil(growth * LEAST_STEPS));
  const usual = Math.min(target, roomy);
  const floor = Math.min(usual, scale(budget.floor));
  return { trigger, target: payingTarget({ price, trigger, target: usual, floor, growth }), isSpend };
}

/** Room in which not every step has to cut. As long as the growth is not known, that is one tool result. */
function leastRoom(growth: number | undefined, cap: number): number {
  return growth === undefined ? cap : Math.ceil((growth * LEAST_STEPS) / (1 - LEAST_TARGET));
}

export interface ColdCut {
  readonly budget: Budget;
  readonly price: ModelPrice | undefined;
  readonly growth: number | undefined;
  /** Tokens of the locked blocks. */
  readonly prefix: number;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  /** Tokens that a summariser writes for it. */
  readonly written: number;
}

/** A cut that is not needed has to remove at least this share of the view. */
const LEAST_SHARE = 0.1;

/** Whether it pays to make a view smaller that fits, at a time when all of it is written to the cache anew. */
export function paysWhenCold({ budget, price, growth, prefix, tokensBefore, tokensAfter, written }: ColdCut): boolean {
  const removed = tokensBefore - tokensAfter;
  if (removed < tokensBefore * LEAST_SHARE) return false;
  const steps = stepsUntil(budget.trigger - tokensAfter, growth);
  const summariser = written > 0 ? { input: removed, output: written } : undefined;
  return cutEconomics({ price, tokensBefore, tokensAfter, prefix, steps, cold: true, summariser }).pays;
}
