import type { Ink } from "../terminal/colour.js";
import { countOf, displayWidth, formatCount, formatPercent, truncate } from "../terminal/format.js";
import { windowLines } from "../terminal/window-lines.js";
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

const TITLE = "varve demo";

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
