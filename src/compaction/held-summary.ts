import { extractiveSummariser } from "../digest/extractive-summariser.js";
import { summariseVerified, summaryFailure, type VerifiedSummary } from "../digest/summarise-verified.js";
import type { Summariser, SummaryRequest } from "../digest/summariser.js";
import { VarveError } from "../errors.js";
import { countMessages } from "../view/count-messages.js";
import { withoutMark } from "./compacted-context.js";

type HeldSummary = Exclude<VerifiedSummary, { readonly path: "none" }>;

/**
 * A summary that holds against its source: the summariser's, or one made of the source's own words. Throws where the
 * summariser fails, refuses or says nothing.
 */
export async function heldSummary(given: Summariser | undefined, request: SummaryRequest): Promise<HeldSummary> {
  const summary: VerifiedSummary =
    given === undefined
      ? { ...(await EXTRACTIVE.summarise(request)), path: "fallback", faults: [] }
      : await summariseVerified(unmarked(given), request, EXTRACTIVE);
  const failure = summary.path === "second" ? undefined : summaryFailure(summary.faults);
  if (failure !== undefined) throw failure;
  if (summary.path !== "none" && withoutMark(summary.text) !== "") return summary;
  throw new VarveError({
    code: "nothing-removed",
    message: "No summary of the conversation could be made.",
    hint: "Give a summariser, or more tokens for the summary.",
  });
}

/** Summarisers copy the mark that they see in what was compacted before. */
const unmarked = (summariser: Summariser): Summariser => ({
  name: summariser.name,
  summarise: async (request) => {
    const summary = await summariser.summarise(request);
    return { ...summary, text: withoutMark(summary.text) };
  },
});

/** What is copied word for word must leave something out, or nothing is gained. */
const EXTRACT_SHARE = 0.5;

const EXTRACTIVE: Summariser = {
  name: "extractive",
  summarise: (request) => {
    const { messages, previous = "", counter } = request;
    const source = countMessages(messages, counter) + counter.text(previous);
    const maxTokens = Math.max(1, Math.min(request.maxTokens, Math.floor(source * EXTRACT_SHARE)));
    return extractiveSummariser().summarise({ ...request, maxTokens });
  },
};
