import type { Log } from "../message/log.js";
import type { Plan } from "./plan.js";
import type { Policy } from "./policy.js";
import { totalOf } from "./stage.js";

/** How far the next cut is off, from a view on. */
export interface NextCut {
  /** Tokens that the history may still grow by. */
  readonly tokens: number;
  /** The entry with which it comes, counted from the view, at the mean size of those shown; undefined where none is. */
  readonly entries?: number;
}

/**
 * The cut comes with the window's trigger, or with the first threshold of the policy that is exceeded once there is twice
 * as much as the messages at the end that it spares.
 */
export function nextCut(plan: Plan, { policy, log }: { policy?: Policy; log: Log }): NextCut {
  const left = Math.max(0, plan.trigger - plan.tokens);
  const tail = plan.items.filter((item) => item.kind === "exchange").filter(({ lead }) => lead === undefined);
  const entries = tail.reduce((sum, exchange) => sum + exchange.entries.length, 0);
  if (entries === 0) return { tokens: left };
  const tokens = totalOf(tail);
  const mean = tokens / entries;
  const { limits = {}, lockLast = 0 } = policy ?? {};
  const turns = limits.turns === undefined ? 1 : new Set(tail.map(({ at }) => log.requestAt(at))).size;
  const exceeded = Math.min(
    (limits.entries ?? Number.POSITIVE_INFINITY) + 1 - entries,
    ((limits.turns ?? Number.POSITIVE_INFINITY) - turns) * (entries / turns) + 1,
    ((limits.tokens ?? Number.POSITIVE_INFINITY) - tokens) / mean,
  );
  const due = Math.max(0, exceeded, 2 * lockLast - entries);
  return { tokens: Math.min(left, Math.ceil(due * mean)), entries: Math.floor(Math.min(left / mean, due)) };
}
