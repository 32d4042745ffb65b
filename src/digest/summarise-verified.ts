import { VarveError } from "../errors.js";
import { checkSummariser, checkSummary, checkSummaryRequest } from "./check-summariser.js";
import type { Summariser, Summary, SummaryRequest } from "./summariser.js";
import { type Fault, verifySummary } from "./verify.js";
import { withoutReasoning } from "./verify-answer.js";

/** A summary with how it came about: the summariser's first, its second after being told the faults, or the fallback's. */
export type VerifiedSummary =
  | (Summary & { readonly path: "first" | "second" | "fallback"; readonly faults: readonly Fault[] })
  /** Not even the fallback gave one, or there is none. */
  | { readonly path: "none"; readonly faults: readonly Fault[] };

/**
 * Summarises, verifies, and where the summary does not hold asks once more and tells the faults; then takes the
 * fallback, where one is given. `faults` says why attempts were not taken. Asks the summariser at most twice and the fallback at most once;
 * a summariser that fails is not asked again, as it has made its own attempts. Throws only where the signal is aborted.
 *
 * @example
 * ```ts
 * const result = await summariseVerified(modelSummariser(model), request, extractive);
 * if (result.path !== "none") console.log(result.path, result.text);
 * ```
 */
export async function summariseVerified(
  summariser: Summariser,
  request: SummaryRequest,
  fallback?: Summariser,
): Promise<VerifiedSummary> {
  checkSummariser(summariser);
  checkSummaryRequest(request);
  const first = await tried(summariser, request);
  if (first.summary !== undefined) return { ...first.summary, path: "first", faults: [] };
  const faults = [...first.faults];
  if (!first.failed) {
    const second = await tried(summariser, { ...request, faults: first.faults.map(({ detail }) => detail) });
    if (second.summary !== undefined) return { ...second.summary, path: "second", faults };
    faults.push(...second.faults);
  }
  return fallback === undefined ? { path: "none", faults } : fallen(fallback, request, faults);
}

/** The fallback's summary; it is made of the source's own words and needs no check. */
async function fallen(
  fallback: Summariser,
  request: SummaryRequest,
  faults: readonly Fault[],
): Promise<VerifiedSummary> {
  try {
    return { ...(await fallback.summarise(request)), path: "fallback", faults };
  } catch (error) {
    return { path: "none", faults: [...faults, failure(error, request.signal)] };
  }
}

interface Trial {
  /** The summary, if it holds. */
  readonly summary?: Summary;
  readonly faults: readonly Fault[];
  /** Whether there was no answer to judge. */
  readonly failed: boolean;
}

async function tried(summariser: Summariser, request: SummaryRequest): Promise<Trial> {
  try {
    const answer = checkSummary(await summariser.summarise(request));
    const summary = { ...answer, text: withoutReasoning(answer.text) };
    const { messages, previous, counter, maxTokens } = request;
    const verdict = verifySummary(summary.text, { messages, previous, counter, maxTokens, finish: summary.finish });
    return verdict.ok ? { summary, faults: [], failed: false } : { faults: verdict.faults, failed: false };
  } catch (error) {
    return { faults: [failure(error, request.signal)], failed: true };
  }
}

function failure(error: unknown, signal: AbortSignal | undefined): Fault {
  if (signal?.aborted) throw aborted(error, signal);
  return { kind: "failed", detail: error instanceof Error ? error.message : String(error), cause: error };
}

/** The error of a summariser that at once failed, refused or said nothing; undefined where it gave something to judge. */
export function summaryFailure([first]: readonly Fault[]): VarveError | undefined {
  if (first === undefined || !["failed", "empty", "error-text"].includes(first.kind)) return undefined;
  if (VarveError.isInstance(first.cause)) return first.cause;
  return new VarveError({
    code: "model-failed",
    message: first.detail,
    hint: "See the cause, and whether the summariser's model can be reached and answers.",
    ...(first.cause !== undefined && { cause: first.cause }),
  });
}

function aborted(error: unknown, signal: AbortSignal): VarveError {
  if (VarveError.isInstance(error) && error.code === "aborted") return error;
  return new VarveError({
    code: "aborted",
    message: "Summarising was aborted by its signal.",
    hint: "Call again with a signal that is not aborted.",
    cause: signal.reason,
  });
}
