/**
 * Lines of one kind differ in their variables. Most of those tell nothing of a line; one that hardly ever is what it
 * is there, such as a state of 500 among those of 200, may be what a log is read for.
 */
import { type LineVariable, lineVariables } from "../line-template.js";
import type { SourceLines } from "../source-lines.js";
import { type CellJudge, type Column, createColumn, judgeColumn, learnCell } from "./column.js";
import { LINE_HEAD, type LineKind, type LogKinds } from "./log-kinds.js";

/** The first of the lines of a kind that have the same odd value in the same place. */
export interface OddLine {
  readonly index: number;
  readonly kind: LineKind;
  /** What stands before the value, hashed. */
  readonly context: number;
  /** How odd the value is. */
  readonly bits: number;
  readonly isVeryOdd: boolean;
  readonly isState: boolean;
  /** Where the value stands in the line. */
  readonly offset: number;
  count: number;
}

/** A kind of so many lines is learnt by itself; variables of others are pooled by what stands before them. */
const MANY_LINES = 24;
/** Keys of the columns of pooled variables are below this. */
const POOLED = 2 ** 32;
const MOST_COLUMNS = 1_024;
const LINES_LEARNT = 50_000;
const STATES = 12;
const LEAST_BITS = 5;
/** Values that are so odd come before all others. */
const VERY_ODD = 8;
const MOST_ODD = 128;
/** What may be odd: a state or an amount with its unit, no id or address; of pooled variables a state alone. */
const STATE = /^-?\d{1,3}$/;
const AMOUNT = /^[-+]?\d{1,12}(?:\.\d+)?(?:%|[A-Za-z]{1,3})?$/;

/** A variable of a line; the key is that of its column. */
interface Cell {
  readonly text: string;
  readonly offset: number;
  readonly context: number;
  readonly key: number;
}

/** The lines with odd values: the oddest of each place first, then the second of each, and so on; states before amounts. */
export function findOddLines(lines: SourceLines, log: LogKinds): OddLine[] {
  const judges = judgeColumns(learnColumns(lines, log));
  const found: Found = { odd: new Map(), least: 0, usual: new Map() };
  const scopes = new Set([...judges.keys()].map((key) => Math.floor(key / POOLED)));
  for (let index = 0; index < lines.count; index++) {
    const kind = log.byLine[index];
    if (kind === undefined || !scopes.has(scopeOf(kind))) continue;
    const oddest = oddestCell(cellsOf(lines, log, index), judges);
    if (oddest === undefined || oddest.bits < LEAST_BITS)
      keepUsual(found, kind, { index, size: lines.length(index) - log.starts[index]! });
    else keepOdd(found, { index, kind, count: 1, isVeryOdd: oddest.bits >= VERY_ODD, ...oddest });
  }
  showUsual(found);
  return inTurn([...found.odd.values()]);
}

/** Learns the columns that hold nothing but states and amounts. */
function learnColumns(lines: SourceLines, log: LogKinds): Map<number, Column | undefined> {
  const columns = new Map<number, Column | undefined>();
  const step = Math.max(1, Math.ceil(lines.count / LINES_LEARNT));
  for (let index = 0; index < lines.count; index++) {
    // An uneven choice, which no period of the log can agree with.
    if (step > 1 && (Math.imul(index, 0x9e3779b1) >>> 16) % step !== 0) continue;
    for (const { key, text } of cellsOf(lines, log, index)) {
      if (columns.has(key) ? columns.get(key) === undefined : columns.size >= MOST_COLUMNS) continue;
      const column = isTelling(key, text) ? (columns.get(key) ?? createColumn()) : undefined;
      columns.set(key, column);
      if (column !== undefined) learnCell(column, text);
    }
  }
  return columns;
}

function isTelling(key: number, text: string): boolean {
  return (key < POOLED ? STATE : AMOUNT).test(text);
}

interface Judge {
  readonly bits: CellJudge;
  /** Whether the column holds few values, as one of states does. */
  readonly isState: boolean;
}

