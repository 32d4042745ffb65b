import type { Ink } from "../terminal/colour.js";
import { countOf, displayWidth, formatCount, formatPercent, padEnd, truncate } from "../terminal/format.js";
import { cellsOf, gridLines, type Segment, type SegmentKind } from "../terminal/grid.js";
import { LEGEND_WIDTH, legendLines } from "../terminal/legend.js";
import type { Step } from "./replay.js";

export interface FrameOptions {
  readonly ink: Ink;
  /** Columns that a line may take. */
  readonly width: number;
  /** Lines that the frame may take. */
  readonly height: number;
  /** Whether to show what the agent does next. */
  readonly caption: boolean;
}

const KINDS: readonly SegmentKind[] = ["system", "tools", "note", "context", "user", "assistant", "results", "free"];
const TITLE = "varve demo";
const GAP = 3;
/** Cells in a row: a few more where the terminal is wide. */
const COLUMNS = 20;
const WIDE_COLUMNS = 32;
const WIDE = 104;
const LEAST_COLUMNS = 12;
const ROWS = 10;
const LEAST_ROWS = 2;

/** The window at one step: a header, the grid with its legend, and what the agent does next. */
export function frameLines(step: Step, options: FrameOptions): string[] {
  const { ink, width } = options;
  const header = headerLines(step, ink, width);
  const caption = options.caption ? ["", captionLine(step, ink, width)] : [];
  const height = options.height - header.length - caption.length - 1;
  return [...header, "", ...windowLines(step.segments, { ...options, height }), ...caption];
}

function headerLines(step: Step, ink: Ink, width: number): string[] {
  const { view, log } = step;
  const title = [TITLE, step.strategy, `window ${formatCount(view.budget.window)}`, stepText(step)];
  const sizes = [
    `log ${countOf(log.tokens, "token")} in ${countOf(log.messages, "message")}`,
    `view ${countOf(view.tokens, "token")} (${formatPercent(view.tokens / view.budget.window)})`,
  ];
  const [name = "", ...facts] = joinWithin(title, " · ", width - 1);
  return [
    ` ${ink.bold(name.slice(0, TITLE.length))}${ink.tone("muted", name.slice(TITLE.length))}`,
    ...facts.map((line) => ` ${ink.tone("muted", line)}`),
    ...joinWithin(sizes, " → ", width - 1).map((line) => ` ${line}`),
  ];
}

const stepText = ({ number, total }: Step): string =>
  `step ${String(number).padStart(String(total).length)} of ${total}`;

/** Joins as many pieces on a line as there is room for. */
function joinWithin(pieces: readonly string[], separator: string, width: number): string[] {
  const lines: string[] = [];
  for (const piece of pieces) {
    const joined = lines.length === 0 ? piece : `${lines.at(-1)}${separator}${piece}`;
    if (lines.length > 0 && displayWidth(joined) <= width) lines[lines.length - 1] = joined;
    else lines.push(truncate(piece, width));
  }
  return lines;
}

function captionLine(step: Step, ink: Ink, width: number): string {
  return ` ${ink.tone("teal", "agent")} ${ink.tone("muted", truncate(step.caption, width - 7))}`;
}

interface WindowSize {
  readonly ink: Ink;
  readonly width: number;
  readonly height: number;
}

/** Grid and legend, beside each other where there is room, else one below the other. */
function windowLines(segments: readonly Segment[], { ink, width, height }: WindowSize): string[] {
  const most = width >= WIDE ? WIDE_COLUMNS : COLUMNS;
  const beside = Math.min(most, Math.floor((width - 1 - GAP - LEGEND_WIDTH + 1) / 2));
  const isBeside = beside >= LEAST_COLUMNS;
  const columns = isBeside ? beside : Math.max(1, Math.min(most, Math.floor(width / 2)));
  const kinds: SegmentKind[] = segments.some(({ kind }) => kind === "reserve") ? [...KINDS, "reserve"] : [...KINDS];
  const legend = legendLines(segments, kinds, ink);
  const rows = Math.max(LEAST_ROWS, Math.min(ROWS, isBeside ? height : height - legend.length - 3));
  const grid = gridLines(cellsOf(segments, columns * rows), columns, ink);
  const scale = ink.tone("muted", `one cell is ${cellSize(segments, columns * rows)} tokens`);
  const right = [...legend, ...(isBeside && rows < legend.length + 2 ? [] : [""]), scale];
  return isBeside ? sideBySide(grid, right, columns) : [...grid.map(indent), "", ...right.map(indent)];
}

const indent = (line: string): string => (line === "" ? "" : ` ${line}`);

function sideBySide(grid: readonly string[], right: readonly string[], columns: number): string[] {
  const gridWidth = columns * 2 - 1 + GAP;
  return Array.from({ length: Math.max(grid.length, right.length) }, (_, at) =>
    indent(`${padEnd(grid[at] ?? "", gridWidth)}${right[at] ?? ""}`.trimEnd()),
  );
}

function cellSize(segments: readonly Segment[], cells: number): string {
  const size = segments.reduce((sum, { tokens }) => sum + tokens, 0) / cells;
  return Number.isInteger(size) ? formatCount(size) : `about ${formatCount(Math.round(size))}`;
}
