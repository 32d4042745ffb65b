import type { Ink } from "./colour.js";
import { countOf, padEnd } from "./format.js";
import { cellsOf, gridLines, type Segment, type SegmentKind } from "./grid.js";
import { LEGEND_WIDTH, legendLines } from "./legend.js";

const KINDS: readonly SegmentKind[] = ["system", "tools", "note", "context", "user", "assistant", "results", "free"];
const GAP = 3;
/** Cells in a row: a few more where the terminal is wide. */
const COLUMNS = 20;
const WIDE_COLUMNS = 32;
const WIDE = 104;
const LEAST_COLUMNS = 12;
const ROWS = 10;
const LEAST_ROWS = 2;

export interface WindowSize {
  readonly ink: Ink;
  readonly width: number;
  readonly height: number;
}

/** What is kept free gets a line of its own from this share of the window on: the start of the reply takes a few tokens. */
const LEAST_SHOWN = 0.005;

/** Grid and legend, beside each other where there is room, else one below the other. */
export function windowLines(segments: readonly Segment[], { ink, width, height }: WindowSize): string[] {
  const most = width >= WIDE ? WIDE_COLUMNS : COLUMNS;
  const beside = Math.min(most, Math.floor((width - 1 - GAP - LEGEND_WIDTH + 1) / 2));
  const isBeside = beside >= LEAST_COLUMNS;
  const columns = isBeside ? beside : Math.max(1, Math.min(most, Math.floor(width / 2)));
  const total = segments.reduce((sum, { tokens }) => sum + tokens, 0);
  const isKept = segments.some(({ kind, tokens }) => kind === "reserve" && tokens >= total * LEAST_SHOWN);
  const kinds: SegmentKind[] = isKept ? [...KINDS, "reserve"] : [...KINDS];
  const legend = legendLines(segments, kinds, ink);
  const rows = Math.max(LEAST_ROWS, Math.min(ROWS, isBeside ? height : height - legend.length - 3));
  const grid = gridLines(cellsOf(segments, columns * rows), columns, ink);
  const scale = ink.tone("muted", `one cell is ${cellSize(segments, columns * rows)}`);
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
  const whole = countOf(Math.round(size), "token");
  return Number.isInteger(size) ? whole : `about ${whole}`;
}
