import { liftContext, liftEdges, TIER } from "../line-rules.js";
import type { SourceLines } from "../source-lines.js";

export const DIFF_SIGN = /^diff --git |^@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@|^Index: \S|^--- a\/|^\+\+\+ b\//;

/** The first changes of each hunk outrank its later ones, so that every hunk shows something. */
const EARLY_CHANGES = 4;
const HEAD = 120;
const FILE_TITLE = /^diff --git |^Index: \S/;

/** A change knows how many pairs of lines its hunk changed before it. */
export interface DiffChange {
  readonly sort: "removed" | "added";
  readonly order: number;
  readonly partner: number | undefined;
  /** Its line in the changed file. */
  readonly place: number | undefined;
}

/** What a line of a diff is. */
export type DiffLine = DiffChange | { readonly sort: "title" | "name" | "hunk" | "fact" | "note" | "other" };

/** Names of files, then what was changed, each old line with its new one, then where and around it. */
export function scoreDiff(lines: SourceLines): Uint8Array {
  const tiers = new Uint8Array(lines.count);
  let titled = false;
  eachDiffLine(lines, (line, index) => {
    titled ||= line.sort === "title";
    tiers[index] = tierOf(line, titled);
  });
  return liftEdges(liftContext(tiers, { before: 1, after: 1 }), { first: 1, last: 0 });
}

/** For each line that another replaces, or that replaces one, the other's index and one; 0 for all others. */
export function pairChanges(lines: SourceLines): Uint32Array {
  const partners = new Uint32Array(lines.count);
  eachDiffLine(lines, (line, index) => {
    if (line.sort !== "added" || line.partner === undefined) return;
    partners[index] = line.partner + 1;
    partners[line.partner] = index + 1;
  });
  return partners;
}

/** Visits each line in order. Of a run of removed and then added lines, the first of each make a pair, and so on. */
export function eachDiffLine(lines: SourceLines, visit: (line: DiffLine, index: number) => void): void {
  const nextPlace = hunkPlaces(lines);
  let run = { start: 0, removed: 0, added: 0 };
  let before = 0;
  for (let index = 0; index < lines.count; index++) {
    const sort = sortOf(lines, index);
    const place = nextPlace(sort, index);
    if (sort === "hunk") before = 0;
    if (sort === "removed" ? run.added > 0 : sort !== "added" && sort !== "note") {
      before = sort === "hunk" ? 0 : before + Math.max(run.removed, run.added);
      run = { start: 0, removed: 0, added: 0 };
    }
    if (sort === "removed") {
      if (run.removed === 0) run.start = index;
      visit({ sort, order: before + run.removed++, partner: undefined, place }, index);
    } else if (sort === "added") {
      const partner = run.added < run.removed ? run.start + run.added : undefined;
      visit({ sort, order: before + run.added++, partner, place }, index);
    } else visit({ sort }, index);
  }
}

/** Asked for each line in order, says on which line of the changed file it is. */
function hunkPlaces(lines: SourceLines): (sort: DiffLine["sort"], index: number) => number | undefined {
  let next: number | undefined;
  return (sort, index) => {
    const place = next;
    if (sort === "hunk") next = startOfHunk(lines.head(index, HEAD));
    else if (place !== undefined && /^(?:[ +]|$)/.test(lines.head(index, 1))) next = place + 1;
    return place;
  };
}

/** A file that is deleted has no lines left. */
function startOfHunk(head: string): number | undefined {
  const start = Number(/^@@ -\d+(?:,\d+)? \+(\d+)/.exec(head)?.[1] ?? 0);
  return start === 0 ? undefined : start;
}

function sortOf(lines: SourceLines, index: number): DiffLine["sort"] {
  const head = lines.head(index, HEAD);
  if (isFileName(lines, index, head)) return "name";
  if (head.startsWith("-")) return "removed";
  if (head.startsWith("+")) return "added";
  if (/^@@ /.test(head)) return "hunk";
  if (FILE_TITLE.test(head)) return "title";
  if (/^(?:rename|new file|deleted file|Binary files|GIT binary patch|old mode|new mode|copy)\b/.test(head))
    return "fact";
  return /^(?:commit [\da-f]{7,}|Author:|Date:| \S.{0,100}\| +\d+ | \d+ files? changed|\\ No newline)/.test(head)
    ? "note"
    : "other";
}

/** A removed line may begin like the name of the old file, but the name of the new one does not follow it. */
function isFileName(lines: SourceLines, index: number, head: string): boolean {
  if (/^--- \S/.test(head)) return index + 1 < lines.count && /^\+\+\+ \S/.test(lines.head(index + 1, 8));
  return /^\+\+\+ \S/.test(head) && index > 0 && /^--- \S/.test(lines.head(index - 1, 8));
}

function tierOf(line: DiffLine, titled: boolean): number {
  if (line.sort === "removed" || line.sort === "added") return changeTier(line.order);
  if (line.sort === "name") return titled ? TIER.none : TIER.verdict;
  return { title: TIER.verdict, fact: TIER.error, hunk: TIER.place, note: TIER.detail, other: TIER.none }[line.sort];
}

function changeTier(order: number): number {
  if (order === 0) return TIER.error;
  return order < EARLY_CHANGES ? TIER.notice : TIER.edge;
}
