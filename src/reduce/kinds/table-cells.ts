import type { SourceLines } from "../source-lines.js";

const DELIMITERS = [",", "\t", ";", "|"] as const;
/** Between columns that are aligned by spaces stand two or more, or where cells hold none, one or more. */
const WIDE_SPACE = /\s{2,}|\t/;
const SPACE = /\s+/;
/** So much of a row is looked at. */
const ROW_LENGTH = 4_000;
const MOST_CELLS = 64;
const QUOTE = 0x22;
const SINGLE_QUOTE = 0x27;
const COMMA = 0x2c;
/** A row of a dump of a database: what stands between the parentheses are its cells. */
const SQL_ROW = /^(?:(?:INSERT|REPLACE)\b[^'(]{0,300}(?:\([^'()]{0,2000}\)\s*)?VALUES\s*)?\((?=[-+\d'N])/i;
const SQL_END = /\)[;,]?\s*$/;
const NUMBER_CELL = /^-?\d[\d.,]*[%kKMGT]?i?B?$/;
const REGULAR = 0.85;
const NEARLY_ALL = 0.95;

/** How the rows of a table are split into cells. */
export interface TableForm {
  /** Cells that a row usually has. */
  readonly width: number;
  cells(index: number): string[];
}

/** The delimiter that splits nearly all sampled lines into the same number of cells, at least three. */
export function findDelimiter(sample: readonly string[]): string | undefined {
  return DELIMITERS.find((delimiter) => usualWidth(sample.map((line) => delimited(line, delimiter).length)) >= 3);
}

/** Whether nearly all lines are rows of a dump of a database. */
export function isSqlDump(sample: readonly string[]): boolean {
  return sample.length > 0 && sample.filter(isSqlRow).length >= sample.length * REGULAR;
}

function isSqlRow(line: string): boolean {
  return SQL_ROW.test(line) && SQL_END.test(line);
}

function sqlCells(line: string): string[] {
  if (!isSqlRow(line)) return [line];
  const cells = line.replace(SQL_ROW, "").replace(SQL_END, "");
  return splitQuoted(cells, COMMA, SINGLE_QUOTE).slice(0, MOST_CELLS);
}

/** Whether a first line of words stands above columns of which two or more hold numbers, as in the output of `df`. */
export function hasTitles(sample: readonly string[]): boolean {
  const [titles, ...rows] = sample.map((line) => line.trim().split(SPACE));
  const width = usualWidth(rows.map((row) => row.length));
  if (titles === undefined || width < 3 || Math.abs(titles.length - width) > 1) return false;
  const isNumber = (cell: string | undefined) => NUMBER_CELL.test(cell ?? "");
  const numeric = Array.from({ length: width }, (_, at) => at).filter(
    (at) => !isNumber(titles[at]) && rows.filter((row) => isNumber(row[at])).length >= rows.length * NEARLY_ALL,
  );
  return numeric.length >= 2 && !titles.some(isNumber);
}

/** The form of a table by some of its rows. */
export function tableForm(lines: SourceLines, sampled: readonly number[]): TableForm {
  const row = (index: number) => lines.head(index, ROW_LENGTH);
  const sample = sampled.map(row).filter((line) => line.trim() !== "");
  const split = splitOf(sample);
  const width = mostCommon(sample.map((line) => split(line).length));
  return { width, cells: (index) => split(row(index)) };
}

function splitOf(sample: readonly string[]): (line: string) => string[] {
  if (isSqlDump(sample)) return sqlCells;
  const delimiter = findDelimiter(sample);
  return delimiter === undefined ? splitSpaced(sample) : (line) => delimited(line, delimiter);
}

function splitSpaced(sample: readonly string[]): (line: string) => string[] {
  const wide = (line: string) => line.trim().split(WIDE_SPACE);
  if (!hasTitles(sample) && usualWidth(sample.map((line) => wide(line).length)) >= 3) return wide;
  const widths = sample.map((line) => line.trim().split(SPACE).length).sort((a, b) => a - b);
  const width = widths[Math.floor(widths.length * (1 - NEARLY_ALL))] ?? 1;
  return (line) => words(line.trim(), width);
}

/** Words of a line; all from the last column on are one cell, such as a command with its arguments. */
function words(line: string, width: number): string[] {
  const all = line.split(SPACE);
  if (all.length <= width) return all;
  return [...all.slice(0, width - 1), all.slice(width - 1).join(" ")];
}

/** The number of cells that nearly all rows have; 0 if they differ. */
function usualWidth(widths: readonly number[]): number {
  const usual = mostCommon(widths);
  return widths.filter((width) => width === usual).length >= widths.length * REGULAR ? usual : 0;
}

/** Cells of a row; a delimiter between double quotes does not count. */
function delimited(line: string, delimiter: string): string[] {
  const cells = line.includes('"') ? splitQuoted(line, delimiter.charCodeAt(0)) : line.split(delimiter);
  return cells.length > MOST_CELLS ? cells.slice(0, MOST_CELLS) : cells;
}

function splitQuoted(line: string, delimiter: number, quote = QUOTE): string[] {
  const cells: string[] = [];
  let quoted = false;
  let start = 0;
  for (let at = 0; at < line.length; at++) {
    const code = line.charCodeAt(at);
    if (code === quote) quoted = !quoted;
    else if (code === delimiter && !quoted) {
      cells.push(line.slice(start, at));
      start = at + 1;
    }
  }
  return [...cells, line.slice(start)];
}

function mostCommon(values: readonly number[]): number {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].reduce((best, entry) => (entry[1] > best[1] ? entry : best), [0, 0])[0]!;
}
