import { SEVERE } from "../line-rules.js";
import { lineTemplate } from "../line-template.js";

/** What a column of a log holds. A `sign` is the same in nearly all lines and no word of a message. */
export type ColumnSort =
  | "time"
  | "day"
  | "epoch"
  | "level"
  | "name"
  | "bracket"
  | "number"
  | "sign"
  | "host"
  | "unknown";

export interface Column {
  readonly sort: ColumnSort;
  /** Whether most cells are plain words. */
  readonly isWord: boolean;
  /** How many different cells there are. */
  readonly distinct: number;
  /** The most frequent cell. */
  readonly usual: string;
  /** Whether nearly all cells are the usual one. */
  readonly isConstant: boolean;
  /** Keys of the cells that are not rare. */
  readonly common: ReadonlySet<number>;
}

const USUAL = 0.8;
const CONSTANT = 0.9;
/** A cell of a smaller share of the lines says something of its line. */
const COMMON = 0.02;
/** A column of more numbers than this, or of longer ones, holds ids; others may hold states. */
const STATES = 12;
/** Of so many cells each is a name, be it with a number: `eth0` is not `sda1`. */
const NAMES = 40;
const NUMBERS = /(?=[a-f]*\d)[\da-f]{4,}|\d+/gi;
const STATE = /^\D*\d{1,3}\D*$/;

