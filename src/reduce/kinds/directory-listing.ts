import type { Excerpt } from "../excerpt.js";
import { ELLIPSIS, HEAD_MARK_FROM, headMark, rowMark } from "../marks.js";
import type { SourceLines } from "../source-lines.js";
import { remarkSort, SPOKEN } from "./listing-line.js";
import type { DigestRequest } from "./log.js";

/** A row of `ls -l`. */
export const LONG_ENTRY = /^[-dlcbps][-rwxsStT]{9}[@+.]?\s+\d+ /;
/** The line above the entries of a directory, as `ls -R` prints it. */
const DIRECTORY = /^(?:\S|\S[^:]{0,398}\S):$/;
/** A name alone on its line; sentences, keys with values and code are none. */
const NAME = /^(?!- )[^\s{}<>;,"'][^:;{}<>"]{0,254}$/;
/** How the command ended, as the tool that ran it may add. */
const ENDED = /^(?:Command |Process )?exit(?:ed)?\b.{0,40}\d$/i;
const TOTAL = /^total [\d.,]+[kKMGT]?B?$/;
/** What stands before the name in a row of `ls -l`: mode, links, owner, group, size, and a date of two or three words. */
const LONG_FIELDS =
  /^\S+\s+\d+\s+\S+\s+(?:\S+\s+)?[\d.,]+[kKMGT]?,?\s+(?:\d+\s+)?(?:\d{4}-\d\d-\d\d\s+[\d:.]+(?:\s+[-+]\d{4})?|\S+\s+\S+\s+[\d:]+)\s/;
const HEAD = 600;
const CHECKED_LINES = 2_000;
const CHARACTERS_PER_TOKEN = 8;

/** Whether lines are what `ls -R` prints: names under the paths of their directories, with blank lines between. */
export function isDirectoryListing(lines: SourceLines): boolean {
  const found = { directories: 0, paths: 0, entries: 0, others: 0 };
  const end = Math.min(lines.count, CHECKED_LINES);
  for (let index = 0; index < end; index++) {
    const line = lines.head(index, HEAD);
    if (line === "" || TOTAL.test(line)) continue;
    if (isDirectoryLine(lines, index)) {
      found.directories++;
      if (/[/\\]/.test(line)) found.paths++;
    } else if (LONG_ENTRY.test(line) || NAME.test(line)) found.entries++;
    else found.others++;
  }
  const { directories, paths, entries, others } = found;
  return directories >= 2 && paths * 2 >= directories && others * 20 <= entries;
}

function isDirectoryLine(lines: SourceLines, index: number): boolean {
  if (index > 0 && lines.length(index - 1) > 0 && !isRemark(lines.head(index - 1, HEAD))) return false;
  return DIRECTORY.test(lines.head(index, HEAD));
}

interface Directory {
  /** Index of the line that names it; -1 for entries above the first such line. */
  readonly index: number;
  count: number;
  /** Index after its last line. */
  end: number;
  /** How often a remark of the same sort was made, where it is no directory. */
  remarks?: number;
}

/** Every directory with the number of its entries and, as far as there is room, the first of them. */
export function digestDirectories(request: DigestRequest): Excerpt {
  const { lines, kind, maxTokens } = request;
  const directories = collectDirectories(lines);
  const facts = [
    `${lines.count} lines`,
    `${directories.filter(({ remarks }) => remarks === undefined).length} directories`,
    "line ×entries: directory: first entries",
  ];
  const heads = maxTokens >= HEAD_MARK_FROM ? [headMark(kind, ...facts), headMark(kind)] : [headMark(kind)];
  const entries = directories.reduce((sum, { count }) => sum + count, 0);
  for (const head of directories.length > maxTokens ? [] : heads) {
    const whole = mostThatFits((names) => renderDirectories(request, directories, { head, names }), entries);
    if (whole !== undefined) return whole;
  }
  return digestSomeDirectories(request, directories, heads[0]!);
}

/** Directories with so many names in all, the same number for each as far as they have them; undefined if too long. */
function renderDirectories(
  { lines, maxTokens, count }: DigestRequest,
  directories: readonly Directory[],
  { head, names }: { head: string; names: number },
): Excerpt | undefined {
  const shares = shareOut(names, directories);
  const rows = directories.map((directory, at) => directoryRow(lines, directory, shares[at]!));
  const text = [head, ...rows].join("\n");
  if (text.length > maxTokens * CHARACTERS_PER_TOKEN || count(text) > maxTokens) return undefined;
  return { text, linesOmitted: lines.count - directories.length - names };
}

