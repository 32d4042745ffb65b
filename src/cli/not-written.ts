import { dirname } from "node:path";
import { VarveError } from "../errors.js";

/** The error for a file that cannot be written; the hint says what to do besides making its folder. */
export function notWritten(file: string, cause: unknown, hint: string): VarveError {
  const missing = (cause as NodeJS.ErrnoException).code === "ENOENT";
  const why = cause instanceof Error ? cause.message : String(cause);
  return new VarveError({
    code: missing ? "not-found" : "store-failed",
    message: missing ? `There is no folder ${dirname(file)} for ${file}.` : `${file} cannot be written: ${why}`,
    hint: missing ? `Make the folder, or ${hint[0]?.toLowerCase()}${hint.slice(1)}` : hint,
    cause,
    details: { file },
  });
}

/** Does what writes a file; where that fails, the error names the file. */
export function writing<T>(file: string, hint: string, write: () => T): T {
  try {
    return write();
  } catch (cause) {
    throw notWritten(file, cause, hint);
  }
}
