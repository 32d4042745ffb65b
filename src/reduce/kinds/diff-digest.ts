import { type Excerpt, excerpt } from "../excerpt.js";
import { rowMark } from "../marks.js";
import type { CountTokens } from "../measure.js";
import { digestRows, type Row } from "../rows.js";
import type { SourceLines } from "../source-lines.js";
import { eachDiffLine, pairChanges, scoreDiff } from "./diff.js";

export interface DiffRequest {
  readonly lines: SourceLines;
  readonly maxTokens: number;
  readonly count: CountTokens;
}

const CLOSELY = 5_000;
const NAME_WEIGHT = 1_000;
const LONGEST = 2_000;

/** An excerpt where it shows each file and the first change of each hunk; else rows, which need no marks between. */
export function reduceDiff({ lines, maxTokens, count }: DiffRequest): Excerpt {
  const request = { lines, kind: "diff", maxTokens, count };
  const tiers = scoreDiff(lines);
  const { essentialsOmitted, ...whole } = excerpt({ ...request, tiers, partners: pairChanges(lines), headShare: 0.6 });
  if (essentialsOmitted === 0) return whole;
  const { names, changes } = collectRows(lines);
  const facts = [`${lines.count} lines`, `${names.length} ${names.length === 1 ? "file" : "files"}`];
  const digest = digestRows({
    ...request,
    rows: [...names.slice(0, CLOSELY), ...changes.slice(0, CLOSELY)],
    facts: [...facts, "line: file or change"],
  });
  return { text: digest.text, linesOmitted: Math.max(0, lines.count - digest.text.split("\n").length + 1) };
}

function collectRows(lines: SourceLines): { names: Row[]; changes: Row[] } {
  const names: Row[] = [];
  const changes = new Map<number, Row>();
  let titled = false;
  eachDiffLine(lines, (line, index) => {
    titled ||= line.sort === "title";
    if (line.sort === "title" || (line.sort === "name" && !titled)) addName(names, { lines, index });
    const isChange = line.sort === "added" || line.sort === "removed";
    if (!isChange || changes.size >= CLOSELY) return;
    const first = line.partner === undefined ? undefined : changes.get(line.partner);
    if (first === undefined) changes.set(index, changeRow({ lines, index, family: names.length }));
    else changes.set(line.partner!, withAdded(first, { lines, index }));
  });
  return { names, changes: [...changes.values()] };
}

interface Place {
  readonly lines: SourceLines;
  readonly index: number;
}

function addName(names: Row[], { lines, index }: Place): void {
  const head = lines.head(index, LONGEST);
  const last = names.at(-1);
  if (head.startsWith("+++ ") && last?.line === lines.number(index - 1)) names.pop();
  const text = nameIn(head);
  names.push({ line: lines.number(index), count: 1, text, weight: NAME_WEIGHT, family: -1 - index, essential: true });
}

/** The path of a file that kept its name; the title as it stands for one that did not. */
function nameIn(title: string): string {
  const same = /^diff --git a\/(.+) b\/\1$/.exec(title);
  return same?.[1] ?? title;
}

function changeRow({ lines, index, family }: Place & { readonly family: number }): Row {
  const text = lines.head(index, LONGEST).trimEnd();
  return { line: lines.number(index), count: 1, text, weight: 1, family, essential: true };
}

function withAdded(row: Row, { lines, index }: Place): Row {
  return { ...row, text: `${row.text}\n${rowMark(lines.number(index), 1)}${lines.head(index, LONGEST).trimEnd()}` };
}