const LEVEL =
  /^[[(<"']?(?:trace|debug|info|information|notice|warn|warning|error|err|severe|critical|crit|fatal|alert|emerg|panic|failure|[VDIWEF]|[IWEF]\d{4})[\])>,:"']*$/i;
/** A date, a time of day, both, seconds since the start in brackets, a month or a day of the week. */
const TIME =
  /^[[(<"']?(?:\d{1,4}[-/.]\d\d[-/.]\d{2,4}|\d\d[-/]\d\d\W*$|\d{8}[-T_]\d{1,2}:?\d|\d{8}T?\d{4}|\d{1,2}:\d\d(?::\d\d)?(?![\d:])|\d{1,2}\/[A-Z][a-z]{2}\/\d{4})|^\[ *\d+\.\d+\]$|\d{4}-\d\d-\d\d[T_]\d\d:\d\d|^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun|Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec),?$/;
const TIME_WORDS = /\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun|Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec|UTC|GMT|[AP]M)\b/g;
/** Seconds or milliseconds since 1970. */
const EPOCH = /^[[(<"']?1\d{9}(?:\d{3})?(?:\.\d+)?[\])>,:"']*$/;
const NUMBER = /^[[(<#]?-?\d+[\])>]?[,:.]?$/;
const NAME = /^[\p{L}_(<].*[\w)\]>]:$|^\w.*\.\w+:\d+\]$/u;
const BRACKET = /^\[.*\]:?$/;
const LETTER = /\p{L}/u;
const CAPITALS = /^[A-Z][A-Z_]*$/;
const LEVEL_INSIDE = /\b(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|SEVERE|CRITICAL|FATAL|PANIC)\b/;
const OUTCOME =
  /(?:^|[^\p{L}])(?:n?ok|ko|pass(?:ed)?|fail(?:ed|s|ure)?|err(?:or)?|skip(?:ped)?|time[ds]?[ -]?out|abort(?:ed)?|cancel(?:l?ed)?|reject(?:ed)?|roll(?:ed)?[ -]?back|crash(?:ed)?|dropped|lost)(?![\p{L}])/iu;
const WORD = /^["'(]?\p{L}?\p{Ll}+[)"',.;:!?]?$/u;

/** Describes a column by its cells in sampled lines; `isAligned` says of a cell whether padding or a bar follows it. */
export function describeColumn(values: readonly (string | undefined)[], isAligned: (cell: string) => boolean): Column {
  const cells = values.filter((value) => value !== undefined);
  const share = (test: (cell: string) => boolean) => cells.filter(test).length / Math.max(1, values.length);
  const counts = tally(cells);
  const [usual, count] = [...counts].reduce((best, entry) => (entry[1] > best[1] ? entry : best), ["", 0]);
  const isConstant = count >= values.length * CONSTANT;
  const isSign = isConstant && (!LETTER.test(usual) || (CAPITALS.test(usual) && isAligned(usual)));
  const found = SORTS.find((candidate) => share((cell) => conforms(cell, { sort: candidate, usual })) >= USUAL);
  const sort = isSign && (found === undefined || found === "host") ? "sign" : (found ?? "unknown");
  const isWord = share((cell) => WORD.test(cell)) >= 0.5;
  const column = { sort, isWord, distinct: counts.size, usual, isConstant };
  return { ...column, common: commonKeys(cells, column) };
}

const SORTS: readonly ColumnSort[] = ["level", "time", "epoch", "number", "bracket", "name", "host"];

export function conforms(cell: string, { sort, usual }: Pick<Column, "sort" | "usual">): boolean {
  if (sort === "unknown") return true;
  if (sort === "sign") return cell === usual;
  if (sort === "name") return NAME.test(cell) && !isOutcome(cell);
  if (sort === "bracket") return BRACKET.test(cell) && (LEVEL_INSIDE.test(cell) || !isOutcome(cell));
  return PATTERNS[sort].test(cell);
}

const PATTERNS = { time: TIME, day: NUMBER, epoch: EPOCH, level: LEVEL, number: NUMBER, host: /\d/ } as const;

/** A cell that tells how something went is never part of a prefix. */
export function isOutcome(cell: string): boolean {
  return SEVERE.test(cell) || OUTCOME.test(cell);
}

/**
 * What a cell adds to the kind of its line. Times, levels (which a kind has of its own), ids and what is the same in
 * nearly all lines add nothing: 0.
 */
export function cellKey(cell: string, column: Omit<Column, "common">): number {
  const { sort, isConstant, usual } = column;
  if (sort === "time" && cell.includes(" ")) return wordsKey(cell);
  if (isTimeOrLevel(column)) return 0;
  if (isConstant && cell === usual) return 0;
  if (sort === "number") return isState(column) ? numberKey(Number(cell.replace(/[^\d-]/g, ""))) : 0;
  const plain = levelIn(cell, column) === "" ? cell : cell.replace(LEVEL_INSIDE, "");
  return 1 + lineTemplate(column.distinct <= NAMES ? plain.replace(NUMBERS, "") : plain).kind;
}

/** Between brackets, other words may stand with a time. */
function wordsKey(cell: string): number {
  const words = [LEVEL_INSIDE, TIME_WORDS, /\S*\d\S*/g].reduce((rest, pattern) => rest.replace(pattern, ""), cell);
  return LETTER.test(words) ? 1 + lineTemplate(words.replace(/\s+/g, " ")).kind : 0;
}

function numberKey(value: number): number {
  return value < 0 ? value : value + 1;
}

/** Whether a column holds numbers that may tell how something went. */
export function isState({ sort, isConstant, usual, distinct }: Omit<Column, "common">): boolean {
  return sort === "number" && (isConstant || (distinct <= STATES && STATE.test(usual)));
}

export function isTimeOrLevel({ sort }: Pick<Column, "sort">): boolean {
  return sort === "time" || sort === "day" || sort === "epoch" || sort === "level";
}

/** However many cells tell how something went, none of them is common. */
function commonKeys(cells: readonly string[], column: Omit<Column, "common">): ReadonlySet<number> {
  const plain = cells.filter((cell) => levelIn(cell, column) !== "" || !isOutcome(cell));
  const counts = tally(plain.map((cell) => cellKey(cell, column)));
  return new Set([...counts].filter(([, count]) => count >= cells.length * COMMON).map(([key]) => key));
}

/** The level that a cell of a log is or, between brackets, holds; empty for a cell without. */
export function levelIn(cell: string, { sort }: Pick<Column, "sort">): string {
  if (sort === "level") return cell;
  return cell.startsWith("[") ? (LEVEL_INSIDE.exec(cell)?.[0] ?? "") : "";
}

function tally<Value>(values: readonly Value[]): Map<Value, number> {
  const counts = new Map<Value, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}
