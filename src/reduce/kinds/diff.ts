import { liftEdges, TIER } from "../line-rules.js";
import type { SourceLines } from "../source-lines.js";

export const DIFF_SIGN = /^diff --git |^@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@|^Index: \S|^--- a\/|^\+\+\+ b\//;

/** The first changes of each hunk outrank its later ones, so that every hunk shows something. */
const FIRST_CHANGES = 2;
const EARLY_CHANGES = 8;

export function scoreDiff(lines: SourceLines): Uint8Array {
  const tiers = new Uint8Array(lines.count);
  let changes = 0;
  for (let index = 0; index < lines.count; index++) {
    const head = lines.head(index, 120);
    if (/^@@ /.test(head)) changes = 0;
    tiers[index] = /^[-+]/.test(head) && !isFileName(head) ? changeTier(changes++) : structureTier(head);
  }
  return liftEdges(tiers, { first: 1, last: 1 });
}

function isFileName(line: string): boolean {
  return /^(?:--- |\+\+\+ )\S/.test(line);
}

function structureTier(line: string): number {
  if (/^diff --git |^Index: /.test(line)) return TIER.verdict;
  if (/^@@ /.test(line)) return TIER.error;
  if (/^(?:rename|new file|deleted file|similarity|Binary files|old mode|new mode)/.test(line)) return TIER.place;
  if (isFileName(line)) return TIER.place;
  if (/^(?:commit [\da-f]{7,}|Author:|Date:| \S.{0,160}\| +\d+ | \d+ files? changed)/.test(line)) return TIER.detail;
  return TIER.none;
}

function changeTier(earlier: number): number {
  if (earlier < FIRST_CHANGES) return TIER.detail;
  return earlier < EARLY_CHANGES ? TIER.edge : TIER.context;
}
