import { summariseVerified, summaryFailure } from "../notes/summarise-verified.js";
import type { Summariser, SummaryRequest } from "../notes/summariser.js";
import type { Fault } from "../notes/verify.js";

/** A summary that holds against its source, or what kept the summariser from giving one. */
export interface AskedSummary {
  readonly text?: string;
  /** Why the summariser failed, refused or said nothing, where it did. */
  readonly error?: unknown;
  /** What was wrong with summaries that were not taken, where there were any. */
  readonly faults?: readonly Fault[];
}

/** Asks a summariser, and takes the fallback's summary where its own do not hold. Never throws. */
export async function askSummary(
  summariser: Summariser,
  request: SummaryRequest,
  fallback?: Summariser,
): Promise<AskedSummary> {
  const { signal } = request;
  try {
    const asked = summariseVerified(summariser, request, fallback);
    const { faults, ...summary } = await (signal === undefined ? asked : orAborted(asked, signal));
    const error = summary.path === "second" ? undefined : summaryFailure(faults);
    const told = faults.length === 0 ? {} : { faults };
    if (error !== undefined) return { error, ...told };
    return summary.path === "none" ? told : { text: summary.text.trim(), ...told };
  } catch (error) {
    return { error };
  }
}

/** Rejects once the signal is given, also where the summariser does not heed it. */
function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: end, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  if (signal.aborted) abort();
  signal.addEventListener("abort", abort, { once: true });
  return Promise.race([promise, end]).finally(() => signal.removeEventListener("abort", abort));
}
