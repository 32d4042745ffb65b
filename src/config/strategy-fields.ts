/** The options of the strategies that come with varve, as files give them. */
import { z } from "zod";

const number = z.number().optional();
const text = z.string().optional();
const json = z.record(z.string(), z.unknown());

export const windowFields = { window: number, model: text, reserve: number, trigger: number, target: number };
const tail = { lockLast: number, resultShare: number };
const digests = { digestShare: number, largestLeafShare: number, fanout: number, trimShare: number };
const prose = { compressionModel: text };
const after = { after: z.strictObject({ turns: number, entries: number, tokens: number }).optional() };

/** By the name of the strategy. */
export const strategyFields = {
  "sliding-window": { ...tail, ...after, clearResults: z.boolean().optional() },
  summarization: { ...tail, ...prose, ...after, threshold: number, keepLastTurns: number, summaryShare: number },
  importance: { ...tail, ...digests, ...prose, ...after, threshold: number, keptShare: number },
  hierarchical: { ...tail, ...digests, ...prose, ...after },
  entities: { ...prose, schema: json, keepTurns: number, initial: json.optional() },
} as const;

const STRATEGY_NAMES = Object.keys(strategyFields);

/** The names under which files may ask for a strategy, and its own name. */
export const STRATEGY_ALIASES: ReadonlyMap<string, string> = new Map([
  ...STRATEGY_NAMES.flatMap((name): [string, string][] => [
    [name, name],
    [`std-${name}-strategy`, name],
  ]),
  ["std-entity-extraction-strategy", "entities"],
]);
