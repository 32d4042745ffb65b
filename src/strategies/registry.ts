import { VarveError } from "../errors.js";
import { hierarchical } from "./hierarchical/hierarchical.js";
import { slidingWindow } from "./sliding-window/sliding-window.js";
import type { Strategy } from "./strategy.js";
import { summarization } from "./summarization/summarization.js";

const STRATEGIES: Readonly<Record<string, () => Strategy>> = {
  "sliding-window": () => slidingWindow(),
  hierarchical: () => hierarchical(),
  summarization: () => summarization(),
};

/** A strategy by name, or the strategy itself. The sliding window is the default. */
export function resolveStrategy(strategy: string | Strategy = "sliding-window"): Strategy {
  if (typeof strategy !== "string") return strategy;
  const create = STRATEGIES[strategy];
  if (create !== undefined) return create();
  throw new VarveError({
    code: "invalid-option",
    message: `There is no strategy "${strategy}".`,
    hint: `Use one of ${Object.keys(STRATEGIES).join(", ")}, or pass a strategy of your own.`,
    details: { option: "strategy", value: strategy },
  });
}
