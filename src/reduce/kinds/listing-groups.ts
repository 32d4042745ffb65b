import { type SourceLines, sampleIndexes } from "../source-lines.js";
import type { ListingLine } from "./listing-line.js";
import { listingReader } from "./listing-lines.js";

export interface ListingGroup {
  /** Index of the line that stands for the group. */
  readonly index: number;
  readonly line: ListingLine;
  /** Entries of the group; for a remark, how often it was made; 0 for one entry that is shown besides its group. */
  count: number;
  /** Index of the first entry below a heading. */
  first?: number;
}

const HEAD = 600;
const SAMPLE = 600;

/** The groups of a listing in the order of their first lines, and the last entry of all. */
export function collectGroups(lines: SourceLines): ListingGroup[] {
  const groups = new Map<string, ListingGroup>();
  let last: ListingGroup | undefined;
  readListing(lines, (index, line) => {
    if (line.role === "context") return;
    last = { index, line, count: 1 };
    const known = groups.get(line.key);
    if (known === undefined) groups.set(line.key, { ...last, count: line.role === "heading" ? 0 : 1 });
    else if (line.role !== "heading") {
      known.first ??= index;
      known.count++;
    }
  });
  return [...groups.values(), ...besides(last, groups)];
}

/** The last entry besides its group, unless it stands for it, or below a heading that it needs. */
function besides(last: ListingGroup | undefined, groups: ReadonlyMap<string, ListingGroup>): ListingGroup[] {
  const group = groups.get(last?.line.key ?? "");
  if (last === undefined || group?.line.role !== "entry" || group.index === last.index) return [];
  return [{ ...last, count: 0 }];
}

/** Visits the lines of a listing that say something. */
export function readListing(lines: SourceLines, visit: (index: number, line: ListingLine) => void): void {
  const sample = sampleIndexes(lines.count, SAMPLE).map((index) => lines.head(index, HEAD));
  const read = listingReader(sample.filter((line) => line.trim() !== ""));
  if (read === undefined) return;
  for (let index = 0; index < lines.count; index++) {
    const line = read(lines.head(index, HEAD));
    if (line !== undefined) visit(index, line);
  }
}
