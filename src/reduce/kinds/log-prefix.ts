import type { SourceLines } from "../source-lines.js";
import { sampleIndexes } from "../source-lines.js";

type ColumnSort = "digits" | "constant" | "level" | "name" | "unknown";

interface Column {
  readonly sort: ColumnSort;
  /** The usual cell of a constant column. */
  readonly usual: string;
}

/** The columns that open nearly every line of a log: time, host, process, level. */
export interface LogPrefix {
  readonly columns: readonly Column[];
  readonly hasLevel: boolean;
}

const SAMPLE = 300;
const MAX_COLUMNS = 14;
const USUAL = 0.8;
const CONSTANT = 0.9;
/** So many columns of no known sort may stand between two that are. */
const MAX_UNKNOWN = 2;
const LEVEL =
  /^[[(<"']?(?:trace|debug|info|information|notice|warn|warning|error|err|severe|critical|crit|fatal|alert|emerg|panic|failure|[VDIWEF])[\])>,:"']*$/i;

export function findLogPrefix(lines: SourceLines): LogPrefix | undefined {
  const rows = sampleRows(lines);
  const all = Array.from({ length: MAX_COLUMNS }, (_, column) => describe(rows.map((row) => row[column])));
  const columns = all.slice(0, prefixLength(all));
  if (!columns.some(({ sort }) => sort === "digits")) return undefined;
  return { columns, hasLevel: columns.some(({ sort }) => sort === "level") };
}

function sampleRows(lines: SourceLines): string[][] {
  const heads = sampleIndexes(lines.count, SAMPLE).map((index) => lines.head(index, 300));
  return heads.filter((head) => head.trim() !== "").map((head) => head.split(/[\s|]+/, MAX_COLUMNS + 1));
}

function describe(values: readonly (string | undefined)[]): Column {
  const cells = values.filter((value): value is string => value !== undefined && value !== "");
  const [usual, count] = mostCommon(cells);
  const share = (sort: ColumnSort) => cells.filter((cell) => conforms(cell, { sort, usual })).length / values.length;
  if (share("level") >= USUAL) return { sort: "level", usual };
  if (share("digits") >= USUAL) return { sort: "digits", usual };
  if (count / values.length >= CONSTANT) return { sort: "constant", usual };
  return { sort: share("name") >= USUAL ? "name" : "unknown", usual };
}

function conforms(cell: string, { sort, usual }: Column): boolean {
  if (sort === "level") return LEVEL.test(cell);
  if (sort === "digits") return /\d/.test(cell);
  if (sort === "constant") return cell === usual;
  return sort === "unknown" || /\w[\])]?:$/.test(cell);
}

function mostCommon(cells: readonly string[]): [string, number] {
  const counts = new Map<string, number>();
  for (const cell of cells) counts.set(cell, (counts.get(cell) ?? 0) + 1);
  return [...counts].reduce((best, entry) => (entry[1] > best[1] ? entry : best), ["", 0]);
}

function prefixLength(columns: readonly Column[]): number {
  let length = 0;
  for (const [index, { sort }] of columns.entries()) {
    if (sort === "unknown") continue;
    if (index - length > MAX_UNKNOWN) break;
    length = index + 1;
  }
  return length;
}

export interface SplitLine {
  /** Where the message begins; 0 for a line without the prefix. */
  readonly start: number;
  readonly level: string;
}

/** Finds the message of a line, which begins after the last cell that fits its column, and its level. */
export function splitPrefix(line: string, prefix: LogPrefix | undefined): SplitLine {
  let start = 0;
  let level = "";
  let at = 0;
  for (const column of prefix?.columns ?? []) {
    const begin = skip(line, at, false);
    at = skip(line, begin, true);
    const cell = line.slice(begin, at);
    if (cell === "" || !conforms(cell, column)) break;
    if (column.sort === "unknown") continue;
    if (column.sort === "level") level = cell;
    start = skip(line, at, false);
  }
  return start >= line.length ? { start: 0, level } : { start, level };
}

/** Index of the next separator (`toSeparator`) or of the next character that is none. */
function skip(line: string, from: number, toSeparator: boolean): number {
  let at = from;
  while (at < line.length && isSeparator(line.charCodeAt(at)) !== toSeparator) at++;
  return at;
}

function isSeparator(code: number): boolean {
  return code === 32 || code === 9 || code === 124;
}
