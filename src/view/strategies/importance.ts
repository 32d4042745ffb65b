import { z } from "zod";
import type { Exchange } from "../../message/exchanges.js";
import type { Position } from "../../message/positions.js";
import { scoreOf } from "../../notes/importance.js";
import { choose } from "../../notes/select.js";
import { worthIn } from "../../notes/worth.js";
import type { AloneSettings } from "../alone.js";
import { entryScores } from "../entry-scores.js";
import type { KeepInput, PlanInput } from "../policy.js";
import type { BuiltInStrategy } from "../strategy.js";
import { checkedOptions, shareOrNone } from "./check-options.js";
import { layeredFields, layeredStrategy, namedAt, notesFields, positions } from "./layered.js";

const fields = z.strictObject({
  ...layeredFields,
  ...notesFields,
  /** Exchanges that score at least this much may be kept in full; 0.6 unless given. */
  threshold: shareOrNone.optional(),
  /** Share of the room for what is kept in full; 0.2 unless given. */
  keptShare: shareOrNone.optional(),
});
export type ImportanceOptions = AloneSettings & Readonly<z.input<typeof fields>>;

const DEFAULTS = { digestShare: 0.4, largestLeafShare: 0.15 };

/**
 * Scores exchanges by who says them, how much they say that is not said all the time, whether it comes up again and what
 * they answer; keeps the important ones in full, and notes on the rest. Pinned exchanges are always kept.
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
    keep: { share: keptShare, choose: (input) => important(input, threshold), scores: entryScores },
    withSummariser: (summariser) => importance({ ...given, summariser }),
  });
}

/** Exchanges in front of a cut that are looked at, beside those kept so far: what a cut takes does not grow with the log. */
const MOST_LOOKED_AT = 400;
/** What an exchange says is worth so much beside one name that is surely used again. */
const SAID_WORTH = 0.2;

/** The exchanges before the cut that matter, as much for their tokens as possible. What the tail names needs no keeping. */
function important({ plan, cut, room, isShown }: KeepInput, threshold: number): Position[] {
  const { reading } = plan;
  const { log, importance: index } = reading;
  const now = log.entries.length;
  const importanceOf = index.now();
  const candidates = lookedAt(plan, cut).flatMap((exchange) => {
    const { score, parts } = importanceOf(exchange);
    if (score < threshold || score === 0 || isShown(exchange.first)) return [];
    const { tokens } = reading.fresh(exchange);
    const bonus = SAID_WORTH * scoreOf({ ...parts, names: 0 });
    return [{ at: exchange.first, tokens, bonus, identifiers: index.identifiersOf(exchange) }];
  });
  const worth = worthIn({ index: reading.identifiers, now, shown: namedAt(positions(cut, now), reading) });
  return choose(candidates, room, worth).map(({ at }) => at);
}

/** What was kept so far, and the newest exchanges before a cut, in the order of the log. */
function lookedAt({ reading: { log }, state }: PlanInput, cut: Position): Exchange[] {
  const found = new Set<Exchange>();
  for (const exchange of log.newestFirst()) {
    if (found.size === MOST_LOOKED_AT) break;
    if (exchange.first < cut) found.add(exchange);
  }
  for (const { at, lead } of state.lead) {
    const exchange = lead === "important" && at < cut ? log.holding(at) : undefined;
    if (exchange !== undefined) found.add(exchange);
  }
  return [...found].sort((a, b) => a.first - b.first);
}
