import { z } from "zod";
import type { Position } from "../../message/positions.js";
import type { AloneSettings } from "../alone.js";
import type { KeepInput } from "../policy.js";
import type { BuiltInStrategy } from "../strategy.js";
import { checkedOptions, shareOrNone } from "./check-options.js";
import { digestFields, layeredFields, layeredStrategy } from "./layered.js";

const fields = z.strictObject({
  ...layeredFields,
  ...digestFields,
  /** Exchanges that score at least this much may be kept in full; 0.6 unless given. */
  threshold: shareOrNone.optional(),
  /** Share of the room for what is kept in full; 0.2 unless given. */
  keptShare: shareOrNone.optional(),
});
export type ImportanceOptions = AloneSettings & Readonly<z.input<typeof fields>>;

const DEFAULTS = { digestShare: 0.4, largestLeafShare: 0.15, fanout: 6, trimShare: 0.85 };

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
  const given = checkedOptions("importance", fields, options);
  const { threshold = 0.6, keptShare = 0.2 } = given;
  return layeredStrategy("importance", given, {
    layers: { ...DEFAULTS, ...given },
    keep: { share: keptShare, choose: (input) => important(input, threshold) },
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
