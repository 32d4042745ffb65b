import type { SessionStatus } from "../../../session/session-options.js";
import { countOf, formatCount, formatPercent, truncate } from "../../terminal/format.js";
import type { Metered } from "../meter.js";

export interface StatusFacts {
  readonly model: string;
  readonly status: SessionStatus;
  readonly metered: Metered;
}

/** Tokens, share of the window, cost: one line that is never wider than the terminal; what matters most comes first. */
export function statusLine({ model, status, metered }: StatusFacts, width: number): string {
  const { tokens, budget, leftOut, recalled } = status;
  const share = tokens === undefined ? "" : ` (${formatPercent(tokens / budget.usable)})`;
  const parts = [
    `${tokens === undefined ? "–" : formatCount(tokens)} of ${formatCount(budget.usable)} tokens${share}`,
    ...(metered.cost === null ? [] : [formatCost(metered.cost)]),
    ...(!leftOut ? [] : [`${formatCount(leftOut)} left out`]),
    ...(recalled.length === 0 ? [] : [countOf(recalled.length, "memory", "memories")]),
    model,
  ];
  return truncate(parts.join(" · "), width);
}

/** Small sums keep their digits. */
const formatCost = (dollars: number): string => `$${dollars.toFixed(dollars < 1 ? 4 : 2)}`;