function judgeColumns(columns: ReadonlyMap<number, Column | undefined>): Map<number, Judge> {
  const judges = new Map<number, Judge>();
  for (const [key, column] of columns) {
    const bits = column === undefined ? undefined : judgeColumn(column);
    if (bits !== undefined) judges.set(key, { bits, isState: column!.values.size <= STATES });
  }
  return judges;
}

function cellsOf(lines: SourceLines, { byLine, starts }: LogKinds, index: number): Cell[] {
  const kind = byLine[index];
  if (kind === undefined) return [];
  const line = lines.head(index, LINE_HEAD);
  const times = new Map<number, number>();
  const cells: Cell[] = [];
  for (const variable of lineVariables(line, starts[index])) {
    const { start, end, context } = variable;
    const earlier = times.get(context) ?? 0;
    times.set(context, earlier + 1);
    if (isTime(line, variable)) continue;
    const place = (context + earlier * 0x9e3779b1) >>> 0;
    cells.push({ text: line.slice(start, end), offset: start, context: place, key: scopeOf(kind) * POOLED + place });
  }
  return cells;
}

function scopeOf({ id, count }: LineKind): number {
  return count >= MANY_LINES ? id : 0;
}

/** A part of what colons join to a time of day. */
function isTime(line: string, { start, end }: LineVariable): boolean {
  if (line[end] === ":" && isDigit(line.charCodeAt(end + 1))) return true;
  return line[start - 1] === ":" && isDigit(line.charCodeAt(start - 2));
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

interface OddCell extends Omit<Cell, "text"> {
  readonly bits: number;
  readonly isState: boolean;
  readonly text: string;
}

function oddestCell(cells: readonly Cell[], judges: ReadonlyMap<number, Judge>): OddCell | undefined {
  let oddest: OddCell | undefined;
  for (const cell of cells) {
    const judge = judges.get(cell.key);
    const bits = judge?.bits(cell.text) ?? 0;
    if (bits > (oddest?.bits ?? 0)) oddest = { ...cell, bits, isState: judge?.isState === true };
  }
  return oddest;
}

interface Found {
  odd: Map<string, OddLine>;
  /** Values that are not odder than this are among the oddest only if they are held already. */
  least: number;
  /** The shortest line of each kind without an odd value. */
  readonly usual: Map<LineKind, Pick<LineKind, "index" | "size">>;
}

/** Keeps the oddest. A value is as odd in each line of its kind: one that is dropped is not counted from later lines. */
function keepOdd(found: Found, line: OddLine & { readonly key: number; readonly text: string }): void {
  if (line.bits < found.least) return;
  const name = `${line.kind.id} ${line.key} ${line.text}`;
  const known = found.odd.get(name);
  if (known !== undefined) known.count++;
  else if (line.bits > found.least) found.odd.set(name, line);
  if (found.odd.size < 2 * MOST_ODD) return;
  const sorted = [...found.odd].sort(([, a], [, b]) => b.bits - a.bits || a.index - b.index);
  found.odd = new Map(sorted.slice(0, MOST_ODD));
  found.least = sorted[MOST_ODD]![1].bits;
}

function keepUsual({ usual }: Found, kind: LineKind, line: Pick<LineKind, "index" | "size">): void {
  const known = usual.get(kind);
  if (known === undefined || line.size < known.size) usual.set(kind, line);
}

/** A line with an odd value does not stand for others, and they not for it. */
function showUsual({ odd, usual }: Found): void {
  for (const { kind, index, count } of odd.values()) {
    const shown = usual.get(kind);
    if (shown !== undefined) kind.count -= count;
    Object.assign(kind, shown ?? { index });
  }
}

function inTurn(odd: readonly OddLine[]): OddLine[] {
  const byBits = [...odd].sort((a, b) => b.bits - a.bits || a.index - b.index);
  const turns = new Map<number, number>();
  const ranked = byBits.map((line) => {
    const turn = turns.get(line.context) ?? 0;
    turns.set(line.context, turn + 1);
    return { line, turn };
  });
  return ranked
    .sort((a, b) => a.turn - b.turn || Number(b.line.isState) - Number(a.line.isState))
    .map(({ line }) => line);
}
