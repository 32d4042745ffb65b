import { describeValue, invalidOption, VarveError } from "../errors.js";
import { isObject } from "../message/plain-value.js";
import type { Message } from "../message/types.js";
import type { TokenCounter } from "../tokens/counter.js";

/** What is to be summarised, and how long the summary may be. */
export interface SummaryRequest {
  /** Whole exchanges, oldest first. */
  readonly messages: readonly Message[];
  /** The ids of their entries, where they have some, so that a summary can name them. */
  readonly ids?: readonly string[];
  /** What stands beside the summary in any case: notes made of the messages by rule. The summary adds what they lack. */
  readonly notes?: string;
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

/** What a summariser is, for whoever gave something else. */
export const A_SUMMARISER =
  "{ name, summarise(request) }, where summarise resolves to { text, madeBy }, as modelSummariser(model) makes one";

/** Refuses what is no summariser where it is given: what fails when it is asked would leave views without a summary. */
export function checkSummariser(summariser: unknown): Summariser {
  if (isSummariser(summariser)) return summariser;
  throw invalidOption({ option: "summariser", value: summariser, allowed: A_SUMMARISER });
}

const isSummariser = (value: unknown): value is Summariser => isObject(value) && typeof value.summarise === "function";

/** Hands on what a summariser has returned, where that is a summary. */
export function checkSummary(answer: unknown): Summary {
  if (isObject(answer) && typeof answer.text === "string") return answer as unknown as Summary;
  throw new VarveError({
    code: "model-failed",
    message: `The summariser returned ${describeValue(answer)}, and no summary.`,
    hint: `A summariser is ${A_SUMMARISER}.`,
  });
}

/** What is to be summarised, or what a summary is held against. */
export function checkSource(request: unknown): void {
  const refused = (option: string, value: unknown, allowed: string) => invalidOption({ option, value, allowed });
  if (!isObject(request)) throw refused("request", request, "an object: { messages, … }");
  const { messages, counter } = request;
  if (!Array.isArray(messages)) throw refused("messages", messages, "a list of messages");
  if (!isObject(counter) || typeof counter.text !== "function")
    throw refused("counter", counter, "a TokenCounter, as createTokenCounter() makes");
}

/** The same with the length of the summary. */
export function checkSummaryRequest(request: SummaryRequest): SummaryRequest {
  checkSource(request);
  const { maxTokens } = request;
  if (typeof maxTokens === "number" && maxTokens >= 0) return request;
  throw invalidOption({ option: "maxTokens", value: maxTokens, allowed: "a number of tokens from 0" });
}
