import type { LoadedConfig } from "../../config/load-config.js";
import { VarveError } from "../../errors.js";
import { causeWords } from "../cause-words.js";
import { commandLineHint } from "../report-hints.js";

/** What one check found. */
export interface CheckResult {
  readonly status: "ok" | "warning" | "failed";
  readonly text: string;
  /** What to do; where there is something to do. */
  readonly remedy?: string;
}

/** One thing that may be wrong with an installation. */
export interface Check {
  readonly name: string;
  run(loaded: LoadedConfig): Promise<CheckResult>;
}

export const ok = (text: string): CheckResult => ({ status: "ok", text });
export const warning = (text: string, remedy: string): CheckResult => ({ status: "warning", text, remedy });
export const failed = (text: string, remedy: string): CheckResult => ({ status: "failed", text, remedy });

/** A check that throws has failed, with the words of the error. */
export function failedWith(error: unknown): CheckResult {
  if (VarveError.isInstance(error)) {
    const cause = causeWords(error);
    const text = cause === undefined ? error.message : `${error.message} Cause: ${cause}.`;
    return failed(text, commandLineHint(error.hint ?? "See the documentation."));
  }
  return failed(
    error instanceof Error ? error.message : String(error),
    "Run it again with VARVE_DEBUG=1 and report it.",
  );
}
