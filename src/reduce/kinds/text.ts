import { type LineRule, liftContext, liftEdges, SEVERE, scoreByRules, TIER, WARNING } from "../line-rules.js";
import type { SourceLines } from "../source-lines.js";

const RULES: readonly LineRule[] = [
  [/^(?:Traceback|panic:|fatal:|Segmentation fault|Killed)/i, TIER.error],
  [/\bexit(?:ed)?(?: with)?(?: code| status)? [1-9]\d*\b/i, TIER.error],
  [/\b0 errors?\b|\bno errors?\b/i, TIER.none],
  [SEVERE, TIER.place],
  [WARNING, TIER.repeat],
];

/** Output of no known form: what sounds like trouble, then how it began and how it ended. */
export function scoreText(lines: SourceLines): Uint8Array {
  return liftEdges(liftContext(scoreByRules(lines, RULES), { before: 1, after: 2 }), { first: 2, last: 3 });
}
