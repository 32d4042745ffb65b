import { VarveError } from "../../errors.js";
import { exitCodeOf } from "../exit-codes.js";
import type { ImportData } from "../output/recording-schemas.js";

/** A file that nothing was taken from: the others are gone on with. */
export interface FailedFile {
  readonly data: ImportData["failed"][number];
  readonly error: VarveError;
}

/** What is told of a failure; faults of the program are none of the file's. */
export function failedFile(file: string, error: unknown): FailedFile {
  if (!VarveError.isInstance(error)) throw error;
  const { code, message, hint = "" } = error;
  return { data: { file, code, message, hint }, error };
}

/** Says what failed. Where there is nothing else, the first failure is that of the command. */
export function sayFailures(failed: readonly FailedFile[], succeeded: number, say: (text: string) => void): void {
  if (succeeded === 0 && failed[0] !== undefined) throw failed[0].error;
  for (const { data } of failed)
    say([data.message, ...(data.hint === "" ? [] : [`What to do: ${data.hint}`])].join("\n"));
}

/** 0 where nothing failed. */
export const exitCodeOfFailed = ([first]: readonly FailedFile[]): number =>
  first === undefined ? 0 : exitCodeOf(first.error);
