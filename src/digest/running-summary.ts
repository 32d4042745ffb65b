import type { History } from "../message/types.js";
import type { TokenCounter } from "../tokens/counter.js";
import { extractiveSummariser } from "./extractive-summariser.js";
import { summariseVerified, type VerifiedSummary } from "./summarise-verified.js";
import type { Summariser, SummaryRequest } from "./summariser.js";

export interface RunningSummaryOptions {
  readonly summariser: Summariser;
  readonly counter: TokenCounter;
  readonly maxTokens: number;
  /**
   * Told of every summary that was made, and of what was wrong with those that were not used. Nobody waits for it, so
   * what it throws is dropped.
   */
  readonly onSummary?: (summary: VerifiedSummary) => void;
  /** Told that a summary is to be made, where somebody else makes it and hands it to `take`: none is begun here then. */
  readonly onDue?: () => void;
}

/** A summary that is to be made: the part of the log that it takes in, and what to ask of a summariser. */
export interface SummaryTask {
  readonly from: number;
  /** Without it. */
  readonly to: number;
  readonly request: SummaryRequest;
}

/**
 * Prose about everything before the cut, kept up to date in the background: views never wait for it, and show the new
 * one once it is there. One summary is made at a time; what leaves the window meanwhile goes into the next.
 */
export class RunningSummary {
  readonly #options: RunningSummaryOptions;
  #text = "";
  #upTo: number;
  /** Where the latest attempt ended: one that gave nothing is not made again until there is more. */
  #tried: number;
  /** The latest cut that somebody else was told of. */
  #asked: number;
  #working: Work | undefined;

  constructor(from: number, options: RunningSummaryOptions) {
    this.#options = options;
    this.#upTo = from;
    this.#tried = from;
    this.#asked = from;
  }

  /** The latest summary that was accepted; empty before the first. */
  get text(): string {
    return this.#text;
  }

  /** The position up to which the log is in the summary. */
  get upTo(): number {
    return this.#upTo;
  }

  get state(): RunningSummaryState {
    return { text: this.#text, upTo: this.#upTo, tried: this.#tried, working: this.#working };
  }

  /** Goes back to a state; what was begun since then is not taken when it comes. */
  restore({ text, upTo, tried, working }: RunningSummaryState): void {
    this.#text = text;
    this.#upTo = upTo;
    this.#tried = tried;
    this.#asked = upTo;
    this.#working = working?.done ? undefined : working;
  }

  /** Starts taking the log up to a cut into the summary, unless one is being made just now. */
  follow(cut: number, history: History): void {
    if (this.#working !== undefined || cut <= this.#tried) return;
    if (this.#options.onDue === undefined) this.#begin(cut, history);
    else this.#ask(cut, this.#options.onDue);
  }

  #begin(cut: number, history: History): void {
    this.#working = new Work();
    void this.#finish(this.#working, this.#taskTo(cut, history));
  }

  /** Somebody else is told once of each cut. */
  #ask(cut: number, onDue: () => void): void {
    if (cut <= this.#asked) return;
    this.#asked = cut;
    onDue();
  }

  /** What there is to do for a summary up to a cut; undefined where it was done or tried. */
  task(cut: number, history: History): SummaryTask | undefined {
    return cut <= this.#tried ? undefined : this.#taskTo(cut, history);
  }

  #taskTo(cut: number, history: History): SummaryTask {
    const { counter, maxTokens } = this.#options;
    const from = this.#upTo;
    const messages = Array.from({ length: cut - from }, (_, at) => history.messageAt(from + at));
    const previous = this.#text === "" ? {} : { previous: this.#text };
    return { from, to: cut, request: { messages, maxTokens, counter, ...previous } };
  }

  /** Takes a summary over that somebody made of a task; false where this one has gone on from elsewhere since. */
  take({ from, to, request }: SummaryTask, summary: VerifiedSummary): boolean {
    if (from !== this.#upTo || to <= this.#tried || (request.previous ?? "") !== this.#text) return false;
    this.#take(summary, to);
    void this.#tell(summary).catch(() => undefined);
    return true;
  }

  async #finish(work: Work, { to, request }: SummaryTask): Promise<void> {
    const summary = await summariseVerified(this.#options.summariser, request, extractiveSummariser());
    work.done = true;
    if (this.#working === work) this.#take(summary, to);
    await this.#tell(summary).catch(() => undefined);
  }

  /** Async, so that a listener that throws and one that rejects are the same. */
  async #tell(summary: VerifiedSummary): Promise<void> {
    await this.#options.onSummary?.(summary);
  }

  #take(summary: VerifiedSummary, cut: number): void {
    this.#working = undefined;
    this.#tried = cut;
    if (summary.path === "none" || summary.text === "") return;
    this.#text = summary.text;
    this.#upTo = cut;
  }
}

/** A summary under way. It ends with its process, so a state that is stored has none. */
class Work {
  done = false;

  toJSON(): undefined {
    return undefined;
  }
}

/** As a value, but for the work that was under way. */
export interface RunningSummaryState {
  readonly text: string;
  readonly upTo: number;
  readonly tried: number;
  readonly working: Work | undefined;
}
