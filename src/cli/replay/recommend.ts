import type { Run } from "./compare.js";

/** Recall that a cheaper setting may lose against the best. */
const TOLERANCE = 0.01;

export const RULE =
  "the cheapest setting, with the provider's cache, among those within 1 point of the best recall; settings that a conversation does not fit are passed over where others fit; what is configured stays unless another one is better";

/** The setting to choose, or why none is. */
export type Advice =
  | { readonly recommended: Run; readonly reason: undefined }
  | { readonly recommended: undefined; readonly reason: string };

/** Holds all settings against the present one, which is one of them. */
export function recommend(runs: readonly Run[], present: Run): Advice {
  const sound = runs.filter(({ total }) => total.over === 0 && total.illegal === 0);
  const told = sound.filter(({ total }) => total.recall !== null);
  if (told.length === 0) return none(sound.length === 0 ? BROKEN : UNTOLD);
  const fewest = Math.min(...told.map(({ unfit }) => unfit));
  const fitting = told.filter(({ unfit }) => unfit === fewest);
  const best = Math.max(...fitting.map(recallOf));
  const near = fitting.filter((run) => recallOf(run) >= best - TOLERANCE);
  const [chosen] = near.toSorted(byCost);
  const isBeaten = !near.includes(present) || chosen!.total.cost.cached < present.total.cost.cached;
  if (isBeaten) return { recommended: chosen!, reason: undefined };
  return none(fitting.every(({ total }) => total.compactions === 0) ? UNCUT : KEPT);
}

const none = (reason: string): Advice => ({ recommended: undefined, reason });

const UNTOLD = "the recordings hold no calls whose identifiers would tell what was needed";
const BROKEN = "every setting had views over the window or such as a provider refuses";
const UNCUT = "the conversations fit every window, so that no setting left anything out";
const KEPT = "no setting is better than the present one";

const recallOf = ({ total }: Run): number => total.recall ?? 0;

/** The cheapest first; where two cost the same, the one that recalls more, then the one that cuts less often. */
function byCost(a: Run, b: Run): number {
  const cost = a.total.cost.cached - b.total.cost.cached;
  if (cost !== 0) return cost;
  return recallOf(b) - recallOf(a) || a.total.compactions - b.total.compactions;
}
