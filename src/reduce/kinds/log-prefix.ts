import type { SourceLines } from "../source-lines.js";
import { sampleIndexes } from "../source-lines.js";
import {
  type Column,
  type ColumnSort,
  cellKey,
  conforms,
  describeColumn,
  isOutcome,
  isState,
  isTimeOrLevel,
  levelIn,
} from "./log-column.js";

/**
 * The columns that open nearly every line of a log: time, host, process, level, logger. Plain words are never among
 * them, apart from a host between the time and the process: what is taken for a prefix is left out of a digest, as far
 * as it tells no line from another. Lines whose cells differ are never counted as one kind, times and ids aside.
 */
export interface LogPrefix {
  readonly columns: readonly Column[];
  readonly hasLevel: boolean;
  /** The column after the prefix, if it holds numbers that may tell how something went. */
  readonly state: Column | undefined;
}

const SAMPLE = 300;
const MAX_COLUMNS = 14;
const USUAL = 0.8;
/** So many columns of no known sort may stand between two that are. */
const MAX_UNKNOWN = 2;
/** Processes that log to one host are many; a word before the same colon in every line is a message. */
const PROCESSES = 3;
const LONGEST_BRACKET = 160;

export function findLogPrefix(lines: SourceLines): LogPrefix | undefined {
  const heads = sampleIndexes(lines.count, SAMPLE)
    .map((index) => lines.head(index, 300))
    .filter((head) => head.trim() !== "");
  const rows = heads.map(cellsOf);
  const usually = (test: (head: string) => boolean) => heads.filter(test).length >= heads.length * USUAL;
  const isAligned = (cell: string) =>
    usually((head) => /^(?: {2}|\t|\|)/.test(head.slice(head.indexOf(cell) + cell.length)));
  const described = Array.from({ length: MAX_COLUMNS }, (_, column) =>
    describeColumn(
      rows.map((row) => row[column]),
      isAligned,
    ),
  );
  const all = described.map((column, index) =>
    isDay(described.slice(Math.max(0, index - 1), index + 2)) ? { ...column, sort: "day" as const } : column,
  );
  const piped = usually((head) => head.slice(0, 80).includes("|"));
  const length = prefixLength(all, piped);
  const columns = all.slice(0, length);
  const state = all.slice(length, length + 1).find(isState);
  const has = (sort: ColumnSort) => columns.some((column) => column.sort === sort);
  return has("time") || has("epoch") || has("level") ? { columns, hasLevel: has("level"), state } : undefined;
}

/** A number between a month and a time of day. */
function isDay([before, column, after]: readonly Column[]): boolean {
  return before?.sort === "time" && column?.sort === "number" && after?.sort === "time";
}

function prefixLength(columns: readonly Column[], piped: boolean): number {
  let length = 0;
  for (const [index, column] of columns.entries()) {
    const between = columns.slice(length, index);
    if (between.filter(({ sort }) => sort === "unknown").length > MAX_UNKNOWN) break;
    if (extendsPrefix(column, between, columns[length - 1]) || (piped && isPiped(column, between))) length = index + 1;
  }
  return length;
}

function extendsPrefix(column: Column, between: readonly Column[], last: Column | undefined): boolean {
  if (column.sort === "sign") return between.length === 0;
  if (column.sort === "unknown" || column.sort === "number" || column.sort === "host") return false;
  if (column.sort === "epoch" && between[0]?.isWord !== true) return true;
  if (between.every(({ isWord }) => !isWord)) return true;
  const hostBetween = between.length === 1 && last?.sort === "time";
  return hostBetween && column.sort === "name" && column.distinct >= PROCESSES;
}

function isPiped({ sort }: Column, between: readonly Column[]): boolean {
  return (sort === "number" || sort === "sign") && between.length <= 1 && between.every(({ isWord }) => !isWord);
}

export interface SplitLine {
  /** Where the message begins; 0 for a line without the prefix. */
  readonly start: number;
  readonly level: string;
  /** Where the cell of the level ends. */
  readonly levelEnd: number;
  readonly cells: PrefixCells;
}

