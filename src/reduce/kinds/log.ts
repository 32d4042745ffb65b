import type { Excerpt } from "../excerpt.js";
import { ELLIPSIS } from "../marks.js";
import type { CountTokens } from "../measure.js";
import { digestRows, type Row } from "../rows.js";
import { safeCut, safeCutAfter } from "../safe-cut.js";
import type { SourceLines } from "../source-lines.js";
import { collectKinds, type LineKind } from "./log-kinds.js";
import { findOddLines, type OddLine } from "./log-odd.js";
import { findLogPrefix, type LogPrefix, splitPrefix } from "./log-prefix.js";
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
  const log = collectKinds(lines, prefix);
  const odd = findOddLines(lines, log);
  const source: LogSource = { lines, prefix, isAmbiguous: ambiguity(log.kinds), longest: longestShown(maxTokens) };
  const rows = kindRows(log.kinds, source);
  const oddRows = odd.map((line) => oddRow(line, source));
  const edges = maxTokens >= EDGES_FROM ? edgeRows(source, rows) : [];
  const digest = digestRows({
    ...request,
    rows: distinctLines([...edges, ...rows]),
    odd: oddRows.filter((_, at) => odd[at]!.isVeryOdd),
    fillers: distinctLines([...oddRows, ...nearRows(rows, oddRows, source), ...lastRows(source, maxTokens)]),
    facts: [`${lines.count} lines`, `${log.kinds.length} ${log.kinds.length === 1 ? "kind" : "kinds"}`, legend(prefix)],
  });
  return { text: digest.text, linesOmitted: lines.count - digest.rows };
}

/** What rows are made of. */
interface LogSource {
  readonly lines: SourceLines;
  readonly prefix: LogPrefix | undefined;
  readonly isAmbiguous: (kind: LineKind) => boolean;
  /** Characters of a line that a row may have. */
  readonly longest: number;
}

function longestShown(maxTokens: number): number {
  return Math.max(4_000, maxTokens * 8);
}

function kindRows(kinds: readonly LineKind[], source: LogSource): Row[] {
  const single = kinds.filter(({ count }) => count === 1).length;
  return promising(kinds, source.lines).map((kind) => {
    const isOdd = kind.count === 1 && single <= FEW;
    return kindRow({ ...kind, isOdd, showsCells: source.isAmbiguous(kind) }, source);
  });
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
  /** Whether the cells of the prefix that differ from line to line are shown, whatever they are. */
  readonly showsCells: boolean;
}

function kindRow(kind: ShownKind, { lines, prefix, longest }: LogSource): Row {
  const line = headOf(lines, kind.index, longest);
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
  return { ...row, text, whole: row.whole ?? row.text };
}

function severity(level: string, line: string): number {
  if (FRAME.test(line)) return 0.5;
  if (GRAVE.test(level)) return GRAVE_WEIGHT;
  if (WARN.test(level)) return 1.4;
  if (level === "" && COMPLAINT.test(line)) return COMPLAINT_WEIGHT;
  if (!/[\p{L}\d]/u.test(line)) return 0.25;
  return level === "" && GRAVE_TEXT.test(line) ? GRAVE_TEXT_WEIGHT : 1;
}

function edgeRows({ lines, longest }: LogSource, rows: readonly Row[]): Row[] {
  return [0, lines.count - 1].map((index) => {
    const line = lines.number(index);
    const { count = 1, essential = false } = rows.find((row) => row.line === line) ?? {};
    const text = headOf(lines, index, longest);
    return { line, count, text, essential, weight: EDGE_WEIGHT, family: -1 - index };
  });
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

/** Times, ids and hashes tell little of a kind; the line's number leads to them. */
function shortenValues(text: string): string {
  return text
    .replace(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:[\d.,]{2,12}(?:Z|[+-]\d\d:?\d\d)?/g, ELLIPSIS)
    .replace(/[0-9a-fA-F][0-9a-fA-F-]{15,}/g, (value) => (/\d/.test(value) ? value.slice(0, 4) + ELLIPSIS : value))
    .replace(/[^\s,;()[\]{}"'=|]{64,}/g, (value) => value.slice(0, safeCut(value, 40)) + ELLIPSIS);
}
