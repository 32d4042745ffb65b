/** Errors for what strategies and context managers of others do: their own faults never reach the caller bare. */
import { VarveError } from "../errors.js";

export interface PluginFault {
  /** The strategy that it comes from. */
  readonly strategy: string;
  /** What it did, behind its name: "shows no message". */
  readonly what: string;
  readonly hint: string;
  readonly cause?: unknown;
  readonly details?: Readonly<Record<string, unknown>>;
}

export const pluginFault = ({ strategy, what, hint, cause, details }: PluginFault): VarveError =>
  new VarveError({
    code: "invalid-plugin",
    message: `The strategy "${strategy}" ${what}.`,
    hint,
    cause,
    details: { strategy, ...details },
  });

/** The error of a call into a plug-in. What it throws as a VarveError it means to say itself. */
export function callFault(strategy: string, method: string, error: unknown): VarveError {
  if (VarveError.isInstance(error)) return error;
  const why = error instanceof Error ? error.message : String(error);
  return pluginFault({
    strategy,
    what: `failed in ${method}: ${why}`,
    hint: "The cause of this error is what the strategy threw.",
    cause: error,
    details: { method },
  });
}
