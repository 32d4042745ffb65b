import { z } from "zod";
import type { AloneSettings } from "../alone.js";
import type { BuiltInStrategy } from "../strategy.js";
import { checkedOptions, share } from "./check-options.js";
import { layeredFields, layeredStrategy } from "./layered.js";
import { turnFields } from "./thresholds.js";

const fields = z.strictObject({
  ...layeredFields,
  ...turnFields,
  /** Share of the room that the summary may take; 0.4 unless given. */
  summaryShare: share.optional(),
});
export type SummarizationOptions = AloneSettings & Readonly<z.input<typeof fields>>;

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
  const given = checkedOptions("summarization", fields, options);
  const { summaryShare = 0.4, threshold, keepLastTurns } = given;
  return layeredStrategy("summarization", given, {
    layers: { ...given, digestShare: summaryShare, largestLeafShare: summaryShare / 2 },
    turns: { threshold, keepLastTurns },
    withSummariser: (summariser) => summarization({ ...given, summariser }),
  });
}
