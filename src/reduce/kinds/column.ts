/**
 * What one column of a table, or one field of a list of records, usually holds. A column keeps a bounded number of
 * values and of numbers however many cells it is told of, so that it can learn from a text of any length.
 */
export interface Column {
  cells: number;
  /** How often each of the first values occurred. */
  readonly values: Map<string, number>;
  /** Cells whose value is among those. */
  listed: number;
  numbers: number;
  /** Evenly spaced numbers of the column; the spacing doubles when they become too many. */
  sample: number[];
  spacing: number;
  first: number;
  previous: number;
  ups: number;
  downs: number;
}

/** How odd a cell is for its column, in bits; 0 for one that is not. */
export type CellJudge = (cell: string) => number;

const MOST_VALUES = 64;
const MOST_NUMBERS = 2_048;
/** After so many cells a column that keeps few of its values, or holds few numbers, learns no more of them. */
const TRIAL = 1_000;
const CELL_LENGTH = 80;
const FEWEST_CELLS = 8;
/** A value is rare below this share of the cells; the values that are not rare make up most of a column. */
const RARE = 0.03;
const COMMON = 0.9;
const NUMERIC = 0.8;
/** With more values than this, it is the size of a number that tells, not how often it occurs. */
const FEW_NUMBERS = 12;
/** A number is far out at so many times the distance that most keep from the middle. */
const FAR = 5;
const MOST_DISTANCE_BITS = 8;
/** A step back in so many steps forward is still one direction. */
const ONE_WAY = 20;

export function createColumn(): Column {
  return {
    cells: 0,
    values: new Map(),
    listed: 0,
    numbers: 0,
    sample: [],
    spacing: 1,
    first: Number.NaN,
    previous: Number.NaN,
    ups: 0,
    downs: 0,
  };
}

export function learnCell(column: Column, cell: string): void {
  const isNew = column.cells++ < TRIAL;
  if (isNew || column.listed * 2 >= column.cells) learnValue(column, cell);
  if (!isNew && column.numbers * 2 < TRIAL) return;
  const number = parseNumber(cell);
  if (!Number.isNaN(number)) learnNumber(column, number);
}

const headOf = (cell: string): string => (cell.length > CELL_LENGTH ? cell.slice(0, CELL_LENGTH) : cell);

function learnValue(column: Column, cell: string): void {
  const value = headOf(cell);
  const known = column.values.get(value) ?? 0;
  if (known === 0 && column.values.size >= MOST_VALUES) return;
  column.values.set(value, known + 1);
  column.listed++;
}

function learnNumber(column: Column, number: number): void {
  if (number > column.previous) column.ups++;
  else if (number < column.previous) column.downs++;
  if (column.numbers === 0) column.first = number;
  column.previous = number;
  if (column.numbers++ % column.spacing !== 0) return;
  column.sample.push(number);
  if (column.sample.length < MOST_NUMBERS) return;
  column.sample = column.sample.filter((_, index) => index % 2 === 0);
  column.spacing *= 2;
}

const NUMBER = /^[-+]?[$€£]?(\d[\d,]*(?:\.\d+)?(?:[eE][-+]?\d+)?)\s?([%kKMGT]?i?[bB]?|[mµun]?s)$/;
const SCALES: Readonly<Record<string, number>> = {
  k: 1e3,
  K: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  m: 1e-3,
  µ: 1e-6,
  u: 1e-6,
  n: 1e-9,
};

/** The number that a cell shows, with its unit; NaN for a cell that shows none. */
function parseNumber(cell: string): number {
  const first = cell.charCodeAt(0);
  if (first > 57 && first < 128) return Number.NaN;
  const plain = first >= 48 || first === 45 ? Number(cell) : Number.NaN;
  if (Number.isFinite(plain)) return plain;
  const [, digits, unit] = NUMBER.exec(cell.length > CELL_LENGTH ? "" : cell) ?? [];
  if (digits === undefined) return Number.NaN;
  const size = Number(digits.replaceAll(",", "")) * (SCALES[unit?.[0] ?? ""] ?? 1);
  if (!Number.isFinite(size)) return Number.NaN;
  return cell.startsWith("-") ? -size : size;
}

/** Judges cells by what the column has learnt so far; undefined where none can be odd. */
export function judgeColumn(column: Column): CellJudge | undefined {
  if (column.cells < FEWEST_CELLS) return undefined;
  if (runsOneWay(column)) return judgeByRun(column);
  const isNumeric = column.numbers >= column.cells * NUMERIC;
  const byValue = isNumeric && column.values.size > FEW_NUMBERS ? undefined : judgeByValue(column);
  if (!isNumeric) return byValue;
  const bySize = judgeBySize(column);
  return (cell) => Math.max(byValue?.(cell) ?? 0, bySize(parseNumber(cell)));
}

/** Ids, times and offsets grow from row to row: that the last is far from the first means nothing. */
function runsOneWay({ ups, downs }: Column): boolean {
  const least = Math.min(ups, downs);
  return ups + downs >= FEWEST_CELLS && least * ONE_WAY <= ups + downs;
}

/** Where numbers run one way, one is odd that is farther outside of the first and the last than these are apart. */
function judgeByRun({ first, previous, cells, sample }: Column): CellJudge | undefined {
  const [least, most] = first < previous ? [first, previous] : [previous, first];
  const span = most - least;
  const outside = (number: number) => Math.max(least - number, number - most);
  const far = sample.filter((number) => outside(number) > span).length;
  const bits = Math.log2(cells / Math.max(1, far));
  return span > 0 && Number.isFinite(span) ? (cell) => (outside(parseNumber(cell)) > span ? bits : 0) : undefined;
}

function judgeByValue({ cells, values }: Column): CellJudge | undefined {
  const rarely = Math.max(1, cells * RARE);
  let common = 0;
  for (const times of values.values()) if (times > rarely) common += times;
  if (common < cells * COMMON) return undefined;
  const rareBits = Math.log2(cells / Math.max(1, cells - common));
  return (cell) => {
    const times = values.get(headOf(cell)) ?? 1;
    return times > rarely ? 0 : (rareBits + Math.log2(cells / times)) / 2;
  };
}

function judgeBySize({ cells, numbers, sample }: Column): (number: number) => number {
  const sorted = Float64Array.from(sample).sort();
  const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)]!;
  const middle = at(0.5);
  const limit = farLimit(sorted, { middle, reach: (at(0.9) - at(0.1)) / 2 });
  const far = sample.filter((number) => Math.abs(number - middle) >= limit).length;
  const rareBits = Math.log2(Math.min(numbers, sample.length / Math.max(far, 1)));
  const otherBits = numbers >= cells * COMMON ? Math.log2(cells / Math.max(1, cells - numbers)) : 0;
  return (number) => {
    if (Number.isNaN(number)) return otherBits;
    const distance = Math.abs(number - middle);
    return distance < limit ? 0 : rareBits + Math.min(MOST_DISTANCE_BITS, Math.log2(distance / limit));
  };
}

/** Where most numbers are the same, the nearest that is not sets the measure. */
function farLimit(sorted: Float64Array, { middle, reach }: { middle: number; reach: number }): number {
  if (reach > 0) return reach * FAR;
  let nearest = Number.POSITIVE_INFINITY;
  for (const number of sorted) if (number !== middle) nearest = Math.min(nearest, Math.abs(number - middle));
  return Number.isFinite(nearest) ? nearest : Math.max(Math.abs(middle) / FAR, Number.MIN_VALUE);
}
