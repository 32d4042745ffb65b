import type { Run } from "./compare.js";

/** Recall that a cheaper setting may lose against the best. */
const TOLERANCE = 0.01;

export const RULE =
  "the cheapest setting, with the provider's cache, among those within 1 point of the best recall; settings that a conversation does not fit are passed over where others fit";

/**
 * The setting to choose. Undefined where the recordings have no calls to tell by, or where every setting breaks a
 * promise.
 */
export function recommend(runs: readonly Run[]): Run | undefined {
  const sound = runs.filter(({ total }) => total.over === 0 && total.illegal === 0 && total.recall !== null);
  const fewest = Math.min(...sound.map(({ unfit }) => unfit));
  const fitting = sound.filter(({ unfit }) => unfit === fewest);
  const best = Math.max(...fitting.map(recallOf));
  return fitting.filter((run) => recallOf(run) >= best - TOLERANCE).sort(byCost)[0];
}

const recallOf = ({ total }: Run): number => total.recall ?? 0;

/** The cheapest first; where two cost the same, the one that recalls more, then the one that cuts less often. */
function byCost(a: Run, b: Run): number {
  const cost = a.total.cost.cached - b.total.cost.cached;
  if (cost !== 0) return cost;
  return recallOf(b) - recallOf(a) || a.total.compactions - b.total.compactions;
}
