import type { Ink, Tone } from "./colour.js";

/** The kinds of content that a window can hold, in the order in which legends list them. */
export type SegmentKind =
  | "system"
  | "tools"
  | "note"
  | "context"
  | "user"
  | "assistant"
  | "results"
  | "free"
  | "reserve";

/** A stretch of the window. */
export interface Segment {
  readonly kind: SegmentKind;
  readonly tokens: number;
}

interface Look {
  readonly label: string;
  readonly tone: Tone;
  /** The cell in colour, and the letter where there is none. */
  readonly mark: string;
  readonly letter: string;
}

const SQUARE = "■";
export const LOOKS: Readonly<Record<SegmentKind, Look>> = {
  system: { label: "System prompt", tone: "blue", mark: SQUARE, letter: "S" },
  tools: { label: "Tools", tone: "violet", mark: SQUARE, letter: "T" },
  note: { label: "Note", tone: "orange", mark: SQUARE, letter: "N" },
  context: { label: "Context", tone: "rose", mark: SQUARE, letter: "C" },
  user: { label: "User", tone: "green", mark: SQUARE, letter: "U" },
  assistant: { label: "Assistant", tone: "teal", mark: SQUARE, letter: "A" },
  results: { label: "Tool results", tone: "brown", mark: SQUARE, letter: "R" },
  free: { label: "Free", tone: "muted", mark: "·", letter: "." },
  reserve: { label: "Kept free", tone: "muted", mark: "▫", letter: "-" },
};

/** The mark of a kind in the given ink. */
export const markOf = (kind: SegmentKind, ink: Ink): string =>
  ink.depth === 0 ? LOOKS[kind].letter : ink.tone(LOOKS[kind].tone, LOOKS[kind].mark);

/**
 * Divides a window into cells: each cell is an equal share of all tokens and gets the kind that holds most of it. A
 * kind too small to hold most of any cell gets the one it holds most of, unless that were another kind's only cell.
 *
 * @example
 * ```ts
 * cellsOf([{ kind: "system", tokens: 50 }, { kind: "free", tokens: 150 }], 4); // ["system", "free", "free", "free"]
 * ```
 */
export function cellsOf(segments: readonly Segment[], count: number): SegmentKind[] {
  const shares = sharesOf(segments, count);
  const cells = shares.map((share) => largest(share));
  for (const kind of new Set(segments.filter(({ tokens }) => tokens > 0).map((segment) => segment.kind)))
    if (!cells.includes(kind)) giveCell(cells, shares, kind);
  return cells;
}

type Shares = ReadonlyMap<SegmentKind, number>;

function sharesOf(segments: readonly Segment[], count: number): Shares[] {
  const size = segments.reduce((sum, { tokens }) => sum + tokens, 0) / count;
  const shares = Array.from({ length: count }, () => new Map<SegmentKind, number>());
  let start = 0;
  for (const { kind, tokens } of segments) {
    const end = start + tokens;
    for (let at = Math.floor(start / size); at < count && at * size < end; at++) {
      const overlap = Math.min(end, (at + 1) * size) - Math.max(start, at * size);
      if (overlap > 0) shares[at]!.set(kind, (shares[at]!.get(kind) ?? 0) + overlap);
    }
    start = end;
  }
  return shares;
}

function largest(shares: Shares): SegmentKind {
  let best: SegmentKind = "free";
  for (const [kind, share] of shares) if (share > (shares.get(best) ?? 0)) best = kind;
  return best;
}

function giveCell(cells: SegmentKind[], shares: readonly Shares[], kind: SegmentKind): void {
  const times = Map.groupBy(cells, (cell) => cell);
  let best = -1;
  for (const [at, share] of shares.entries()) {
    const isOnly = times.get(cells[at]!)?.length === 1;
    if (!isOnly && (share.get(kind) ?? 0) > (shares[best]?.get(kind) ?? 0)) best = at;
  }
  if (best >= 0) cells[best] = kind;
}

/** Cells in rows, a space between two. */
export function gridLines(cells: readonly SegmentKind[], columns: number, ink: Ink): string[] {
  const lines: string[] = [];
  for (let start = 0; start < cells.length; start += columns)
    lines.push(
      cells
        .slice(start, start + columns)
        .map((cell) => markOf(cell, ink))
        .join(" "),
    );
  return lines;
}
