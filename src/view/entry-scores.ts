import { membersOf } from "../message/exchanges.js";
import type { EntryScore } from "../notes/importance.js";
import type { PlanInput } from "./policy.js";

/** The scores of all entries, in the order of the log. Views never ask for all of them. */
export function entryScores({ reading, pinned }: Pick<PlanInput, "reading" | "pinned">): EntryScore[] {
  const { log, importance } = reading;
  const importanceOf = importance.now();
  log.reach(log.start);
  const pins = new Set(pinned.map((at) => log.holding(at)?.first));
  const scores = log.exchanges.flatMap((exchange) => {
    const { score, parts } = importanceOf(exchange);
    const isPinned = pins.has(exchange.first);
    return membersOf(exchange).map((at) => ({ at, score: isPinned ? 1 : score, parts, pinned: isPinned }));
  });
  return scores.sort((a, b) => a.at - b.at).map(({ at, ...score }) => ({ entry: log.entries[at]!.id, ...score }));
}
