/** What prices say about a cut before it is made: how deep it goes, and whether one pays on a cold cache. */
import type { Budget } from "../../compaction/budget.js";
import { cheapestTarget, cutEconomics, stepsUntil } from "../../compaction/economics.js";
import type { ModelPrice } from "../../tokens/models.js";
import type { Account } from "./account.js";

export interface Pricing {
  readonly budget: Budget;
  readonly price: ModelPrice | undefined;
  /** The account of the view before; undefined for the first. */
  readonly before: Account | undefined;
  /** Tokens of the locked blocks. */
  readonly fixed: number;
  /** Tokens that what stands in for the past may take, and those that a summariser writes. */
  readonly bound: number;
  readonly written: number;
}

/** Tokens that views have grown by from one to the next; undefined where none has. */
export const growthOf = (account: Account | undefined): number | undefined =>
  account === undefined || account.growth.times === 0 ? undefined : account.growth.tokens / account.growth.times;

/** The budget with a lower target where prices clearly ask for one; what stands in must leave half of it to the tail. */
export function pricedBudget({ budget, price, before, fixed, bound }: Pricing): Budget {
  const growth = growthOf(before);
  if (price === undefined || growth === undefined || budget.floor === undefined) return budget;
  const { trigger, target } = budget;
  const floor = Math.min(target, Math.max(budget.floor, fixed + 2 * bound));
  return { ...budget, target: cheapestTarget({ price, trigger, target, floor, prefix: fixed, growth }) };
}

/** A cut that is not needed has to remove at least this share of the view. */
const LEAST_SHARE = 0.1;

/** Whether it pays to make a view smaller that fits, at a time when all of it is written to the cache anew. */
export function paysWhenCold(pricing: Pricing, tokensBefore: number, tokensAfter: number): boolean {
  const { budget, price, before, fixed, written } = pricing;
  const removed = tokensBefore - tokensAfter;
  if (removed < tokensBefore * LEAST_SHARE) return false;
  const steps = stepsUntil(budget.trigger - tokensAfter, growthOf(before));
  const summariser = written > 0 ? { input: removed, output: written } : undefined;
  return cutEconomics({ price, tokensBefore, tokensAfter, prefix: fixed, steps, cold: true, summariser }).pays;
}
