import type { Excerpt } from "../excerpt.js";
import { lineWords } from "../line-template.js";
import { ELLIPSIS } from "../marks.js";
import type { CountTokens } from "../measure.js";
import { digestRows, type Row } from "../rows.js";
import { safeCut, safeCutAfter } from "../safe-cut.js";
import type { SourceLines } from "../source-lines.js";
import { collectKinds, LINE_HEAD, type LineKind, type LogKinds } from "./log-kinds.js";
import { mergeKinds } from "./log-merge.js";
import { findOddLines, type OddLine } from "./log-odd.js";
import { findLogPrefix, type LogPrefix, splitPrefix, timeOf } from "./log-prefix.js";
import { FRAME } from "./stack-trace.js";

export interface DigestRequest {
  readonly lines: SourceLines;
  readonly kind: string;
  readonly maxTokens: number;
  readonly count: CountTokens;
}

const GRAVE = /^\W?(?:error|err|severe|critical|crit|fatal|alert|emerg|panic|failure|[EF](?:\d{4})?)\b/i;
const WARN = /^\W?(?:warn|W\b)/i;
/** A complaint in the form of compilers, build tools and package managers. */
const COMPLAINT =
  /(?:^|[\s:>*|])(?:fatal |internal )?error(?:\[\w+\])?(?: [A-Z]+\d+)?:|^E: |\bnpm (?:ERR!|error)|^[#\d. ]*ERROR\b|\bundefined reference|\*\*\* .{0,200}Error \d|^BUILD FAILED|\bpanicked at|[✖✗✘❌]/i;
const GRAVE_TEXT = /\b(?:error|fatal|panic|exception|fail(?:ed|ure)|critical|denied|refused|corrupt)/i;
/** From here on the lines at both ends stand for their kinds: they carry the form of the prefix and the span of time. */
const EDGES_FROM = 384;
const LAST_WEIGHT = 1_000;
const CLOSELY = 5_000;
/** Lines like no other are worth their time and place, unless there are more of them than this. */
const FEW = 8;
/** The prefix of one line says little of a kind that occurs more often than this. */
const OFTEN = 3;
const GRAVE_WEIGHT = 1.6;
const GRAVE_TEXT_WEIGHT = 1.5;
const COMPLAINT_WEIGHT = 4;
const LAST_ROWS = 40;
const TOKENS_PER_ROW = 5;
/** Where room is left, so many lines above and below those that tell of trouble, or are like no other, are shown. */
const ABOVE = 4;
const BELOW = 2;
const MOST_NOTABLE = 60;
/** What stands far behind in a line is shown behind an ellipsis, with so many characters before it. */
const FAR_BEHIND = 64;
const OPENING = 24;
const BEFORE = 24;

/** A digest of the kinds of lines in a log, rare or frequent, with their counts, and of lines with odd values. */
export function digestLog(request: DigestRequest): Excerpt {
  const { lines, maxTokens } = request;
  const prefix = request.kind === "json-lines" ? undefined : findLogPrefix(lines);
  const collected = collectKinds(lines, prefix);
  const odd = findOddLines(lines, collected);
  const log = mergeKinds(lines, collected);
  const edges = maxTokens >= EDGES_FROM ? findEdges(log) : [];
  const source = { lines, prefix, edges, isAmbiguous: ambiguity(log.kinds), longest: longestShown(maxTokens) };
  const rows = kindRows(log, source);
  const oddRows = odd.map((line) => oddRow({ ...line, kind: log.byLine[line.index]! }, source));
  const digest = digestRows({
    ...request,
    rows,
    odd: oddRows.filter((_, at) => odd[at]!.isVeryOdd),
    fillers: distinctLines([
      ...plainRows(edges, source).map((row) => ({ ...row, text: row.whole ?? row.text })),
      ...oddRows,
      ...nearRows(rows, oddRows, source),
      ...lastRows(source, maxTokens),
    ]),
    facts: [
      `${lines.count} lines`,
      `${log.kinds.length} ${log.kinds.length === 1 ? "kind" : "kinds"}`,
      ...span(source),
      legend(prefix),
    ],
  });
  return { text: digest.text, linesOmitted: lines.count - digest.rows };
}

/** What rows are made of. */
interface LogSource {
  readonly lines: SourceLines;
  readonly prefix: LogPrefix | undefined;
  /** Indexes of the lines that begin and end the log; the last comes first. None where room is scarce. */
  readonly edges: readonly number[];
  readonly isAmbiguous: (kind: LineKind) => boolean;
  /** Characters of a line that a row may have. */
  readonly longest: number;
}

function longestShown(maxTokens: number): number {
  return Math.max(4_000, maxTokens * 8);
}

/** The last and the first line say how the log ends and begins, and each stands for its kind. */
function findEdges({ byLine }: LogKinds): number[] {
  const isLine = (kind: LineKind | undefined) => kind !== undefined;
  return [byLine.findLastIndex(isLine), byLine.findIndex(isLine)];
}

function kindRows({ kinds, byLine }: LogKinds, source: LogSource): Row[] {
  const single = kinds.filter(({ count }) => count === 1).length;
  return promising(kinds, source.lines).map((kind) => {
    const index = source.edges.find((edge) => byLine[edge] === kind) ?? kind.index;
    const isOdd = kind.count === 1 && single <= FEW;
    const row = kindRow({ ...kind, index, isOdd, showsCells: source.isAmbiguous(kind) }, source);
    return index === source.edges[0] ? { ...row, weight: LAST_WEIGHT } : row;
  });
}

/** The time from the first line to the last, with its day once where it is the same. */
function span({ lines, prefix, edges }: LogSource): string[] {
  if (prefix === undefined) return [];
  const [to = "", from = ""] = edges.map((index) => timeOf(lines.head(index, LINE_HEAD), prefix));
  const clock = to.lastIndexOf(" ") + 1;
  return from === "" || to === "" ? [] : [`${from} to ${from.startsWith(to.slice(0, clock)) ? to.slice(clock) : to}`];
}

function legend(prefix: LogPrefix | undefined): string {
  return prefix === undefined ? "line ×count: text" : "line ×count: text without prefix";
}

/** Tells the kinds whose message alone would not tell them from another. */
function ambiguity(kinds: readonly LineKind[]): (kind: LineKind) => boolean {
  const cellsOf = new Map<number, number>();
  const ambiguous = new Set<number>();
  for (const { message, cells } of kinds) {
    if ((cellsOf.get(message) ?? cells) !== cells) ambiguous.add(message);
    cellsOf.set(message, cells);
  }
  return ({ message }) => ambiguous.has(message);
}

/** Of very many kinds only the most promising are looked at closely. */
function promising(kinds: readonly LineKind[], lines: SourceLines): readonly LineKind[] {
  if (kinds.length <= CLOSELY) return kinds;
  const priced = kinds.map((kind) => ({ kind, price: kind.size / severity(kind.level, lines.head(kind.index, 200)) }));
  return priced
    .sort((a, b) => a.price - b.price || a.kind.index - b.kind.index)
    .slice(0, CLOSELY)
    .map(({ kind }) => kind);
}

interface ShownKind extends Pick<LineKind, "index" | "count" | "family" | "level"> {
  readonly isOdd?: boolean;
  /** Words of the message that differ from line to line, besides those that hold a digit; none where all are shown. */
  readonly values?: readonly number[];
  /** Whether the cells of the prefix that differ from line to line are shown, whatever they are. */
  readonly showsCells: boolean;
}

function kindRow(kind: ShownKind, { lines, prefix, edges, longest }: LogSource): Row {
  const line = headOf(lines, kind.index, longest);
  const { cells, levelEnd, start } = splitPrefix(line, prefix);
  const from = Math.min((kind.showsCells ? cells.start : cells.telling) ?? start, start);
  const message = line.slice(start).trimEnd();
  const weight = severity(kind.level, line);
  const essential = weight >= GRAVE_WEIGHT || (kind.isOdd === true && weight >= GRAVE_TEXT_WEIGHT);
  const isFew = kind.count <= OFTEN;
  const named = weight > 1 && kind.level !== "" && levelEnd <= from ? `${kind.level} ` : "";
  const isPlain = kind.values === undefined;
  const prefixed = isPlain ? line.slice(from, start) : shownCells(line.slice(from, start));
  const told = isPlain || (essential && isFew) ? message : leaveOutWords(message, kind.values);
  const text = named + prefixed + shortenValues(told);
  const isNotable = edges.includes(kind.index) || ((weight > 1 || kind.isOdd === true) && isFew);
  const whole = isNotable ? line.trimEnd() : named + line.slice(Math.min(cells.rare ?? from, from)).trimEnd();
  return { line: lines.number(kind.index), count: kind.count, text, whole, weight, essential, family: kind.family };
}

function headOf(lines: SourceLines, index: number, longest: number): string {
  const head = lines.head(index, longest);
  return head.length < lines.length(index) ? head.slice(0, safeCut(head, longest - 1)) + ELLIPSIS : head;
}

/** A line with an odd value, which is shown however far behind it stands. */
function oddRow({ index, count, kind, offset }: OddLine, source: LogSource): Row {
  const shown = { index, count, family: kind.family, level: kind.level, showsCells: source.isAmbiguous(kind) };
  const row = kindRow(shown, source);
  const line = headOf(source.lines, index, source.longest);
  const value = row.text.lastIndexOf(line.slice(offset));
  if (value >= 0 && value < FAR_BEHIND) return row;
  const opening = row.text.slice(0, safeCut(row.text, OPENING));
  const text = opening + ELLIPSIS + line.slice(safeCutAfter(line, Math.max(0, offset - BEFORE)));
  return { ...row, text };
}

function severity(level: string, line: string): number {
  if (FRAME.test(line)) return 0.5;
  if (GRAVE.test(level)) return GRAVE_WEIGHT;
  if (WARN.test(level)) return 1.4;
  if (level === "" && COMPLAINT.test(line)) return COMPLAINT_WEIGHT;
  if (!/[\p{L}\d]/u.test(line)) return 0.25;
  return level === "" && GRAVE_TEXT.test(line) ? GRAVE_TEXT_WEIGHT : 1;
}

/** Where all kinds are shown and room is left: what stands around the lines that matter most. */
function nearRows(rows: readonly Row[], odd: readonly Row[], source: LogSource): Row[] {
  const ranked = [...rows.filter(({ essential }) => essential), ...odd, ...rows.filter(({ count }) => count === 1)];
  return ranked.slice(0, MOST_NOTABLE).flatMap(({ line }) => {
    const from = Math.max(0, line - 1 - ABOVE);
    const to = Math.min(source.lines.count, line + BELOW);
    return plainRows(
      Array.from({ length: to - from }, (_, at) => from + at),
      source,
    );
  });
}

/** Then the latest lines say most. */
function lastRows(source: LogSource, maxTokens: number): Row[] {
  const { count } = source.lines;
  const most = Math.min(count, Math.max(LAST_ROWS, Math.ceil(maxTokens / TOKENS_PER_ROW)));
  return plainRows(
    Array.from({ length: most }, (_, distance) => count - 1 - distance),
    source,
  );
}

function plainRows(indexes: readonly number[], source: LogSource): Row[] {
  return indexes
    .filter((index) => source.lines.head(index, 200).trim() !== "")
    .map((index) => kindRow({ index, count: 1, family: -1 - index, level: "", showsCells: true }, source));
}

function distinctLines(rows: readonly Row[]): Row[] {
  const seen = new Set<number>();
  return rows.filter(({ line }) => !seen.has(line) && seen.add(line));
}

/** A value that one line of many has: an address, an id, a time, but not what is measured. */
const VALUE =
  /(?:[\dA-Fa-f]{2}:){4,}[\dA-Fa-f]{2}|(?:(?<![A-Za-z])[A-Fa-f]+)?\d[^\s,;:#&()[\]{}"'=|<>]{3,}\d(?:[A-Fa-f]+(?![A-Za-z]))?/g;
const NAMED = /[A-Za-z]{3}/;
const AMOUNT = /^\d+\.\d+$/;

function leaveOutValues(text: string): string {
  return text.replace(VALUE, (value) => (AMOUNT.test(value) ? value : ELLIPSIS));
}

/** A message without the words at these places and without its values. */
function leaveOutWords(message: string, places: readonly number[]): string {
  const words = places.length === 0 ? [] : lineWords(message).words;
  const shown = words.reduceRight((text, { start, end }, place) => {
    if (!places.includes(place)) return text;
    return text.slice(0, text[start] === "/" ? start + 1 : start) + ELLIPSIS + text.slice(end);
  }, message);
  return leaveOutValues(shown);
}

/** Cells of which no name is left say nothing. */
function shownCells(cells: string): string {
  const shown = leaveOutValues(cells)
    .split(" ")
    .map((cell) => (cell.includes(ELLIPSIS) && !NAMED.test(cell) ? ELLIPSIS : cell));
  return shown.join(" ").replace(/…(?: +…)+/g, ELLIPSIS);
}

/** Times, ids and hashes tell little of a kind; the line's number leads to them. */
function shortenValues(text: string): string {
  return text
    .replace(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:[\d.,]{2,12}(?:Z|[+-]\d\d:?\d\d)?/g, ELLIPSIS)
    .replace(/[0-9a-fA-F][0-9a-fA-F-]{15,}/g, (value) => (/\d/.test(value) ? value.slice(0, 4) + ELLIPSIS : value))
    .replace(/[^\s,;()[\]{}"'=|]{64,}/g, (value) => value.slice(0, safeCut(value, 40)) + ELLIPSIS);
}
