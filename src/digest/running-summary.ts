import type { History, Message } from "../message/types.js";
import type { TokenCounter } from "../tokens/counter.js";
import { extractiveSummariser } from "./extractive-summariser.js";
import { summariseVerified, type VerifiedSummary } from "./summarise-verified.js";
import type { Summariser } from "./summariser.js";

export interface RunningSummaryOptions {
  readonly summariser: Summariser;
  readonly counter: TokenCounter;
  readonly maxTokens: number;
  /**
   * Told of every summary that was made, and of what was wrong with those that were not used. Nobody waits for it, so
   * what it throws is dropped.
   */
  readonly onSummary?: (summary: VerifiedSummary) => void;
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
  #working: Work | undefined;

  constructor(from: number, options: RunningSummaryOptions) {
    this.#options = options;
    this.#upTo = from;
    this.#tried = from;
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
    this.#working = working?.done ? undefined : working;
  }

  /** Starts taking the log up to a cut into the summary, unless one is being made just now. */
  follow(cut: number, history: History): void {
    if (this.#working !== undefined || cut <= this.#tried) return;
    const messages = Array.from({ length: cut - this.#upTo }, (_, at) => history.messageAt(this.#upTo + at));
    this.#working = new Work();
    void this.#finish(this.#working, messages, cut);
  }

  async #finish(work: Work, messages: readonly Message[], cut: number): Promise<void> {
    const summary = await this.#summarise(messages);
    work.done = true;
    if (this.#working === work) this.#take(summary, cut);
    await this.#tell(summary).catch(() => undefined);
  }

  /** Async, so that a listener that throws and one that rejects are the same. */
  async #tell(summary: VerifiedSummary): Promise<void> {
    await this.#options.onSummary?.(summary);
  }

  #summarise(messages: readonly Message[]): Promise<VerifiedSummary> {
    const { summariser, counter, maxTokens } = this.#options;
    const previous = this.#text === "" ? {} : { previous: this.#text };
    return summariseVerified(summariser, { messages, maxTokens, counter, ...previous }, extractiveSummariser());
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
