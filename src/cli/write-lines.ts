import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { finished } from "node:stream/promises";
import { VarveError } from "../errors.js";

export interface WriteOptions {
  /** Readable by its owner alone; stdout unless given. */
  readonly file: string | undefined;
  readonly onLine: (line: string) => void;
}

/** Writes lines as fast as they are taken, and no faster. */
export async function writeLines(lines: AsyncIterable<string>, { file, onLine }: WriteOptions): Promise<void> {
  const stream = file === undefined ? process.stdout : createWriteStream(file, { mode: 0o600 });
  for await (const line of lines) {
    onLine(line);
    if (!stream.write(line)) await once(stream, "drain");
  }
  if (stream === process.stdout) return;
  stream.end();
  await finished(stream);
}

/** The error for an export to stdout that is to print one document as well. */
export const noFile = (): VarveError =>
  new VarveError({
    code: "invalid-option",
    message: "An export to stdout is lines of JSON already.",
    hint: "Leave --json out, or name a file with --output: --json then tells what was written.",
  });
