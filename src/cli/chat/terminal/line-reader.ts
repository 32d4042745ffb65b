import type { Key } from "node:readline";
import { createInterface, type Interface } from "node:readline/promises";
import { Writable } from "node:stream";
import type { ReadStream, WriteStream } from "node:tty";

export interface LineReaderOptions {
  readonly input: ReadStream;
  readonly output: WriteStream;
  /** Lines of before, latest first. */
  readonly history: readonly string[];
  /** What may begin a line. */
  readonly beginnings: readonly string[];
  onInterrupt(): void;
}

/** Makes the terminal say where a pasted text begins and ends. */
const MARK_PASTES = "\u001b[?2004h";
const MARK_NO_PASTES = "\u001b[?2004l";
/** Milliseconds within which the lines of a pasted text follow each other. */
const PASTE = 15;
const HISTORY = 500;

/**
 * Reads lines from a terminal, with editing and history. What is typed while nobody asks is not shown, and stands in the
 * next line. A pasted text is one, whatever breaks it has, and waits for Enter; where the terminal does not mark it, lines that
 * come at once are one.
 */
export class LineReader {
  readonly #options: LineReaderOptions;
  readonly #gate: Gate;
  /** Undefined while the terminal is left to somebody else. */
  #lines: Interface | undefined;
  #kept: string[] = [];
  #queue: string[] = [];
  /** Whole lines of a paste that Enter has not yet sent. */
  #pasted: string[] = [];
  #pasting = false;
  #wake: (() => void) | undefined;
  #ended = false;
  #asking = false;

  constructor(options: LineReaderOptions) {
    this.#options = options;
    this.#gate = new Gate(options.output);
    // A terminal that is closed cannot be read any more, which is the end of the input.
    options.input.on("error", () => this.close());
    options.input.on("keypress", (_, key) => this.#mark(key));
    this.#lines = this.#open([...options.history]);
  }

  #open(history: string[]): Interface {
    const { input, output, beginnings, onInterrupt } = this.#options;
    const complete = (line: string): [string[], string] => [beginnings.filter((word) => word.startsWith(line)), line];
    const settings = { history, historySize: HISTORY, removeHistoryDuplicates: true, completer: complete };
    const lines = createInterface({ input, output: this.#gate, terminal: true, ...settings });
    output.write(MARK_PASTES);
    this.#gate.isOpen = false;
    lines.on("line", (line) => this.#take(line));
    lines.on("SIGINT", () => onInterrupt());
    lines.on("history", (kept) => this.#remember(kept));
    lines.on("close", () => this.#end(lines));
    this.#kept = history;
    return lines;
  }

  /** Answers to questions are no history. */
  #remember(history: string[]): void {
    if (this.#asking || this.#pasting) history.splice(0, history.length, ...this.#kept);
    else this.#kept = [...history];
  }

  #mark({ name }: Key): void {
    if (name === "paste-start" || name === "paste-end") this.#pasting = name === "paste-start";
  }

  #take(line: string): void {
    if (this.#pasting) {
      this.#pasted.push(line);
      return;
    }
    this.#queue.push([...this.#pasted.splice(0), line].join("\n"));
    this.#wake?.();
  }

  #end(lines: Interface): void {
    if (lines !== this.#lines) return;
    this.#ended = true;
    this.#wake?.();
  }

  /** The next line; undefined where there is none to come. */
  async next(prompt: string): Promise<string | undefined> {
    const isTypedAhead = this.#queue.length > 0;
    if (!isTypedAhead) await this.#prompt(prompt);
    if (this.#queue.length === 0) return undefined;
    for (let seen = 0; seen < this.#queue.length; ) {
      seen = this.#queue.length;
      await new Promise((resolve) => setTimeout(resolve, PASTE));
    }
    const text = this.#queue.splice(0).join("\n");
    if (isTypedAhead) this.#options.output.write(`${prompt}${text}\n`);
    return text;
  }

  /** The answer to a question; what was typed before it was asked is no answer. Undefined where the reader was woken. */
  async ask(question: string): Promise<string | undefined> {
    this.clear();
    this.#asking = true;
    try {
      await this.#prompt(question);
      return this.#queue.shift();
    } finally {
      this.#asking = false;
    }
  }

  /** Forgets what has been typed. */
  clear(): void {
    this.#queue = [];
    this.#pasted = [];
    if (this.#ended) return;
    for (const name of ["e", "u"]) this.#lines?.write(null, { ctrl: true, name });
  }

  /** Ends the wait for a line without one. */
  wake(): void {
    this.#wake?.();
  }

  get ended(): boolean {
    return this.#ended;
  }

  async #prompt(prompt: string): Promise<void> {
    if (this.#ended) return;
    this.#gate.isOpen = true;
    this.#lines?.setPrompt(prompt);
    this.#lines?.prompt(true);
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
    this.#wake = undefined;
    this.#gate.isOpen = false;
  }

  /** Leaves the terminal to somebody else for a while. */
  async away<T>(work: () => Promise<T>): Promise<T> {
    const before = this.#lines;
    this.#lines = undefined;
    before?.close();
    this.#options.output.write(MARK_NO_PASTES);
    try {
      return await work();
    } finally {
      this.#lines = this.#open([...this.#kept]);
    }
  }

  close(): void {
    if (this.#options.output.writable) this.#options.output.write(MARK_NO_PASTES);
    this.#ended = true;
    this.#lines?.close();
    this.#wake?.();
  }
}

/** The terminal as the editor sees it; while it is shut, what the editor draws is dropped. */
class Gate extends Writable {
  readonly #output: WriteStream;
  readonly isTTY = true;
  isOpen = false;

  constructor(output: WriteStream) {
    super();
    this.#output = output;
    output.on("resize", () => this.emit("resize"));
  }

  get columns(): number {
    return this.#output.columns;
  }

  get rows(): number {
    return this.#output.rows;
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    if (this.isOpen) this.#output.write(chunk);
    done();
  }
}
