/** From when on a view is cut, and how deep. */
import type { ModelPrice } from "../tokens/models.js";
import { ratesOf } from "./economics.js";
import type { PlanInput } from "./policy.js";
import type { Reading } from "./reading.js";

/**
 * A cut frees room for at least so many steps, where that leaves the view this share of its room. Steps that are larger
 * have it cut every few of them in any case: then it keeps more, which facts asked for later need (`probe-gate.mjs`).
 */
const LEAST_STEPS = 4;
const LEAST_TARGET = 0.35;
const LARGE_STEPS_TARGET = 0.57;

/** Above how many tokens a view is reduced. */
export interface Trigger {
  /** Tokens for the history and what stands in for the past: what system prompt, tools and context leave. */
  readonly space: number;
  /** The same, above which a view is reduced. */
  readonly trigger: number;
  /** Whether the price of a step sets that, rather than the window. */
  readonly isSpend: boolean;
}

/** The trigger for the part that system prompt, tools and context leave. */
export function triggerIn({ budget, reading }: PlanInput, space: number): Trigger {
  const whole = Math.floor((space * budget.trigger) / Math.max(1, budget.usable));
  const spend = (budget.affordable ?? Number.POSITIVE_INFINITY) - (budget.usable - space);
  if (spend > whole) return { space, trigger: whole, isSpend: false };
  // Not every step has to cut. As long as the growth is not known, there is room for one tool result.
  const growth = growthOf(reading);
  const least = growth === undefined ? reading.cap : Math.ceil((growth * LEAST_STEPS) / (1 - LEAST_TARGET));
  return { space, trigger: Math.max(spend, Math.min(space, least)), isSpend: true };
}

/** Down to how many tokens a view is reduced. */
export function targetIn({ budget, price, reading }: PlanInput, { space, trigger, isSpend }: Trigger): number {
  const [room, of] = isSpend ? [trigger, budget.trigger] : [space, budget.usable];
  const scale = (tokens: number) => Math.floor((room * tokens) / Math.max(1, of));
  const target = scale(budget.target);
  const growth = growthOf(reading);
  if (growth === undefined || budget.floor === undefined || budget.floor >= budget.target) return target;
  const roomy = trigger - Math.ceil(growth * LEAST_STEPS);
  const share = roomy < trigger * LEAST_TARGET ? LARGE_STEPS_TARGET : roomy / trigger;
  const usual = Math.min(target, Math.floor(trigger * share));
  return payingTarget({ price, trigger, target: usual, floor: Math.min(usual, scale(budget.floor)), growth });
}

/** Of so many of the newest exchanges the growth of a step is worked out. */
const NEWEST = 50;

/** Tokens that a step adds, a step being a message of the assistant; undefined where there is none. */
export function growthOf(reading: Reading): number | undefined {
  let [tokens, steps] = [0, 0];
  for (const exchange of reading.log.newestFirst().take(NEWEST)) {
    tokens += reading.fresh(exchange).tokens;
    if (exchange.kind === "calls" || exchange.kind === "assistant") steps++;
  }
  return steps === 0 ? undefined : tokens / steps;
}

export interface DepthTerms {
  readonly price: ModelPrice | undefined;
  readonly trigger: number;
  /** What a cut aims for as a rule, and at least. */
  readonly target: number;
  readonly floor: number;
  /** Tokens that a view grows by from one step to the next. */
  readonly growth: number;
}

/**
 * A deeper cut loses more of the conversation: so many times the cheapest price of a step is paid to keep it. With 1.37
 * the bills are at most 1.28 times that of a tail cut to half (`npm run bench bill`); with 1.3 they are 1.25 times, and a
 * sliding window of 16,000 tokens loses half a point of what recorded agents used next.
 */
const NEAR = 1.37;
const DEPTHS = 16;

/**
 * The highest target, from the usual one down to the floor, whose steps cost little more than those of the cheapest. A
 * step reads the view from the cache, halfway between two cuts, writes what is new, and bears its part of the next cut.
 */
export function payingTarget({ price, trigger, target, floor, growth }: DepthTerms): number {
  const { cached, fresh } = ratesOf(price);
  const depths = Array.from({ length: DEPTHS + 1 }, (_, at) => Math.floor(target - ((target - floor) * at) / DEPTHS));
  const costs = depths.map((depth) => {
    const steps = Math.max(1, (trigger - depth) / Math.max(1, growth));
    const rewriting = depth * Math.max(0, fresh - cached);
    return cached * ((trigger + depth) / 2) + fresh * growth + rewriting / steps;
  });
  const most = NEAR * Math.min(...costs);
  return depths[costs.findIndex((cost) => cost <= most)]!;
}
