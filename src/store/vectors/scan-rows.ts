import type { BestMatches } from "./best-matches.js";
import { BLOCK_ROWS } from "./scan-layout.js";
import type { VectorRows } from "./vector-rows.js";

/** Adds the rows near the query, which stands in the kernel's memory; only those of groups that are 1 in `allowed`. */
export function scanRows(rows: VectorRows, best: BestMatches, allowed?: Uint8Array): void {
  const { kernel } = rows;
  const { hits, scores, list } = kernel.views;
  if (!allowed) for (let at = 0; at < BLOCK_ROWS; at++) list[at] = at;
  for (let first = 0; first < rows.size; first += BLOCK_ROWS) {
    const present = Math.min(BLOCK_ROWS, rows.size - first);
    const count = allowed ? listAllowed(list, rows.groups.subarray(first, first + present), allowed) : present;
    const found = kernel.scan(first / BLOCK_ROWS, count, best.threshold);
    for (let at = 0; at < found; at++) best.add({ key: rows.keys[first + hits[at]!]!, score: scores[at]! });
  }
}

/** Writes without a branch: which rows are allowed cannot be foreseen. */
function listAllowed(list: Uint32Array, groups: Uint32Array, allowed: Uint8Array): number {
  let count = 0;
  for (let at = 0; at < groups.length; at++) {
    list[count] = at;
    count += allowed[groups[at]!]!;
  }
  return count;
}
