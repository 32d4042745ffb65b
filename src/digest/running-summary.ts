import type { History, Message } from "../message/types.js";
import type { TokenCounter } from "../tokens/counter.js";
import { extractiveSummariser } from "./extractive-summariser.js";
import { summariseVerified, type VerifiedSummary } from "./summarise-verified.js";
import type { Summariser } from "./summariser.js";

export interface RunningSummaryOptions {
  readonly summariser: Summariser;
  readonly counter: TokenCounter;
  readonly maxTokens: number;
  /** Told of every summary that was made, and of what was wrong with those that were not used. */
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
  #working: Promise<void> | undefined;

  constructor(from: number, options: RunningSummaryOptions) {
    this.#options = options;
    this.#upTo = from;
  }

  /** The latest summary that was accepted; empty before the first. */
  get text(): string {
    return this.#text;
  }

  /** Resolves when no summary is being made. */
  async settled(): Promise<void> {
    await this.#working;
  }

  /** Starts taking the log up to a cut into the summary, unless one is being made just now. */
  follow(cut: number, history: History): void {
    if (this.#working !== undefined || cut <= this.#upTo) return;
    const messages = Array.from({ length: cut - this.#upTo }, (_, at) => history.messageAt(this.#upTo + at));
    this.#working = this.#summarise(messages, cut).finally(() => {
      this.#working = undefined;
    });
  }

  async #summarise(messages: readonly Message[], cut: number): Promise<void> {
    const { summariser, counter, maxTokens, onSummary } = this.#options;
    const previous = this.#text === "" ? {} : { previous: this.#text };
    const request = { messages, maxTokens, counter, ...previous };
    const summary = await summariseVerified(summariser, request, extractiveSummariser());
    onSummary?.(summary);
    if (summary.path === "none" || summary.text === "") return;
    this.#text = summary.text;
    this.#upTo = cut;
  }
}
