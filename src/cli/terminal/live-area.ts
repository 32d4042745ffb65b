import { displayWidth } from "./format.js";

/** What a live area needs of a terminal. */
export interface TerminalOutput {
  readonly columns?: number;
  write(text: string): unknown;
}

const HIDE_CURSOR = "\u001b[?25l";
const SHOW_CURSOR = "\u001b[?25h";
/** Terminals that know these show a frame at once; the others ignore them. */
const BEGIN_FRAME = "\u001b[?2026h";
const END_FRAME = "\u001b[?2026l";
const ERASE_LINE_END = "\u001b[K";
const ERASE_BELOW = "\u001b[J";

/**
 * The last lines of a terminal, drawn again in place. Lines above it are printed once and scroll away as usual. The
 * cursor is hidden from the first frame until `close`.
 */
export class LiveArea {
  readonly #output: TerminalOutput;
  #drawn: readonly string[] = [];
  #open = false;

  constructor(output: TerminalOutput) {
    this.#output = output;
  }

  /** Prints lines above the area and draws the area anew. */
  draw(lines: readonly string[], above: readonly string[] = []): void {
    const start = this.#open ? "" : HIDE_CURSOR;
    this.#open = true;
    const text = [...above, ...lines].map((line) => `${line}${ERASE_LINE_END}\n`).join("");
    this.#output.write(`${start}${BEGIN_FRAME}${this.#toTop()}${text}${ERASE_BELOW}${END_FRAME}`);
    this.#drawn = lines;
  }

  /** Leaves the last frame where it is and shows the cursor again. */
  close(): void {
    if (this.#open) this.#output.write(SHOW_CURSOR);
    this.#open = false;
    this.#drawn = [];
  }

  /** A terminal made narrower has broken the lines of the last frame into more. */
  #toTop(): string {
    const columns = this.#output.columns ?? Number.POSITIVE_INFINITY;
    const height = this.#drawn.reduce((sum, line) => sum + Math.max(1, Math.ceil(displayWidth(line) / columns)), 0);
    return height === 0 ? "" : `\u001b[${height}A\r`;
  }
}
