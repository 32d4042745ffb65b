import { type Excerpt, excerpt } from "../excerpt.js";
import type { CountTokens } from "../measure.js";
import { digestRows, type Row } from "../rows.js";
import type { SourceLines } from "../source-lines.js";
import { type DiffChange, eachDiffLine, pairChanges, scoreDiff } from "./diff.js";
import { diffFiles } from "./diff-files.js";

export interface DiffRequest {
  readonly lines: SourceLines;
  readonly maxTokens: number;
  readonly count: CountTokens;
}

const CLOSELY = 5_000;
/** Long enough to find where two lines of generated code differ. */
const LONGEST = 20_000;
const SPEAKS = /[\p{L}\p{N}]/u;
const OPENING_WEIGHT = 2;
/** A brace or a blank line says nothing. */
const SILENT_WEIGHT = 0.1;

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
    rows: [...names.slice(0, CLOSELY), ...changes],
    facts: [...facts, "line: file or change", "@line in file"],
  });
  return { text: digest.text, linesOmitted: lines.count - digest.rows };
}

function collectRows(lines: SourceLines): { names: Row[]; changes: Row[] } {
  const files = diffFiles(lines);
  const changes = new Map<number, Row>();
  let opens = false;
  eachDiffLine(lines, (line, index) => {
    files.see(line, index);
    if (line.sort === "hunk") opens = true;
    if (line.sort !== "added" && line.sort !== "removed") return;
    const row = { ...changeRow(shownLine(lines, index), line, opens), family: files.count() };
    const first = line.partner === undefined ? undefined : changes.get(line.partner);
    if (first !== undefined) changes.set(line.partner!, withPartner(first, row));
    else if (changes.size < CLOSELY) changes.set(index, row);
    opens &&= !SPEAKS.test(row.text);
  });
  return { names: files.rows(), changes: [...changes.values()] };
}

function shownLine(lines: SourceLines, index: number): Pick<Row, "line" | "text"> {
  return { line: lines.number(index), text: lines.head(index, LONGEST).trimEnd() };
}

/** The first change of a hunk that says something stands for the hunk, and tells its place. */
function changeRow(shown: Pick<Row, "line" | "text">, { place }: DiffChange, opens: boolean): Omit<Row, "family"> {
  const row = { ...shown, count: 1, weight: 1, essential: true };
  if (!SPEAKS.test(shown.text)) return { ...row, weight: SILENT_WEIGHT };
  if (!opens) return row;
  return { ...row, weight: OPENING_WEIGHT, ...(place === undefined ? {} : { place }) };
}

function withPartner(row: Row, partner: Row): Row {
  return { ...partner, ...row, weight: Math.max(row.weight, partner.weight), partner };
}
