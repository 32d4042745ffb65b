import { describeValue, invalidOption, VarveError } from "../errors.js";
import { isObject } from "../message/plain-value.js";
import type { Summariser, Summary, SummaryRequest } from "./summariser.js";

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
  if (!isObject(request))
    throw invalidOption({ option: "request", value: request, allowed: "an object: { messages, … }" });
  const { messages, counter } = request;
  if (!Array.isArray(messages))
    throw invalidOption({ option: "messages", value: messages, allowed: "a list of messages" });
  if (!isObject(counter) || typeof counter.text !== "function")
    throw invalidOption({
      option: "counter",
      value: counter,
      allowed: "a TokenCounter, as createTokenCounter() makes",
    });
}

/** The same with the length of the summary. */
export function checkSummaryRequest(request: SummaryRequest): SummaryRequest {
  checkSource(request);
  const { maxTokens } = request;
  if (typeof maxTokens === "number" && maxTokens >= 0) return request;
  throw invalidOption({ option: "maxTokens", value: maxTokens, allowed: "a number of tokens from 0" });
}
