import type { Excerpt } from "../excerpt.js";
import { SEVERE } from "../line-rules.js";
import { digestRows, type Row } from "../rows.js";
import type { SourceLines } from "../source-lines.js";
import { digestDirectories, isDirectoryListing } from "./directory-listing.js";
import { findFillers } from "./listing-fillers.js";
import { collectGroups, type ListingGroup } from "./listing-groups.js";
import { listingReader } from "./listing-lines.js";
import type { DigestRequest } from "./log.js";

/** A row of `tree`. */
export const TREE_ENTRY = /^[│| \u00a0]*(?:[├└]─|[|`]-- |[+\\]---)/;

const LONGEST = 2_000;
const REMARK_WEIGHT = 4;
/** Remarks of more sorts than this are no remarks, but lines of another form; those that tell of trouble still are. */
const MOST_REMARKS = 24;
const RARE_WEIGHT = 3;
/** Fewest tokens of a row: groups that do not fit at that size leave no room for anything else. */
const SMALLEST_ROW = 8;

/**
 * One entry for each directory or matched file, with how many it stands for: shallow and crowded ones first. What the
 * tool says of itself comes before all entries.
 */
export function digestListing(request: DigestRequest): Excerpt {
  const { lines } = request;
  if (isDirectoryListing(lines)) return digestDirectories(request);
  const groups = collectGroups(lines);
  const remarks = groups.filter(({ line }) => line.role === "remark").length;
  const rows = groups.map((group) => groupRow(lines, group, remarks <= MOST_REMARKS));
  const listed = groups.filter(({ count }) => count > 0).length - remarks;
  const facts = [
    `${lines.count} lines`,
    `${listed} ${listed === 1 ? "group" : "groups"}`,
    "line ×count: first of its group",
  ];
  const digest = digestRows({ ...request, rows, fillers: fillerRows(request, rows), facts });
  return { text: digest.text, linesOmitted: lines.count - digest.rows };
}

/** Whether the lines of a sample are a listing. */
export function isListing(sample: readonly string[]): boolean {
  return listingReader(sample) !== undefined;
}

function groupRow(lines: SourceLines, { index, line, count, first }: ListingGroup, hasRemarks: boolean): Row {
  const row = { ...lineRow(lines, index), count: Math.max(1, count) };
  if (line.role === "remark")
    return hasRemarks || SEVERE.test(row.text) ? { ...row, weight: REMARK_WEIGHT, essential: true } : row;
  const isEdge = index === 0 || count === 0;
  const size = ((1 + Math.log2(row.count)) / depthOf(line.key)) * (line.isRare || isEdge ? RARE_WEIGHT : 1);
  const weight = line.isRare ? Math.max(size, REMARK_WEIGHT) : size;
  if (line.role !== "heading" || first === undefined) return { ...row, weight };
  return { ...row, weight, partner: { line: lines.number(first), text: lines.head(first, LONGEST) } };
}

function lineRow(lines: SourceLines, index: number): Row {
  return { line: lines.number(index), count: 1, text: lines.head(index, LONGEST), weight: 1, family: -1 - index };
}

function depthOf(path: string): number {
  return path.split(/[/\\]/).length;
}

function fillerRows({ lines, maxTokens, count }: DigestRequest, rows: readonly Row[]): Row[] {
  if (rows.length * SMALLEST_ROW > maxTokens) return [];
  const cost = ({ text, partner }: Row) => count(text) + count(partner?.text ?? "") + SMALLEST_ROW;
  const room = maxTokens - rows.reduce((sum, row) => sum + cost(row), 0);
  if (room < SMALLEST_ROW) return [];
  const shown = new Set(rows.flatMap(({ line, partner }) => [line, partner?.line]));
  return findFillers(lines, rows.length + Math.ceil(room / SMALLEST_ROW))
    .map((index) => lineRow(lines, index))
    .filter(({ line }) => !shown.has(line));
}
