import { VarveError } from "../errors.js";
import {
  checkSummariser,
  checkSummary,
  checkSummaryRequest,
  type Summariser,
  type Summary,
  type SummaryRequest,
} from "./summariser.js";
import { type Fault, type Verdict, verifySummary } from "./verify.js";
import { withoutReasoning } from "./verify-answer.js";

/** A summary with how it came about: the summariser's first, its second after being told the faults, or the fallback's. */
export type VerifiedSummary =
  | (Summary & { readonly path: "first" | "second" | "fallback"; readonly faults: readonly Fault[] })
  /** Not even the fallback gave one, or there is none. */
  | { readonly path: "none"; readonly faults: readonly Fault[] };

/** Where less than this share of its statements holds, a summary is not to be relied on. */
const LEAST_KEPT = 0.5;

/**
 * Summarises and verifies. Statements that do not hold are dropped, and the rest is the summary; where that is nothing, or
 * half of it was dropped, the summariser is asked once more and told the faults; then the fallback is taken, where one is
 * given. `faults` names what was dropped, and why attempts were not taken. Asks the summariser at most twice and the
 * fallback at most once; a summariser that fails is not asked again, as it has made its own attempts. Throws only where the
 * signal is aborted.
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
  if (first.summary !== undefined) return { ...first.summary, path: "first", faults: first.faults };
  const faults = [...first.faults];
  if (!first.failed) {
    const second = await tried(summariser, { ...request, faults: faults.map(({ detail }) => detail) });
    faults.push(...second.faults);
    if (second.summary !== undefined) return { ...second.summary, path: "second", faults };
  }
  if (fallback === undefined) return { path: "none", faults };
  try {
    // It is made of the source's own words and needs no check.
    return { ...(await fallback.summarise(request)), path: "fallback", faults };
  } catch (error) {
    return { path: "none", faults: [...faults, failure(error, request.signal)] };
  }
}

interface Trial {
  /** What holds of the summary, if that is enough. */
  readonly summary?: Summary;
  readonly faults: readonly Fault[];
  /** Whether there was no answer to judge. */
  readonly failed: boolean;
}

async function tried(summariser: Summariser, request: SummaryRequest): Promise<Trial> {
  try {
    const answer = checkSummary(await summariser.summarise(request));
    const text = withoutReasoning(answer.text);
    const verdict = verifySummary(text, { ...request, finish: answer.finish });
    const kept = verdict.ok ? text : keptText(verdict);
    return { ...(kept !== undefined && { summary: { ...answer, text: kept } }), faults: verdict.faults, failed: false };
  } catch (error) {
    return { faults: [failure(error, request.signal)], failed: true };
  }
}

/** The statements that hold, with the headings over them; undefined where too few do, or the whole is at fault. */
function keptText({ faults, statements }: Verdict): string | undefined {
  const stated = statements.filter(({ isHeading }) => !isHeading);
  const held = stated.filter((each) => each.faults.length === 0);
  const isWhole = faults.some(({ statement }) => statement === undefined);
  if (isWhole || held.length === 0 || held.length < stated.length * LEAST_KEPT) return undefined;
  const left = statements.filter((each) => each.faults.length === 0 && each.text.trim() !== "");
  return left
    .flatMap(({ text, isHeading }, at) => (isHeading && (left[at + 1]?.isHeading ?? true) ? [] : [text]))
    .join("\n");
}

function failure(error: unknown, signal: AbortSignal | undefined): Fault {
  if (!signal?.aborted)
    return { kind: "failed", detail: error instanceof Error ? error.message : String(error), cause: error };
  if (VarveError.isInstance(error) && error.code === "aborted") throw error;
  const hint = "Call again with a signal that is not aborted.";
  throw new VarveError({
    code: "aborted",
    message: "Summarising was aborted by its signal.",
    hint,
    cause: signal.reason,
  });
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
