import type { Message } from "../message/types.js";
import type { TokenCounter } from "../tokens/counter.js";

/** What is to be summarised, and how long the summary may be. */
export interface SummaryRequest {
  /** Whole exchanges, oldest first. */
  readonly messages: readonly Message[];
  /** The summary of what came before, to be carried on: the new one replaces both. */
  readonly previous?: string;
  readonly maxTokens: number;
  readonly counter: TokenCounter;
  /** What the caller wants kept above all. */
  readonly focus?: string;
  /** What was wrong with a summary of the same messages, to be done better. */
  readonly faults?: readonly string[];
  readonly signal?: AbortSignal;
}

export interface Summary {
  readonly text: string;
  /** Names what made it: "extractive", or the model. */
  readonly madeBy: string;
  /** Why the model stopped writing, where one wrote it and said so. */
  readonly finish?: "stop" | "length" | "refused" | "other";
}

/** Turns messages into prose. May fail, be slow or lie: whoever uses it checks what it returns. */
export interface Summariser {
  readonly name: string;
  summarise(request: SummaryRequest): Promise<Summary>;
}
