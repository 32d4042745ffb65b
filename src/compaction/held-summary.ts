import { extractiveSummariser } from "../digest/extractive-summariser.js";
import { summariseVerified, summaryFailure } from "../digest/summarise-verified.js";
import type { Summariser, Summary, SummaryRequest } from "../digest/summariser.js";
import type { Fault } from "../digest/verify.js";
import { VarveError } from "../errors.js";
import { countMessages } from "../view/count-messages.js";
import { withoutMark } from "./compacted-context.js";

export interface HeldSummary {
  readonly text: string;
  /** What was wrong with the summaries that were not taken. */
  readonly faults: readonly Fault[];
}

/**
 * A summary that holds against its source: the summariser's, or one made of the source's own words. Throws where the
 * summariser fails, refuses or says nothing.
 */
export async function heldSummary(summariser: Summariser | undefined, request: SummaryRequest): Promise<HeldSummary> {
  if (summariser === undefined) return { text: spoken(await extracted(request)), faults: [] };
  const fallback: Summariser = { name: "extractive", summarise: extracted };
  const summary = await summariseVerified(unmarked(summariser), request, fallback);
  const failure = summary.path === "second" ? undefined : summaryFailure(summary.faults);
  if (failure !== undefined) throw failure;
  if (summary.path === "none") throw noText();
  return { text: spoken(summary), faults: summary.faults };
}

/** Summarisers copy the mark that they see in what was compacted before. */
function unmarked(summariser: Summariser): Summariser {
  return {
    name: summariser.name,
    summarise: async (request) => {
      const summary = await summariser.summarise(request);
      return { ...summary, text: withoutMark(summary.text) };
    },
  };
}

/** What is copied word for word must leave something out, or nothing is gained. */
const EXTRACT_SHARE = 0.5;

function extracted(request: SummaryRequest): Promise<Summary> {
  const { messages, previous = "", counter } = request;
  const source = countMessages(messages, counter) + counter.text(previous);
  const maxTokens = Math.max(1, Math.min(request.maxTokens, Math.floor(source * EXTRACT_SHARE)));
  return extractiveSummariser().summarise({ ...request, maxTokens });
}

function spoken({ text }: Summary): string {
  const words = withoutMark(text);
  if (words === "") throw noText();
  return words;
}

const noText = (): VarveError =>
  new VarveError({
    code: "nothing-removed",
    message: "No summary of the conversation could be made.",
    hint: "Give a summariser, or more tokens for the summary.",
  });
