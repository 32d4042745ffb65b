import type { Excerpt } from "../excerpt.js";
import { digestRows, type Row } from "../rows.js";
import type { SourceLines } from "../source-lines.js";
import { digestDirectories, isDirectoryListing } from "./directory-listing.js";
import type { DigestRequest } from "./log.js";

/** `path:12:text` and `path:text`, as grep and ripgrep print them. */
const MATCH = /^[^\s:][^:]{0,300}:\d+[:-]/;
/** A path alone on its line, as find, git ls-files and glob print it. */
const PATH = /^(?:\.{0,2}\/|[A-Za-z]:\\)?[\w@.+~-][^\s:*?"<>|]{0,400}$/;
/** A row of `tree`. */
export const TREE_ENTRY = /^[│| \u00a0]*(?:[├└]─|[|`]-- |[+\\]---)/;

interface Group {
  readonly index: number;
  readonly depth: number;
  count: number;
}

/** One entry for each directory or matched file, with how many it stands for: shallow and crowded ones first. */
export function digestListing(request: DigestRequest): Excerpt {
  const { lines } = request;
  if (isDirectoryListing(lines)) return digestDirectories(request);
  const groups = collectGroups(lines);
  const rows = [...groups.values()].map((group) => groupRow(group, lines));
  const facts = [
    `${lines.count} lines`,
    `${groups.size} ${groups.size === 1 ? "group" : "groups"}`,
    "line ×count: first of its group",
  ];
  const digest = digestRows({ ...request, rows, facts });
  return { text: digest.text, linesOmitted: lines.count - digest.rows };
}

function collectGroups(lines: SourceLines): Map<string, Group> {
  const groups = new Map<string, Group>();
  for (let index = 0; index < lines.count; index++) {
    const line = lines.head(index, 600);
    if (line.trim() === "") continue;
    const key = groupKey(line);
    const known = groups.get(key);
    if (known === undefined) groups.set(key, { index, depth: depthOf(key), count: 1 });
    else known.count++;
  }
  return groups;
}

/** The matched file; the directory and the extension of a path. */
function groupKey(line: string): string {
  if (MATCH.test(line)) return line.slice(0, line.indexOf(":", 2));
  const slash = Math.max(line.lastIndexOf("/"), line.lastIndexOf("\\"));
  const dot = line.lastIndexOf(".");
  return `${line.slice(0, slash + 1)}*${dot > slash + 1 ? line.slice(dot) : ""}`;
}

function depthOf(path: string): number {
  return path.split(/[/\\]/).length;
}

function groupRow({ index, depth, count }: Group, lines: SourceLines): Row {
  const weight = (1 + Math.log2(count)) / depth;
  return { line: lines.number(index), count, text: lines.head(index, 2_000), weight, family: -1 - index };
}

/** Whether nearly all lines are matches of a search, or paths of which most name a directory. */
export function isListing(sample: readonly string[]): boolean {
  const share = (pattern: RegExp) => sample.filter((line) => pattern.test(line)).length / Math.max(1, sample.length);
  return (
    share(MATCH) > 0.7 || (share(PATH) > 0.9 && sample.filter((line) => /[/\\]/.test(line)).length > sample.length / 2)
  );
}
