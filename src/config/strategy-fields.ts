/** The options of the strategies that come with varve, as files give them. */
import { z } from "zod";
import type { StrategyName } from "./strategy-names.js";

const number = z.number().optional();
const text = z.string().optional();
const json = z.record(z.string(), z.unknown());

export const windowFields = {
  window: number,
  model: text,
  reserve: number,
  trigger: number,
  target: number,
  maxSpend: number,
};
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
} as const satisfies Readonly<Record<StrategyName, object>>;
