/** A line that was cut: how long it is in the source, and the tokens that it takes as it is. */
export interface CutLine {
  readonly length: number;
  readonly cost: number;
}

/** Less than this is not worth a second look. */
const LEAST_ROOM = 16;

/**
 * Shares room among lines that were cut, evenly; what a short one does not need goes to the longer ones. `refit` gives
 * a line so many tokens and says how many it then takes.
 */
export function shareRoom<Line extends CutLine>(
  lines: readonly Line[],
  room: number,
  refit: (line: Line, maxTokens: number) => number,
): void {
  let left = room;
  const shortestFirst = [...lines].sort((a, b) => a.length - b.length);
  for (const [at, line] of shortestFirst.entries()) {
    if (left < LEAST_ROOM) return;
    left -= refit(line, line.cost + Math.floor(left / (lines.length - at))) - line.cost;
  }
}
