import type { Position } from "../../message/positions.js";
import type { AloneSettings } from "../alone.js";
import type { KeepInput } from "../policy.js";
import type { BuiltInStrategy } from "../strategy.js";
import { ALONE, ANY, checkedOptions, DIGESTS, type OptionRules, PROSE, SHARE_OR_NONE, TAIL } from "./check-options.js";
import { type LayersPolicy, layeredStrategy } from "./layered.js";
import { duePolicy, type ThresholdOptions } from "./thresholds.js";

export interface ImportancePolicy extends LayersPolicy {
  /** Exchanges that score at least this much may be kept in full. */
  readonly threshold: number;
  /** Share of the room for what is kept in full. */
  readonly keptShare: number;
}

export interface ImportanceOptions extends AloneSettings, Partial<ImportancePolicy> {
  /** Messages at the end that a cut spares as long as they fit; 2 unless given. */
  readonly lockLast?: number;
  /** Share of the usable tokens that one tool result may take; 0.25 unless given. */
  readonly resultShare?: number;
  /** Cuts once the history shown in full exceeds any of these, also where it fits; about half of it stays. */
  readonly after?: ThresholdOptions["after"];
}

const DEFAULTS: ImportancePolicy = {
  threshold: 0.6,
  keptShare: 0.2,
  digestShare: 0.4,
  largestLeafShare: 0.15,
  fanout: 6,
  trimShare: 0.85,
};

const SCORES = { threshold: SHARE_OR_NONE, keptShare: SHARE_OR_NONE };
const RULES: OptionRules<ImportanceOptions> = { ...ALONE, ...TAIL, ...DIGESTS, ...PROSE, ...SCORES, after: ANY };

/**
 * Scores every exchange by the chance that something in it is used again, keeps the important ones in full and the
 * rest as digests. Pinned exchanges are always kept.
 *
 * @example
 * ```ts
 * const session = await varve.session("ann:coder:1", { window: 64_000, strategy: importance({ threshold: 0.7 }) });
 * ```
 */
export function importance(options: ImportanceOptions = {}): BuiltInStrategy {
  const given = checkedOptions("importance", options, RULES);
  const scores: ImportancePolicy = { ...DEFAULTS, ...given };
  return layeredStrategy("importance", given, {
    layers: scores,
    due: duePolicy({ after: given.after }),
    keep: { share: scores.keptShare, choose: (input) => important(input, scores.threshold) },
    withSummariser: (summariser) => importance({ ...given, summariser }),
  });
}

/** The most important exchanges before the cut, as much for their tokens as possible. */
function important({ plan, cut, room, isShown }: KeepInput, threshold: number): Position[] {
  const { reading } = plan;
  const { log, identifiers } = reading;
  identifiers.readTo(log.entries.length, log);
  const scoreOf = reading.importance.now();
  const scored = log.exchanges
    .slice(0, log.exchangeFrom(cut))
    .map((exchange) => ({ exchange, score: isShown(exchange.first) ? 0 : scoreOf(exchange) }))
    .filter(({ score }) => score >= threshold && score > 0)
    .map((each) => ({ ...each, tokens: reading.fresh(each.exchange).tokens }))
    .sort((a, b) => b.score / b.tokens - a.score / a.tokens || b.exchange.first - a.exchange.first);
  let left = room;
  return scored.flatMap(({ exchange, tokens }) => {
    if (tokens > left) return [];
    left -= tokens;
    return [exchange.first];
  });
}
