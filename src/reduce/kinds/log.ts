import type { Excerpt } from "../excerpt.js";
import { lineTemplate } from "../line-template.js";
import { ELLIPSIS } from "../marks.js";
import type { CountTokens } from "../measure.js";
import { digestRows, type Row } from "../rows.js";
import { safeCut } from "../safe-cut.js";
import type { SourceLines } from "../source-lines.js";
import { findLogPrefix, type LogPrefix, splitPrefix } from "./log-prefix.js";
import { FRAME } from "./stack-trace.js";

export interface DigestRequest {
  readonly lines: SourceLines;
  readonly kind: string;
  readonly maxTokens: number;
  readonly count: CountTokens;
}

/** All lines of one kind: the shortest of them stands for the others. */
interface LineKind {
  index: number;
  size: number;
  count: number;
  readonly family: number;
  readonly level: string;
  /** Hash of the message without the prefix. */
  readonly message: number;
  /** Key of the cells of the prefix. */
  readonly cells: number;
}

const GRAVE = /^\W?(?:error|err|severe|critical|crit|fatal|alert|emerg|panic|failure|[EF](?:\d{4})?)\b/i;
const WARN = /^\W?(?:warn|W\b)/i;
/** A complaint in the form of compilers, build tools and package managers. */
const COMPLAINT =
  /(?:^|[\s:>*|])(?:fatal |internal )?error(?:\[\w+\])?(?: [A-Z]+\d+)?:|^E: |\bnpm (?:ERR!|error)|^[#\d. ]*ERROR\b|\bundefined reference|\*\*\* .{0,200}Error \d|^BUILD FAILED|\bpanicked at|[✖✗✘❌]/i;
const GRAVE_TEXT = /\b(?:error|fatal|panic|exception|fail(?:ed|ure)|critical|denied|refused|corrupt)/i;
/** The first and the last line are shown whole: they carry the form of the prefix and the span of time. */
const EDGE_WEIGHT = 1_000;
const EDGES_FROM = 384;
const CLOSELY = 5_000;
/** Lines like no other are worth their time and place, unless there are more of them than this. */
const FEW = 8;
/** The prefix of one line says little of a kind that occurs more often than this. */
const OFTEN = 3;
const GRAVE_WEIGHT = 2;
const GRAVE_TEXT_WEIGHT = 1.5;
const COMPLAINT_WEIGHT = 4;
const LAST_ROWS = 40;

/** A digest of the kinds of lines in a log, rare or frequent, with their counts. */
export function digestLog(request: DigestRequest): Excerpt {
  const { lines, maxTokens } = request;
  const prefix = request.kind === "json-lines" ? undefined : findLogPrefix(lines);
  const kinds = collectKinds(lines, prefix);
  const single = kinds.filter(({ count }) => count === 1).length;
  const isAmbiguous = ambiguity(kinds);
  const rows = promising(kinds, lines).map((kind) => {
    const isOdd = kind.count === 1 && single <= FEW;
    return kindRow({ ...kind, isOdd, showsCells: isAmbiguous(kind) }, lines, prefix);
  });
  const edges = maxTokens >= EDGES_FROM ? edgeRows(lines, rows) : [];
  const facts = [`${lines.count} lines`, `${kinds.length} ${kinds.length === 1 ? "kind" : "kinds"}`, legend(prefix)];
  const digest = digestRows({
    ...request,
    rows: distinctLines([...edges, ...rows]),
    fillers: lastRows(lines, prefix),
    facts,
  });
  return { text: digest.text, linesOmitted: lines.count - digest.rows };
}

function legend(prefix: LogPrefix | undefined): string {
  return prefix === undefined ? "line ×count: text" : "line ×count: text without prefix";
}

function collectKinds(lines: SourceLines, prefix: LogPrefix | undefined): LineKind[] {
  const byPrefix = new Map<string, Map<number, LineKind>>();
  for (let index = 0; index < lines.count; index++) {
    const line = lines.head(index, 1_000);
    if (line.trim() === "") continue;
    const { start, level, cells } = splitPrefix(line, prefix);
    const { kind: message, family } = lineTemplate(line, start);
    const scope = cells.key === 0 ? level : `${level} ${cells.key}`;
    const kinds = byPrefix.get(scope) ?? new Map<number, LineKind>();
    byPrefix.set(scope, kinds);
    const size = lines.length(index) - start;
    const known = kinds.get(message);
    if (known === undefined) kinds.set(message, { index, size, count: 1, family, level, message, cells: cells.key });
    else count(known, index, size);
  }
  return [...byPrefix.values()].flatMap((kinds) => [...kinds.values()]);
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

function count(kind: LineKind, index: number, size: number): void {
  kind.count++;
  if (size >= kind.size) return;
  kind.size = size;
  kind.index = index;
}

interface ShownKind extends Pick<LineKind, "index" | "count" | "family" | "level"> {
  readonly isOdd?: boolean;
  /** Whether the cells of the prefix that differ from line to line are shown, whatever they are. */
  readonly showsCells: boolean;
}

function kindRow(kind: ShownKind, lines: SourceLines, prefix: LogPrefix | undefined): Row {
  const line = lines.head(kind.index, 4_000);
  const { cells, levelEnd, ...split } = splitPrefix(line, prefix);
  const start = kind.showsCells || cells.isRare ? Math.min(cells.start ?? split.start, split.start) : split.start;
  const message = shortenValues(line.slice(start).trimEnd());
  const weight = severity(kind.level, line);
  const text = weight > 1 && kind.level !== "" && levelEnd <= start ? `${kind.level} ${message}` : message;
  const row = { line: lines.number(kind.index), count: kind.count, text, weight, family: kind.family };
  if (weight <= 1 && !kind.isOdd) return row;
  const whole = kind.count <= OFTEN ? line.slice(0, start) + message : text;
  const essential = weight >= GRAVE_WEIGHT || (kind.isOdd === true && weight >= GRAVE_TEXT_WEIGHT);
  return { ...row, essential, whole };
}

function severity(level: string, line: string): number {
  if (FRAME.test(line)) return 0.5;
  if (GRAVE.test(level)) return GRAVE_WEIGHT;
  if (WARN.test(level)) return 1.4;
  if (level === "" && COMPLAINT.test(line)) return COMPLAINT_WEIGHT;
  if (!/[\p{L}\d]/u.test(line)) return 0.25;
  return level === "" && GRAVE_TEXT.test(line) ? GRAVE_TEXT_WEIGHT : 1;
}

function edgeRows(lines: SourceLines, rows: readonly Row[]): Row[] {
  return [0, lines.count - 1].map((index) => {
    const line = lines.number(index);
    const { count = 1, essential = false } = rows.find((row) => row.line === line) ?? {};
    const text = lines.head(index, 4_000);
    return { line, count, text, essential, weight: EDGE_WEIGHT, family: -1 - index };
  });
}

/** Where all kinds are shown and room is left, the latest lines say most. */
function lastRows(lines: SourceLines, prefix: LogPrefix | undefined): Row[] {
  return Array.from({ length: Math.min(LAST_ROWS, lines.count) }, (_, distance) => lines.count - 1 - distance)
    .filter((index) => lines.head(index, 200).trim() !== "")
    .map((index) => kindRow({ index, count: 1, family: -1 - index, level: "", showsCells: true }, lines, prefix));
}

function distinctLines(rows: readonly Row[]): Row[] {
  const seen = new Set<number>();
  return rows.filter(({ line }) => !seen.has(line) && seen.add(line));
}

/** Times, ids and hashes tell little of a kind; the line's number leads to them. */
function shortenValues(text: string): string {
  return text
    .replace(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:[\d.,]{2,12}(?:Z|[+-]\d\d:?\d\d)?/g, ELLIPSIS)
    .replace(/[0-9a-fA-F][0-9a-fA-F-]{15,}/g, (value) => (/\d/.test(value) ? value.slice(0, 4) + ELLIPSIS : value))
    .replace(/[^\s,;()[\]{}"'=|]{64,}/g, (value) => value.slice(0, safeCut(value, 40)) + ELLIPSIS);
}
