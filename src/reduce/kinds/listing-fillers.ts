import type { SourceLines } from "../source-lines.js";
import { readListing } from "./listing-groups.js";

/** How far from an entry lines are of use to it. */
const NEAR = 3;

/**
 * Indexes of lines for the room that is left when every group is shown: further entries, one of each group in turn,
 * and then the lines near entries.
 */
export function findFillers(lines: SourceLines, most: number): number[] {
  const ranks: number[][] = [];
  const seen = new Map<string, number>();
  const context = new Set<number>();
  readListing(lines, (index, { role, key }) => {
    if (role === "context") context.add(index);
    if (role !== "entry") return;
    const rank = seen.get(key) ?? 0;
    seen.set(key, rank + 1);
    if (rank >= most) return;
    const alike = ranks[rank];
    if (alike === undefined) ranks[rank] = [index];
    else if (alike.length < most) alike.push(index);
  });
  const entries = ranks.flat().slice(0, most + seen.size);
  return [...entries, ...nearLines(entries, context)].slice(0, most + seen.size);
}

/** Lines of context by their distance from the entries. */
function nearLines(entries: readonly number[], context: ReadonlySet<number>): number[] {
  const distances = Array.from({ length: NEAR }, (_, at) => at + 1);
  const near = distances.flatMap((distance) =>
    entries.flatMap((index) => [index - distance, index + distance].filter((at) => context.has(at))),
  );
  return [...new Set(near)];
}
