import { displayWidth, padEnd, padStart, truncate } from "../terminal/format.js";
import type { Screen } from "../terminal/screen.js";

export interface NumberTable {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** The row that stands out. */
  readonly marked?: number | undefined;
}

const SHORTEST_NAME = 14;
const INDENT = 2;
/** Columns between two numbers, the best first. */
const GAPS = [2, 1];
const MARK = "→";

/** Names with numbers, in columns where they fit the line, else one below the other. */
export function numberTableLines(table: NumberTable, screen: Screen): string[] {
  const all = [table.head, ...table.rows];
  const widths = table.head.map((_, at) => Math.max(...all.map((row) => displayWidth(row[at] ?? ""))));
  const [longest = 0, ...numbers] = widths;
  const own = numbers.reduce((sum, width) => sum + width, INDENT);
  const room = (gap: number): number => Math.min(longest, screen.width() - own - gap * numbers.length);
  const gap = GAPS.find((each) => room(each) >= Math.min(longest, SHORTEST_NAME));
  if (gap === undefined) return stackedLines(table, screen);
  return all.map(([name = "", ...cells], at) => {
    const first = padEnd(truncate(name, room(gap)), room(gap));
    const line = [first, ...cells.map((cell, column) => padStart(cell, numbers[column]!))].join(" ".repeat(gap));
    return inked(line.trimEnd(), { at: at - 1, marked: table.marked }, screen);
  });
}

function stackedLines({ head, rows, marked }: NumberTable, screen: Screen): string[] {
  const label = Math.max(...head.map(displayWidth)) + 2;
  return rows.flatMap(([name = "", ...cells], at) => [
    inked(truncate(name, screen.width() - INDENT), { at, marked }, screen),
    ...cells.flatMap((cell, column) =>
      cell === "" ? [] : [`    ${screen.ink.tone("muted", padEnd(head[column + 1] ?? "", label))}${cell}`],
    ),
  ]);
}

function inked(line: string, { at, marked }: { at: number; marked?: number | undefined }, { ink }: Screen): string {
  if (at < 0) return `  ${ink.tone("muted", line)}`;
  return at === marked ? `${ink.tone("green", MARK)} ${ink.bold(line)}` : `  ${line}`;
}
