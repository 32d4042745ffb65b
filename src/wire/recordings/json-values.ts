/**
 * JSON values out of text that comes in pieces: one value a line, one document over many lines, or several documents
 * one after the other. Each character is looked at a bounded number of times, however long a line or a document is.
 */
import type { Notes } from "./notes.js";

export type TakeValue = (value: unknown, line: number) => void;

/** A value that goes on over the next lines. */
interface Pending {
  readonly lines: string[];
  readonly numbers: number[];
  readonly start: number;
  readonly scan: DepthScan;
}

export class JSONValues {
  readonly #take: TakeValue;
  readonly #notes: Notes;
  /** The pieces of the line that has not ended yet. */
  #pieces: string[] = [];
  #line = 0;
  #pending: Pending | undefined;

  constructor(take: TakeValue, notes: Notes) {
    this.#take = take;
    this.#notes = notes;
  }

  push(chunk: string): void {
    let from = 0;
    for (let end = chunk.indexOf("\n"); end >= 0; end = chunk.indexOf("\n", from)) {
      this.#pieces.push(chunk.slice(from, end));
      this.#endLine();
      from = end + 1;
    }
    if (from < chunk.length) this.#pieces.push(chunk.slice(from));
  }

  end(): void {
    if (this.#pieces.length > 0) this.#endLine();
    const pending = this.#pending;
    this.#pending = undefined;
    if (pending === undefined) return;
    const { start } = pending;
    if (this.#takeWhole(pending)) this.#broken(start);
    else this.#notes.add("cut-short", `The text ends inside the value that starts on line ${start}.`, start);
  }

  /** A line that was taken for the start of a document, and is a torn one, has whole values after it. */
  #takeWhole({ lines, numbers }: Pending): boolean {
    let found = false;
    for (let at = 1; at < lines.length; at++) {
      const text = lines[at] ?? "";
      const value = text.startsWith("{") && text.length > 2 ? parse(text) : undefined;
      if (value === undefined) continue;
      this.#take(value, numbers[at] ?? 0);
      found = true;
    }
    return found;
  }

  #endLine(): void {
    const text = this.#pieces.length === 1 ? (this.#pieces[0] ?? "") : this.#pieces.join("");
    this.#pieces = [];
    this.#line++;
    if (text.trim() !== "") this.#takeLine(text);
  }

  #takeLine(text: string): void {
    if (this.#pending !== undefined && !this.#wasTorn(text)) this.#extend(this.#pending, text);
    else this.#takeFresh(text);
  }

  /** A line that was cut by a crash looks like the start of a document; where it ends and what follows tell them apart. */
  #wasTorn(next: string): boolean {
    const pending = this.#pending;
    if (pending?.lines.length !== 1 || !next.startsWith("{") || pending.scan.goesOn) return false;
    this.#pending = undefined;
    this.#broken(pending.start);
    return true;
  }

  #takeFresh(text: string): void {
    const value = parse(text);
    if (value !== undefined) this.#take(value, this.#line);
    else this.#start(text);
  }

  #start(text: string): void {
    const scan = new DepthScan();
    const opens = /^\s*[[{]/.test(text);
    if (opens) scan.read(text);
    if (opens && scan.isOpen) this.#pending = { lines: [text], numbers: [this.#line], start: this.#line, scan };
    else this.#broken(this.#line);
  }

  #extend(pending: Pending, text: string): void {
    pending.lines.push(text);
    pending.numbers.push(this.#line);
    pending.scan.read(text);
    if (pending.scan.isOpen) return;
    this.#pending = undefined;
    const value = parse(pending.lines.join("\n"));
    if (value === undefined) this.#broken(pending.start);
    else this.#take(value, pending.start);
  }

  #broken(line: number): void {
    this.#notes.add("broken-line", `Line ${line} is no JSON and was left out.`, line);
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Whether brackets are still open, looking at each character once. */
class DepthScan {
  #depth = 0;
  #inString = false;
  #last = "";

  get isOpen(): boolean {
    return this.#depth > 0 || this.#inString;
  }

  /** Whether the text ends where a value may follow on the next line. */
  get goesOn(): boolean {
    return !this.#inString && /[[{,]/.test(this.#last);
  }

  read(line: string): void {
    this.#last = line.trimEnd().at(-1) ?? "";
    for (let at = 0; at < line.length; at++) {
      const code = line.charCodeAt(at);
      if (code === QUOTE) this.#inString = !this.#inString;
      else if (!this.#inString) this.#depth += step(code);
      else if (code === BACKSLASH) at++;
    }
  }
}

/** `[` and `{` go in, `]` and `}` come out. */
function step(code: number): number {
  if (code === 0x5b || code === 0x7b) return 1;
  return code === 0x5d || code === 0x7d ? -1 : 0;
}
