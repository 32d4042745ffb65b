import { VarveError } from "../errors.js";
import { summaryFailure, type VerifiedSummary } from "../notes/summarise-verified.js";
import { SUMMARISER } from "./document-names.js";
import type { SummaryEvent, SummaryFallback } from "./events.js";
import type { Documents } from "./stored-log.js";

/** How the summariser of a session fails: kept until a summary is written again. Times are milliseconds since the epoch. */
export interface SummariserFailure {
  /** The first failure in a row and the latest, and how many there were. */
  readonly since: number;
  readonly latest: number;
  readonly times: number;
  /** The code and the message of the latest error. */
  readonly code: string;
  readonly message: string;
  readonly fallback: SummaryFallback;
}

export function summaryEvent(session: string, summary: VerifiedSummary): SummaryEvent {
  const { path, faults } = summary;
  if (path === "first" || path === "second")
    return { session, outcome: "written", madeBy: summary.madeBy, text: summary.text, faults };
  const error = summaryFailure(faults) ?? doesNotHold(summary);
  return { session, outcome: "failed", error, fallback: path === "fallback" ? "extractive" : "earlier", faults };
}

const doesNotHold = ({ faults }: VerifiedSummary): VarveError =>
  new VarveError({
    code: "model-failed",
    message: `The summary does not hold against what it was made of: ${[...new Set(faults.map(({ kind }) => kind))].join(", ")}.`,
    hint: "The faults say which words. A larger model, or one that follows instructions better, may do.",
  });

/** Writes that a summariser failed, or fails no more. */
export function writeOutcome(documents: Documents, event: SummaryEvent, now: number): void {
  const before = documents.get(SUMMARISER) as SummariserFailure | undefined;
  if (event.outcome === "written") {
    if (before !== undefined) documents.set(SUMMARISER, undefined);
    return;
  }
  const { code, message } = event.error;
  const { since = now, times = 0 } = before ?? {};
  const failure: SummariserFailure = { since, latest: now, times: times + 1, code, message, fallback: event.fallback };
  documents.set(SUMMARISER, failure);
}
