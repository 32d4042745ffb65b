import { liftEdges, TIER } from "../line-rules.js";
import type { SourceLines } from "../source-lines.js";

const INDENT = 4;

/** A tree of files from its root downwards: outer entries first. */
export function scoreTree(lines: SourceLines): Uint8Array {
  const tiers = new Uint8Array(lines.count);
  for (let index = 0; index < lines.count; index++) {
    const depth = Math.ceil(lines.head(index, 80).search(/[^│| \u00a0├└─`+\\-]/) / INDENT);
    tiers[index] = depth < 0 ? TIER.none : Math.max(TIER.none, TIER.detail - depth);
  }
  return liftEdges(tiers, { first: 1, last: 1 });
}
