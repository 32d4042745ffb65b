import { type Plan, type PlanInput, planView } from "./planner.js";
import { type Pricing, paysWhenCold } from "./pricing.js";

/** A plan that cuts though the view fits, down to the target, for a cold cache; undefined where that does not pay. */
export function coldPlan(input: PlanInput, pricing: Pricing): Plan | undefined {
  const { budget } = input;
  const before = sizeOf(planView(input), input);
  const plan = planView({ ...input, budget: { ...budget, trigger: budget.target } });
  const after = sizeOf(plan, input);
  return plan.position > input.previous && paysWhenCold(pricing, before, after) ? plan : undefined;
}

/** Tokens of a view by this plan; what stands in for more than before is taken at its bound. */
function sizeOf({ position, kept, tokens }: Plan, { budget, space, log, past }: PlanInput): number {
  const leftOut = position - log.start - kept.size;
  return budget.usable - space + tokens() + (leftOut > 0 ? past.tokensAt(position) : 0);
}
