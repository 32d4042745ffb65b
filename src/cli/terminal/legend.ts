import type { Ink } from "./colour.js";
import { formatCount, formatPercent, padEnd, padStart } from "./format.js";
import { LOOKS, markOf, type Segment, type SegmentKind } from "./grid.js";

const LABEL = 14;
const TOKENS = 9;
const PERCENT = 9;
/** Columns that a line of a legend takes. */
export const LEGEND_WIDTH = 2 + LABEL + TOKENS + PERCENT;

/** Tokens and share of each kind, one line each. Kinds that the window never holds are left out; free space is not. */
export function legendLines(segments: readonly Segment[], kinds: readonly SegmentKind[], ink: Ink): string[] {
  const total = segments.reduce((sum, { tokens }) => sum + tokens, 0);
  return kinds.map((kind) => {
    const tokens = segments.reduce((sum, segment) => sum + (segment.kind === kind ? segment.tokens : 0), 0);
    const numbers = `${padStart(formatCount(tokens), TOKENS)}${padStart(formatPercent(tokens / total), PERCENT)}`;
    const line = `${padEnd(LOOKS[kind].label, LABEL)}${numbers}`;
    return `${markOf(kind, ink)} ${tokens === 0 || kind === "free" ? ink.tone("muted", line) : line}`;
  });
}
