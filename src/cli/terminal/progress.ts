import { formatPercent, truncate } from "./format.js";
import type { ScreenOutput } from "./screen.js";

export interface ProgressOptions {
  /** What is measured, in any unit. */
  readonly total: number;
  /** Milliseconds. */
  readonly now: () => number;
}

const ERASE_LINE = "\r\u001b[K";
/** Milliseconds from one drawing to the next, and until a time left can be told. */
const PAUSE = 100;
const SETTLED = 1_000;
const DEFAULT_WIDTH = 80;

/** One line on a terminal that says how far a long work is and how long it will take; elsewhere nothing. */
export class Progress {
  readonly #output: ScreenOutput;
  readonly #options: ProgressOptions;
  readonly #start: number;
  #drawn = Number.NEGATIVE_INFINITY;
  #done = 0;

  constructor(output: ScreenOutput, options: ProgressOptions) {
    this.#output = output;
    this.#options = options;
    this.#start = options.now();
  }

  /** Adds what was done; true where the line was drawn anew. */
  advance(amount: number, doing: string): boolean {
    this.#done += amount;
    const time = this.#options.now();
    if (this.#output.isTTY !== true || time - this.#drawn < PAUSE) return false;
    this.#drawn = time;
    const line = truncate(this.#words(doing, time), (this.#output.columns || DEFAULT_WIDTH) - 1);
    this.#output.write(`${ERASE_LINE}${line}`);
    return true;
  }

  /** Takes the line away. */
  end(): void {
    if (this.#drawn > Number.NEGATIVE_INFINITY) this.#output.write(ERASE_LINE);
  }

  #words(doing: string, time: number): string {
    const { total } = this.#options;
    const share = total > 0 ? Math.min(1, this.#done / total) : 0;
    const spent = time - this.#start;
    const left = spent < SETTLED || share === 0 ? "" : `, ${formatDuration((spent * (1 - share)) / share)} left`;
    return `${formatPercent(share)}${left} · ${doing}`;
  }
}

/** Milliseconds as people say them: 850 ms, 12 s, 3 min 20 s, 2 h 5 min. */
export function formatDuration(milliseconds: number): string {
  if (milliseconds < 1_000) return `${Math.round(milliseconds)} ms`;
  const seconds = Math.round(milliseconds / 1_000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
