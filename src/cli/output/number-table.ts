import { displayWidth, padEnd, padStart, truncate } from "../terminal/format.js";
import type { Screen } from "../terminal/screen.js";

export interface NumberTable {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** The row that stands out. */
  readonly marked?: number | undefined;
}

const LONGEST_NAME = 32;
const MARK = "→";

/** Names with numbers, in columns where they fit the line, else one below the other. */
export function numberTableLines(table: NumberTable, screen: Screen): string[] {
  const rows = [table.head, ...table.rows].map(([name = "", ...cells]) => [truncate(name, LONGEST_NAME), ...cells]);
  const widths = table.head.map((_, at) => Math.max(...rows.map((row) => displayWidth(row[at] ?? ""))));
  const own = widths.reduce((sum, width) => sum + width, 2);
  const gap = [2, 1].find((each) => own + each * (widths.length - 1) <= screen.width());
  if (gap === undefined) return stackedLines(table, screen);
  return rows.map((row, at) => {
    const cells = row.map((cell, column) =>
      column === 0 ? padEnd(cell, widths[0]!) : padStart(cell, widths[column]!),
    );
    return inked(cells.join(" ".repeat(gap)), { at: at - 1, ...table }, screen);
  });
}

function stackedLines({ head, rows, marked }: NumberTable, screen: Screen): string[] {
  const label = Math.max(...head.map(displayWidth)) + 2;
  return rows.flatMap(([name = "", ...cells], at) => [
    inked(truncate(name, screen.width() - 2), { at, marked }, screen),
    ...cells.map((cell, column) => `    ${screen.ink.tone("muted", padEnd(head[column + 1] ?? "", label))}${cell}`),
  ]);
}

function inked(line: string, { at, marked }: { at: number; marked?: number | undefined }, { ink }: Screen): string {
  if (at < 0) return `  ${ink.tone("muted", line)}`;
  return at === marked ? `${ink.tone("green", MARK)} ${ink.bold(line)}` : `  ${line}`;
}
