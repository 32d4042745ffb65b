/** The strategies that files may name without a plug-in. What they take stands apart, for its schema takes a while to load. */
export const STRATEGY_NAMES = ["sliding-window", "summarization", "importance", "hierarchical", "entities"] as const;

export type StrategyName = (typeof STRATEGY_NAMES)[number];

/** The names under which files may ask for a strategy, and its own name. */
export const STRATEGY_ALIASES: ReadonlyMap<string, StrategyName> = new Map([
  ...STRATEGY_NAMES.flatMap((name): [string, StrategyName][] => [
    [name, name],
    [`std-${name}-strategy`, name],
  ]),
  ["std-entity-extraction-strategy", "entities"],
]);
