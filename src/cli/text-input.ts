import { createReadStream } from "node:fs";
import { text } from "node:stream/consumers";
import { VarveError } from "../errors.js";

/** A text as it stands on the command line, or from stdin where it is "-". */
export const textFrom = async (operand: string): Promise<string> => (operand === "-" ? text(process.stdin) : operand);

/** The bytes of a file, or of stdin for "-". One that cannot be read is named in the error, with the hint. */
export async function* bytesOf(file: string, hint: string): AsyncGenerator<Uint8Array | string> {
  try {
    yield* file === "-" ? process.stdin : createReadStream(file);
  } catch (cause) {
    const missing = (cause as NodeJS.ErrnoException).code === "ENOENT";
    throw new VarveError({
      code: missing ? "not-found" : "invalid-document",
      message: missing ? `There is no file ${file}.` : `The file ${file} cannot be read.`,
      hint,
      cause,
      details: { file },
    });
  }
}
