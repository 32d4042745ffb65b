/** How deep a cut goes, and whether one pays that the window does not demand. */
import type { ModelPrice } from "../tokens/models.js";
import type { Budget } from "./budget.js";
import { cutEconomics, payingTarget, stepsUntil } from "./economics.js";
import type { PlanInput } from "./policy.js";

/**
 * A cut frees room for at least so many steps, where that leaves the view this share of its room. Steps that are larger
 * have it cut every few of them in any case: then it keeps more, which facts asked for later need (`probe-gate.mjs`).
 */
const LEAST_STEPS = 4;
const LEAST_TARGET = 0.35;
const LARGE_STEPS_TARGET = 0.57;

/** Above how many tokens a view is reduced. */
interface Trigger {
  readonly trigger: number;
  /** Whether the price of a step sets it, rather than the window. */
  readonly isSpend: boolean;
}

/** The trigger for the part that system prompt, tools and context leave. */
export function triggerIn(space: number, input: PlanInput): Trigger {
  const { budget, reading } = input;
  const whole = Math.floor((space * budget.trigger) / Math.max(1, budget.usable));
  const spend = (budget.affordable ?? Number.POSITIVE_INFINITY) - (budget.usable - space);
  if (spend > whole) return { trigger: whole, isSpend: false };
  // Not every step has to cut. As long as the growth is not known, there is room for one tool result.
  const growth = growthOf(input);
  const least = growth === undefined ? reading.cap : Math.ceil((growth * LEAST_STEPS) / (1 - LEAST_TARGET));
  return { trigger: Math.max(spend, Math.min(space, least)), isSpend: true };
}

/** Down to how many tokens a view is reduced. */
export function targetIn({ space, trigger, isSpend }: Trigger & { readonly space: number }, input: PlanInput): number {
  const { budget, price } = input;
  const [room, of] = isSpend ? [trigger, budget.trigger] : [space, budget.usable];
  const scale = (tokens: number) => Math.floor((room * tokens) / Math.max(1, of));
  const target = scale(budget.target);
  const growth = growthOf(input);
  if (growth === undefined || budget.floor === undefined || budget.floor >= budget.target) return target;
  const roomy = trigger - Math.ceil(growth * LEAST_STEPS);
  const share = roomy < trigger * LEAST_TARGET ? LARGE_STEPS_TARGET : roomy / trigger;
  const usual = Math.min(target, Math.floor(trigger * share));
  return payingTarget({ price, trigger, target: usual, floor: Math.min(usual, scale(budget.floor)), growth });
}

/** Of so many of the newest exchanges the growth of a step is worked out. */
const NEWEST = 50;

/** Tokens that a step adds, a step being a message of the assistant; undefined where there is none. */
export function growthOf({ reading }: PlanInput): number | undefined {
  let [tokens, steps] = [0, 0];
  for (const exchange of reading.log.newestFirst().take(NEWEST)) {
    tokens += reading.fresh(exchange).tokens;
    if (exchange.kind === "calls" || exchange.kind === "assistant") steps++;
  }
  return steps === 0 ? undefined : tokens / steps;
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
