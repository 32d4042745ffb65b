import { liftEdges, TIER } from "../line-rules.js";
import type { SourceLines } from "../source-lines.js";

export const HEADING = /^#{1,6} \S/;
const OUTER_HEADING = /^#{1,2} \S/;

/** Headings first, then how each section begins, then its lists. */
export function scoreProse(lines: SourceLines): Uint8Array {
  const tiers = new Uint8Array(lines.count);
  let sinceHeading = 0;
  for (let index = 0; index < lines.count; index++) {
    const head = lines.head(index, 160);
    if (head.trim() === "") continue;
    sinceHeading = HEADING.test(head) ? 0 : sinceHeading + 1;
    tiers[index] = proseTier(head, sinceHeading);
  }
  return liftEdges(tiers, { first: 2, last: 2 });
}

function proseTier(line: string, sinceHeading: number): number {
  if (OUTER_HEADING.test(line)) return TIER.verdict;
  if (HEADING.test(line)) return TIER.error;
  if (sinceHeading === 1) return TIER.detail;
  return /^\s*(?:[-*+]|\d+\.) \S/.test(line) && sinceHeading < 6 ? TIER.context : TIER.none;
}
