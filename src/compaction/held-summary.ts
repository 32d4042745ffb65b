import { extractiveSummariser } from "../digest/extractive-summariser.js";
import type { Summariser, SummaryRequest } from "../digest/summariser.js";
import { type Fault, verifySummary } from "../digest/verify.js";
import { withoutMark } from "./compacted-context.js";
import { countMessages } from "./count-messages.js";
import { summaryText } from "./summary-text.js";

export interface HeldSummary {
  readonly text: string;
  /** What was wrong with the summaries that were not taken. */
  readonly faults: readonly Fault[];
}

/**
 * A summary that holds against its source: the summariser's first, its second after being told the faults, or one made
 * of the source's own words. Throws where the summariser fails, refuses or says nothing.
 */
export async function heldSummary(summariser: Summariser | undefined, request: SummaryRequest): Promise<HeldSummary> {
  if (summariser === undefined) return { text: await extracted(request), faults: [] };
  const first = await tried(summariser, request);
  if (first.faults.length === 0) return first;
  const failure = first.faults.find(({ kind }) => kind === "empty" || kind === "error-text");
  if (failure !== undefined) throw new Error(failure.detail);
  const told = first.faults.map(({ detail }) => detail);
  const second = await tried(summariser, { ...request, faults: told }).catch(() => first);
  if (second.faults.length === 0) return { text: second.text, faults: first.faults };
  return { text: await extracted(request), faults: [...first.faults, ...second.faults] };
}

async function tried(summariser: Summariser, request: SummaryRequest): Promise<HeldSummary> {
  const text = await saidBy(summariser, request);
  const verdict = verifySummary(text, request);
  return { text, faults: verdict.ok ? [] : verdict.faults };
}

/** What is copied word for word must leave something out, or nothing is gained. */
const EXTRACT_SHARE = 0.5;

function extracted(request: SummaryRequest): Promise<string> {
  const { messages, previous = "", counter } = request;
  const source = countMessages(messages, counter) + counter.text(previous);
  const maxTokens = Math.max(1, Math.min(request.maxTokens, Math.floor(source * EXTRACT_SHARE)));
  return saidBy(extractiveSummariser(), { ...request, maxTokens });
}

async function saidBy(summariser: Summariser, request: SummaryRequest): Promise<string> {
  const text = withoutMark(await summaryText(summariser, request));
  if (text === "") throw new Error(`The summariser "${summariser.name}" returned no text.`);
  return text;
}