/** What of a prefix tells one line from another: all but times, levels, ids and what nearly all lines have. */
interface PrefixCells {
  /** Where the first of the cells begins; undefined where there is none. */
  readonly start: number | undefined;
  /** Equal for lines with the same cells. */
  readonly key: number;
  /** Where the first begins that is rare. */
  readonly rare: number | undefined;
  /** Where the first begins that is rare and no mere name, so that it says as much as the message. */
  readonly telling: number | undefined;
}

/** In these columns a cell of another form may stand. */
const OPEN: ReadonlySet<ColumnSort> = new Set(["unknown", "host", "sign"]);
const NO_CELLS: PrefixCells = { start: undefined, key: 0, rare: undefined, telling: undefined };
/** A message without a word says nothing without the name before it. */
const WORD = /\p{L}{2}/u;
const MESSAGE = 200;
/** When a line was written: its first cells of time, as they stand. */
export function timeOf(line: string, { columns }: LogPrefix): string {
  const isTime = ({ sort }: Column) => sort === "time" || sort === "day" || sort === "epoch";
  let [start, at] = [line.length, 0];
  for (const column of columns) {
    const begin = skip(line, at, false);
    const end = cellEnd(line, begin);
    if (isTime(column)) start = Math.min(start, begin);
    else if (start < line.length) break;
    at = end;
  }
  return line.slice(start, at).replace(/[,:]$/, "");
}

const KEY_LIMIT = 2 ** 47;

/** Finds the message of a line, which begins after the last cell that fits its column, and its level. */
export function splitPrefix(line: string, prefix: LogPrefix | undefined): SplitLine {
  let [start, levelEnd, at, level] = [0, 0, 0, ""];
  let cells = NO_CELLS;
  let seen = NO_CELLS;
  let named: number | undefined;
  for (const column of prefix?.columns ?? []) {
    const begin = skip(line, at, false);
    at = cellEnd(line, begin);
    const cell = line.slice(begin, at);
    const isKnown = column.sort !== "unknown" && column.sort !== "host" && conforms(cell, column);
    if (cell === "" || !(isKnown || OPEN.has(column.sort))) break;
    seen = withCell(seen, cell, { begin, column });
    if (!isTimeOrLevel(column)) named ??= begin;
    if (!isKnown) continue;
    if (level === "") [level, levelEnd] = [levelIn(cell, column), at];
    cells = seen;
    start = skip(line, at, false);
  }
  if (start >= line.length)
    return { start: 0, level, levelEnd, cells: { ...cells, start: 0, telling: cells.telling && 0 } };
  const first = line.slice(start, cellEnd(line, start));
  const { state } = prefix ?? {};
  if (state !== undefined && conforms(first, state)) cells = withCell(cells, first, { begin: start, column: state });
  const isBare = named !== undefined && named < start && !WORD.test(line.slice(start, start + MESSAGE));
  return { start: isBare ? named! : start, level, levelEnd, cells };
}

function withCell(cells: PrefixCells, cell: string, { begin, column }: { begin: number; column: Column }): PrefixCells {
  const key = cellKey(cell, column);
  if (key === 0) return cells;
  const isRare = !column.common.has(key);
  const { start = begin, rare = isRare ? begin : undefined } = cells;
  const { telling = isRare && !isMereName(cell, column) ? begin : undefined } = cells;
  return { start, key: (cells.key % KEY_LIMIT) * 31 + key, rare, telling };
}

/** Who speaks, where that does not tell how something went. */
function isMereName(cell: string, { sort }: Column): boolean {
  return (sort === "name" || sort === "unknown" || sort === "host") && !isOutcome(cell);
}

function cellsOf(line: string): string[] {
  const cells: string[] = [];
  for (let at = skip(line, 0, false); at < line.length && cells.length < MAX_COLUMNS; at = skip(line, at, false)) {
    const end = cellEnd(line, at);
    cells.push(line.slice(at, end));
    at = end;
  }
  return cells;
}

/** A cell ends at a separator; one that opens with a bracket, not before that closes. */
function cellEnd(line: string, begin: number): number {
  if (line[begin] !== "[") return skip(line, begin, true);
  const close = line.indexOf("]", begin);
  return skip(line, close < 0 || close - begin > LONGEST_BRACKET ? begin : close, true);
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
