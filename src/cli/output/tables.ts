import { countOf, formatCount, padEnd, truncate, wrap } from "../terminal/format.js";
import type { Screen } from "../terminal/screen.js";

/** Facts with their labels, one below the other; long ones are wrapped. */
export function factLines(facts: readonly (readonly [label: string, text: string])[], screen: Screen): string[] {
  const label = Math.max(...facts.map(([name]) => name.length)) + 2;
  return facts.flatMap(([name, text]) =>
    wrap(text, Math.max(12, screen.width() - label - 1)).map(
      (line, at) => ` ${screen.ink.tone("muted", padEnd(at === 0 ? name : "", label))}${line}`,
    ),
  );
}

/** Rows of cells in columns. What is too long for a terminal is cut off; where the columns alone are, rows are stacked. */
export function rowLines(rows: readonly (readonly string[])[], screen: Screen): string[] {
  const columns = Math.max(0, ...rows.map((row) => row.length));
  const widths = Array.from({ length: columns - 1 }, (_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  const room = screen.width() - 1 - widths.reduce((sum, width) => sum + width + 2, 0);
  if (screen.isBounded && room < LEAST_ROOM) return rows.flatMap((row) => stacked(row, screen));
  return rows.map((row) => {
    const cells = row.slice(0, -1).map((cell, at) => padEnd(cell, widths[at]! + 2));
    const last = row.at(-1) ?? "";
    return ` ${cells.join("")}${screen.isBounded ? truncate(last, room) : oneLine(last)}`.trimEnd();
  });
}

const LEAST_ROOM = 12;

const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim();

const stacked = (row: readonly string[], screen: Screen): string[] =>
  row.map((cell, at) => `${at === 0 ? " " : "   "}${truncate(cell, screen.width() - 4)}`);

/** A time as people read it, in their own zone. */
export function formatTime(time: number): string {
  const date = new Date(time);
  const two = (number: number) => String(number).padStart(2, "0");
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`;
}

const UNITS = ["bytes", "KB", "MB", "GB", "TB"];

export function formatBytes(bytes: number): string {
  let unit = 0;
  let size = bytes;
  for (; size >= 1_000 && unit < UNITS.length - 1; unit++) size /= 1_000;
  return unit === 0 ? countOf(bytes, "byte") : `${size.toFixed(1)} ${UNITS[unit]}`;
}

export const formatEntries = (count: number): string => `${formatCount(count)} ${count === 1 ? "entry" : "entries"}`;
