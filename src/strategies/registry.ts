import { invalidOption, VarveError } from "../errors.js";
import { isObject } from "../message/plain-value.js";
import { hierarchical } from "./hierarchical/hierarchical.js";
import { importance } from "./importance/importance.js";
import { slidingWindow } from "./sliding-window/sliding-window.js";
import type { Strategy } from "./strategy.js";
import { summarization } from "./summarization/summarization.js";

const STRATEGIES: Readonly<Record<string, () => Strategy>> = {
  "sliding-window": () => slidingWindow(),
  hierarchical: () => hierarchical(),
  importance: () => importance(),
  summarization: () => summarization(),
};

/** A strategy by name, or the strategy itself. The sliding window is the default. */
export function resolveStrategy(strategy: string | Strategy = "sliding-window"): Strategy {
  if (typeof strategy !== "string") return checkStrategy(strategy);
  const create = Object.hasOwn(STRATEGIES, strategy) ? STRATEGIES[strategy] : undefined;
  if (create !== undefined) return create();
  throw new VarveError({
    code: "invalid-option",
    message: `There is no strategy "${strategy}".`,
    hint: `Use one of ${Object.keys(STRATEGIES).join(", ")}, or pass a strategy of your own.`,
    details: { option: "strategy", value: strategy },
  });
}

function checkStrategy(strategy: unknown): Strategy {
  if (isStrategy(strategy)) return strategy;
  const allowed = `one of ${Object.keys(STRATEGIES).join(", ")}, or a Strategy: a name and the method start`;
  throw invalidOption({ option: "strategy", value: strategy, allowed });
}

const isStrategy = (value: unknown): value is Strategy =>
  isObject(value) && typeof value.name === "string" && typeof value.start === "function";
