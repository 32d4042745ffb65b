import type { Excerpt } from "../excerpt.js";
import { digestRows, type Row } from "../rows.js";
import type { SourceLines } from "../source-lines.js";
import type { DigestRequest } from "./log.js";

/** The first line of a commit, as `git log` prints it, and a commit on one line, as with `--oneline`. */
const COMMIT = /^commit [\da-f]{7,64}\b/;
const SHORT_COMMIT = /^[*|\\/_ ]{0,24}[\da-f]{7,64} \S/;
const LEAST = 3;
const CLOSELY = 2_000;
const HEADER_LINES = 12;
const LONGEST = 600;

/** Whether lines are the history of a repository. */
export function isCommits(sample: readonly string[]): boolean {
  const headed = sample.filter((line) => COMMIT.test(line)).length;
  if (headed >= LEAST && sample.filter((line) => /^Author: \S/.test(line)).length >= headed / 2) return true;
  const short = sample.filter((line) => SHORT_COMMIT.test(line));
  return (
    sample.length >= LEAST && short.length >= sample.length * 0.9 && short.filter(isHash).length > short.length / 2
  );
}

/** A hash has letters and digits; a number has none of the former, a word none of the latter. */
function isHash(line: string): boolean {
  const [word = ""] = /[\da-f]{7,64}/.exec(line) ?? [];
  return /[a-f]/.test(word) && /\d/.test(word);
}

/** Hash and subject of the newest commits and of the oldest, one row each. */
export function digestCommits(request: DigestRequest): Excerpt {
  const { lines } = request;
  const starts = findCommits(lines);
  const rows = [...new Set([starts.first[0]!, starts.last])].map((index) => commitRow(lines, index));
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

function findCommits(lines: SourceLines): Commits {
  const first: number[] = [];
  let last = 0;
  let count = 0;
  for (let index = 0; index < lines.count; index++) {
    const head = lines.head(index, 100);
    if (!COMMIT.test(head) && !SHORT_COMMIT.test(head)) continue;
    if (first.length < CLOSELY) first.push(index);
    last = index;
    count++;
  }
  return { first: first.length === 0 ? [0] : first, last, count };
}

function commitRow(lines: SourceLines, index: number): Row {
  const head = lines.head(index, LONGEST).trimEnd();
  const text = COMMIT.test(head) ? `${head.slice("commit ".length)} ${subjectAfter(lines, index)}`.trimEnd() : head;
  return { line: lines.number(index), count: 1, text, weight: 1, family: -1 - index, essential: true };
}

/** The subject is the first indented line below the header. */
function subjectAfter(lines: SourceLines, index: number): string {
  const end = Math.min(lines.count, index + HEADER_LINES);
  for (let next = index + 1; next < end; next++) {
    const head = lines.head(next, LONGEST);
    if (COMMIT.test(head)) break;
    if (/^ {4}\S/.test(head)) return head.trim();
  }
  return "";
}
