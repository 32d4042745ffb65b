import type { Excerpt } from "../excerpt.js";
import { digestRows, type Row } from "../rows.js";
import type { SourceLines } from "../source-lines.js";
import { SHORT_COMMIT } from "./commits-short.js";
import type { DigestRequest } from "./log.js";

/** The first line of a commit, as `git log` prints it; with `--graph` a star stands before it. A bullet is no star. */
const COMMIT = /^(?!.{0,40} {4}\*)(?:[|\\/_ ]{0,40}\*[-.|\\/_ ]{1,40})?commit [\da-f]{7,64}\b/;
const AUTHOR = /^[*|\\/_ ]{0,40}Author: +\S/;
/** The subject is the first indented line below the header. */
const SUBJECT = /^[*|\\/_ ]{0,40} {4}(\S.*)/;
const LEAST = 3;
const CLOSELY = 2_000;
const HEADER_LINES = 12;
const HEAD = 160;
const LONGEST = 600;

/** Whether lines are the history of a repository, each commit with a header of its own. */
export function isCommits(sample: readonly string[]): boolean {
  const headed = sample.filter((line) => COMMIT.test(line)).length;
  return headed >= LEAST && sample.filter((line) => AUTHOR.test(line)).length >= headed / 2;
}

/** Hash and subject of the newest commits and of the oldest, one row each. */
export function digestCommits(request: DigestRequest): Excerpt {
  const { lines } = request;
  const headed = findCommits(lines, COMMIT);
  const starts = headed.count > 0 ? headed : findCommits(lines, SHORT_COMMIT);
  const rows = [...new Set([starts.first[0] ?? 0, starts.last])].map((index) => commitRow(lines, index));
  const fillers = starts.first.map((index) => commitRow(lines, index));
  const facts = [`${lines.count} lines`, `${starts.count} commits`, "line: commit and subject"];
  const digest = digestRows({ ...request, kind: "git log", rows, fillers, facts });
  return { text: digest.text, linesOmitted: lines.count - digest.rows };
}

interface Commits {
  readonly first: readonly number[];
  readonly last: number;
  readonly count: number;
}

function findCommits(lines: SourceLines, form: RegExp): Commits {
  const first: number[] = [];
  let last = 0;
  let count = 0;
  for (let index = 0; index < lines.count; index++) {
    if (!form.test(lines.head(index, HEAD))) continue;
    if (first.length < CLOSELY) first.push(index);
    last = index;
    count++;
  }
  return { first, last, count };
}

function commitRow(lines: SourceLines, index: number): Row {
  const head = lines.head(index, LONGEST).trimEnd();
  const [header = ""] = COMMIT.exec(head) ?? [];
  const hash = head.slice(header.indexOf("commit ") + "commit ".length);
  const text = header === "" ? head : `${hash} ${subjectAfter(lines, index)}`.trimEnd();
  return { line: lines.number(index), count: 1, text, weight: 1, family: -1 - index, essential: true };
}

function subjectAfter(lines: SourceLines, index: number): string {
  const end = Math.min(lines.count, index + HEADER_LINES);
  for (let next = index + 1; next < end; next++) {
    const head = lines.head(next, LONGEST);
    if (COMMIT.test(head)) break;
    const subject = SUBJECT.exec(head)?.[1];
    if (subject !== undefined) return subject.trimEnd();
  }
  return "";
}
