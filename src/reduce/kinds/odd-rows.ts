import type { SourceLines } from "../source-lines.js";
import { type Column, createColumn, judgeColumn, learnCell } from "./column.js";
import { type TableForm, tableForm } from "./table-cells.js";

interface OddRow {
  readonly index: number;
  /** How odd the row is, in bits: the sum over its cells. */
  readonly bits: number;
}

/** Columns learn from so many rows at most, taken from all over the table. */
const ROWS_LEARNT = 50_000;
const TROUBLE = /\b(?:error|failed|nan|inf|null|n\/a)\b/i;
const HEAD = 4_000;
/** What more than this share of the rows have in common makes none of them odd. */
const UNUSUAL = 0.2;

/** Indexes of the rows that differ from the rest in what they hold or in their form, the oddest first. */
export function findOddRows(lines: SourceLines, sampled: readonly number[]): number[] {
  const judge = judgeRows(lines, tableForm(lines, sampled));
  const odd: OddRow[] = [];
  for (let index = 1; index < lines.count; index++) {
    const bits = lines.length(index) === 0 ? 0 : judge(index);
    if (bits > 0) odd.push({ index, bits });
  }
  return odd.sort((a, b) => b.bits - a.bits || a.index - b.index).map(({ index }) => index);
}

/** What rows usually are: the contents of their columns, and how many are of another width or tell of trouble. */
interface Learnt {
  readonly columns: readonly Column[];
  rows: number;
  irregular: number;
  trouble: number;
}

function learnRows(lines: SourceLines, { width, cells }: TableForm): Learnt {
  const learnt: Learnt = { columns: Array.from({ length: width }, createColumn), rows: 0, irregular: 0, trouble: 0 };
  for (const index of learningRows(lines.count)) {
    if (lines.length(index) === 0) continue;
    const row = cells(index);
    learnt.rows++;
    if (isTrouble(lines, index)) learnt.trouble++;
    if (row.length !== width) learnt.irregular++;
    else for (const [at, column] of learnt.columns.entries()) learnCell(column, row[at]!);
  }
  return learnt;
}

function judgeRows(lines: SourceLines, { width, cells }: TableForm): (index: number) => number {
  const { columns, rows, irregular, trouble } = learnRows(lines, { width, cells });
  const judges = columns.map((column, at) => ({ at, judge: judgeColumn(column) }));
  const telling = judges.filter(({ judge }) => judge !== undefined);
  const irregularBits = unusualBits(irregular, rows);
  const troubleBits = unusualBits(trouble, rows);
  return (index) => {
    const row = cells(index);
    const bits = isTrouble(lines, index) ? troubleBits : 0;
    if (row.length !== width) return bits + irregularBits;
    return telling.reduce((sum, { at, judge }) => sum + (judge?.(row[at]!) ?? 0), bits);
  };
}

function isTrouble(lines: SourceLines, index: number): boolean {
  return TROUBLE.test(lines.head(index, HEAD));
}

function unusualBits(times: number, rows: number): number {
  return times > rows * UNUSUAL ? 0 : Math.log2(Math.max(2, rows) / Math.max(1, times));
}

/** All rows below the first, or of too many an uneven choice, which no period of the table can agree with. */
function* learningRows(count: number): Generator<number> {
  const step = Math.max(1, count / ROWS_LEARNT);
  for (let row = 0; row * step < count - 1; row++) {
    const shift = step === 1 ? 0 : Math.floor((Math.imul(row, 0x9e3779b1) >>> 16) % Math.floor(step));
    yield 1 + Math.min(count - 2, Math.floor(row * step) + shift);
  }
}
