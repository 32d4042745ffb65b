import { SEVERE } from "../line-rules.js";

/** What a column of a log holds. A `sign` is the same in nearly all lines and no word of a message. */
export type ColumnSort = "time" | "epoch" | "level" | "name" | "bracket" | "number" | "sign" | "host" | "unknown";

export interface Column {
  readonly sort: ColumnSort;
  /** Whether most cells are plain words. */
  readonly isWord: boolean;
  /** How many different cells there are. */
  readonly distinct: number;
  /** The most frequent cell. */
  readonly usual: string;
}

const USUAL = 0.8;
const CONSTANT = 0.9;

const LEVEL =
  /^[[(<"']?(?:trace|debug|info|information|notice|warn|warning|error|err|severe|critical|crit|fatal|alert|emerg|panic|failure|[VDIWEF]|[IWEF]\d{4})[\])>,:"']*$/i;
/** A date, a time of day, both, seconds since the start in brackets, a month or a day of the week. */
const TIME =
  /^[[(<"']?(?:\d{1,4}[-/.]\d\d[-/.]\d{2,4}|\d\d[-/]\d\d\W*$|\d{8}[-T_]\d{1,2}:?\d|\d{8}T?\d{4}|\d{1,2}:\d\d(?::\d\d)?(?![\d:])|\d{1,2}\/[A-Z][a-z]{2}\/\d{4})|^\[ *\d+\.\d+\]$|\d{4}-\d\d-\d\d[T_]\d\d:\d\d|^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun|Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec),?$/;
/** Seconds or milliseconds since 1970. */
const EPOCH = /^[[(<"']?1\d{9}(?:\d{3})?(?:\.\d+)?[\])>,:"']*$/;
const NUMBER = /^[[(<#]?\d+[\])>]?[,:.]?$/;
const NAME = /^[\p{L}_(<].*[\w)\]>]:$|^\w.*\.\w+:\d+\]$/u;
const BRACKET = /^\[.*\]:?$/;
const LETTER = /\p{L}/u;
const CAPITALS = /^[A-Z][A-Z_]*$/;
const LEVEL_INSIDE = /\b(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|SEVERE|CRITICAL|FATAL|PANIC)\b/;
const WORD = /^["'(]?\p{L}?\p{Ll}+[)"',.;:!?]?$/u;

/** Describes a column by its cells in sampled lines; `isAligned` says of a cell whether padding or a bar follows it. */
export function describeColumn(values: readonly (string | undefined)[], isAligned: (cell: string) => boolean): Column {
  const cells = values.filter((value) => value !== undefined);
  const share = (test: (cell: string) => boolean) => cells.filter(test).length / Math.max(1, values.length);
  const [usual, count, distinct] = tally(cells);
  const isSign =
    count >= values.length * CONSTANT && (!LETTER.test(usual) || (CAPITALS.test(usual) && isAligned(usual)));
  const sort = SORTS.find((candidate) => share((cell) => conforms(cell, { sort: candidate, usual })) >= USUAL);
  const isWord = share((cell) => WORD.test(cell)) >= 0.5;
  return {
    sort: isSign && sort !== "level" && sort !== "time" ? "sign" : (sort ?? "unknown"),
    isWord,
    distinct,
    usual,
  };
}

const SORTS: readonly ColumnSort[] = ["level", "time", "epoch", "number", "bracket", "name", "host"];

export function conforms(cell: string, { sort, usual }: Pick<Column, "sort" | "usual">): boolean {
  if (sort === "unknown") return true;
  if (sort === "sign") return LETTER.test(usual) ? cell === usual : !LETTER.test(cell);
  if (sort === "name") return NAME.test(cell) && !SEVERE.test(cell);
  return PATTERNS[sort].test(cell);
}

const PATTERNS = { time: TIME, epoch: EPOCH, level: LEVEL, number: NUMBER, bracket: BRACKET, host: /\d/ } as const;

/** The level that a cell of a log is or, between brackets, holds; empty for a cell without. */
export function levelIn(cell: string, { sort }: Column): string {
  if (sort === "level") return cell;
  return cell.startsWith("[") ? (LEVEL_INSIDE.exec(cell)?.[0] ?? "") : "";
}

function tally(cells: readonly string[]): [usual: string, count: number, distinct: number] {
  const counts = new Map<string, number>();
  for (const cell of cells) counts.set(cell, (counts.get(cell) ?? 0) + 1);
  const [usual, count] = [...counts].reduce((best, entry) => (entry[1] > best[1] ? entry : best), ["", 0]);
  return [usual, count, counts.size];
}
