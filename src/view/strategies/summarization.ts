import type { VerifiedSummary } from "../../digest/summarise-verified.js";
import type { Summariser } from "../../digest/summariser.js";
import type { AloneSettings } from "../alone.js";
import type { BuiltInStrategy } from "../strategy.js";
import { ALONE, ANY, checkedOptions, type OptionRules, PROSE, SHARE, TAIL } from "./check-options.js";
import { layeredStrategy } from "./layered.js";
import { duePolicy, type ThresholdOptions } from "./thresholds.js";

export interface SummarizationOptions extends AloneSettings, ThresholdOptions {
  /** Share of the room that the summary may take; 0.4 unless given. */
  readonly summaryShare?: number;
  /** Writes the prose of the summary, in the background; without one the summary is made of the log's own words. */
  readonly summariser?: Summariser;
  readonly onSummary?: (summary: VerifiedSummary) => void;
  /** Messages at the end that a cut spares as long as they fit; 2 unless given. */
  readonly lockLast?: number;
  /** Share of the usable tokens that one tool result may take; 0.25 unless given. */
  readonly resultShare?: number;
}

/** Those that say when to summarise are checked together. */
const THRESHOLDS = { after: ANY, threshold: ANY, keepLastTurns: ANY };
const RULES: OptionRules<SummarizationOptions> = { ...ALONE, ...TAIL, ...PROSE, ...THRESHOLDS, summaryShare: SHARE };

/**
 * One summary, right after the system prompt, for everything before the recent messages: each time the window is cut,
 * what leaves it is taken into the summary. A cut comes where the window demands it, and, with `after`, as soon as the
 * history exceeds a number of turns, entries or tokens: then the summary is made in the background after a turn, and
 * takes the place of the messages once it is there. No view waits for it.
 *
 * @example
 * ```ts
 * const strategy = summarization({ window: 64_000, after: { turns: 10, tokens: 32_000 } });
 * const payload = await strategy.composePayload("You are a careful engineer.", history, tools);
 * ```
 */
export function summarization(options: SummarizationOptions = {}): BuiltInStrategy {
  const given = checkedOptions("summarization", options, RULES);
  const { summaryShare = 0.4, summariser, onSummary } = given;
  const prose = { ...(summariser && { summariser }), ...(onSummary && { onSummary }) };
  return layeredStrategy("summarization", given, {
    layers: { digestShare: summaryShare, largestLeafShare: summaryShare / 2, fanout: 2, trimShare: 1, ...prose },
    due: duePolicy(given),
    withSummariser: (later) => summarization({ ...given, summariser: later }),
  });
}