/** Splits a number of names evenly; what directories with few entries do not need goes to the others. */
function shareOut(names: number, directories: readonly Directory[]): number[] {
  const shares = directories.map(() => 0);
  const order = directories.map((_, at) => at).sort((a, b) => directories[a]!.count - directories[b]!.count || b - a);
  let left = names;
  order.forEach((at, done) => {
    shares[at] = Math.min(directories[at]!.count, Math.floor(left / (order.length - done)));
    left -= shares[at];
  });
  return shares;
}

/** The rendering with the largest number, from 0 to `most`, that fits; undefined if none does. */
function mostThatFits(render: (number: number) => Excerpt | undefined, most: number): Excerpt | undefined {
  let best = render(0);
  let fits = 0;
  let fails = best === undefined ? 0 : most + 1;
  while (fails - fits > 1) {
    const number = Math.floor((fits + fails) / 2);
    const rendered = render(number);
    best = rendered ?? best;
    if (rendered === undefined) fails = number;
    else fits = number;
  }
  return best;
}

/** Where not even their paths all fit, remarks and then shallow and crowded directories come first. */
function digestSomeDirectories(request: DigestRequest, directories: readonly Directory[], head: string): Excerpt {
  const { lines } = request;
  const weight = ({ index, count, remarks }: Directory) =>
    remarks !== undefined
      ? Number.POSITIVE_INFINITY
      : (1 + Math.log2(1 + count)) / (index < 0 ? 1 : lines.head(index, HEAD).split(/[/\\]/).length);
  const ranked = directories
    .map((directory) => ({ directory, weight: weight(directory) }))
    .sort((a, b) => (a.weight === b.weight ? 0 : b.weight - a.weight))
    .map(({ directory }) => directory);
  const render = (number: number) => {
    const chosen = ranked.slice(0, number).sort((a, b) => a.index - b.index);
    return renderDirectories(request, chosen, { head, names: 0 });
  };
  return mostThatFits(render, Math.min(ranked.length, request.maxTokens)) ?? { text: head, linesOmitted: lines.count };
}

function collectDirectories(lines: SourceLines): Directory[] {
  const directories: Directory[] = [];
  const remarks = new Map<string, Directory>();
  let open: Directory = { index: -1, count: 0, end: 0 };
  for (let index = 0; index < lines.count; index++) {
    if (isRemark(lines.head(index, HEAD))) addRemark(remarks, lines, index);
    else if (isDirectoryLine(lines, index)) {
      if (open.index >= 0 || open.count > 0) directories.push(open);
      open = { index, count: 0, end: index };
    } else if (nameOf(lines.head(index, HEAD)) !== undefined) open.count++;
    open.end = index + 1;
  }
  if (open.index >= 0 || open.count > 0) directories.push(open);
  return [...directories, ...remarks.values()].sort((a, b) => a.index - b.index);
}

/** What ls says of itself, and how it ended; neither is a name. */
function isRemark(line: string): boolean {
  return ENDED.test(line) || (SPOKEN.test(line) && !DIRECTORY.test(line) && !NAME.test(line));
}

function addRemark(remarks: Map<string, Directory>, lines: SourceLines, index: number): void {
  const sort = remarkSort(lines.head(index, HEAD));
  const known = remarks.get(sort);
  if (known === undefined) remarks.set(sort, { index, count: 0, end: index + 1, remarks: 1 });
  else known.remarks = (known.remarks ?? 0) + 1;
}

/** The name in an entry; undefined for a line that is none, and for a directory's links to itself and its parent. */
function nameOf(line: string): string | undefined {
  if (line === "" || TOTAL.test(line) || isRemark(line)) return undefined;
  const name = LONG_ENTRY.test(line) ? line.replace(LONG_FIELDS, "") : line;
  return name === "." || name === ".." ? undefined : name;
}

function directoryRow(lines: SourceLines, { index, count, end, remarks }: Directory, limit: number): string {
  const names: string[] = [];
  for (let at = index + 1; at < end && names.length < limit; at++) {
    const name = nameOf(lines.head(at, HEAD));
    if (name !== undefined) names.push(name);
  }
  if (limit > 0 && names.length < count) names.push(ELLIPSIS);
  const path = index < 0 ? "" : lines.head(index, HEAD);
  const text = [path, names.join(", ")].filter((part) => part !== "").join(" ");
  return rowMark(lines.number(Math.max(0, index)), remarks ?? count) + text;
}
