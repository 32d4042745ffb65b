import { type ChildProcess, spawn } from "node:child_process";
import { stripVTControlCharacters } from "node:util";
import { environment, SCRIPT } from "./command-line.js";

export interface TerminalOptions {
  readonly variables?: NodeJS.ProcessEnv;
  readonly folder: string;
  readonly columns?: number;
}

const PATIENCE = 120_000;
const READY = "PROCESS ";

/** A program on a terminal of its own, as `script` of util-linux opens it: typed at, and read as it writes. */
export class Terminal {
  readonly #child: ChildProcess;
  #written = "";
  #read = 0;
  #changed: (() => void) | undefined;
  #over = false;
  /** Resolves with the exit code. */
  readonly ended: Promise<number | null>;

  constructor(command: string, { variables = {}, folder, columns = 80 }: TerminalOptions) {
    const inside = `stty cols ${columns} rows 30; echo ${READY}$$; exec ${command}`;
    const settings = { cwd: folder, env: environment({ SHELL: "/bin/sh", ...variables }) };
    this.#child = spawn(SCRIPT, ["-qefc", inside, "/dev/null"], settings);
    this.#child.stdout?.setEncoding("utf8").on("data", (text: string) => this.#take(text));
    this.ended = new Promise((resolve) => {
      this.#child.once("close", (code) => {
        this.#over = true;
        this.#changed?.();
        resolve(code);
      });
    });
  }

  #take(text: string): void {
    this.#written += text;
    this.#changed?.();
  }

  /** All that was written, without colours and other codes. */
  get text(): string {
    return stripVTControlCharacters(this.#written);
  }

  /** Everything as it was written. */
  get raw(): string {
    return this.#written;
  }

  /** Resolves with what was written up to this text and not read before; rejects where it does not come. */
  async until(wanted: string): Promise<string> {
    const deadline = Date.now() + PATIENCE;
    for (;;) {
      const at = this.text.indexOf(wanted, this.#read);
      if (at >= 0) {
        const found = this.text.slice(this.#read, at + wanted.length);
        this.#read = at + wanted.length;
        return found;
      }
      if (this.#over || Date.now() > deadline)
        throw new Error(`The terminal did not show ${JSON.stringify(wanted)}:\n${this.text}`);
      await this.#change(deadline - Date.now());
    }
  }

  #change(longest: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, Math.max(1, longest));
      this.#changed = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** Types a line, or keys as they are. */
  type(line: string): void {
    this.keys(`${line}\r`);
  }

  keys(keys: string): void {
    this.#child.stdin?.write(keys);
  }

  /** Ends the program itself as if the power went. */
  async killHard(): Promise<void> {
    const [, id] = new RegExp(`${READY}(\\d+)`).exec(this.text) ?? [];
    process.kill(Number(id), "SIGKILL");
    await this.ended;
  }

  /** Ends whatever is left of it. */
  async end(): Promise<void> {
    if (this.#over) return;
    this.#child.kill("SIGKILL");
    await this.ended;
  }
}
