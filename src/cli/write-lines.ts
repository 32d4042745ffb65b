import { once } from "node:events";
import { open } from "node:fs/promises";
import { finished } from "node:stream/promises";
import { VarveError } from "../errors.js";
import { notWritten } from "./not-written.js";

export interface WriteOptions {
  /** Readable by its owner alone; stdout unless given. */
  readonly file: string | undefined;
  readonly onLine: (line: string) => void;
}

const HINT = "Name another file with --output.";

/** Writes lines as fast as they are taken, and no faster. */
export async function writeLines(lines: AsyncIterable<string>, { file, onLine }: WriteOptions): Promise<void> {
  if (file === undefined) return pour(lines, process.stdout, onLine);
  const handle = await open(file, "w", 0o600).catch((cause: unknown) => {
    throw notWritten(file, cause, HINT);
  });
  const stream = handle.createWriteStream();
  // A failure is heard of at the next write or at the end; without a listener it would end the process before.
  stream.on("error", () => undefined);
  try {
    await pour(lines, stream, onLine);
    stream.end();
    await finished(stream);
  } catch (error) {
    stream.destroy();
    throw VarveError.isInstance(error) ? error : notWritten(file, error, HINT);
  }
}

async function pour(
  lines: AsyncIterable<string>,
  stream: NodeJS.WritableStream,
  onLine: WriteOptions["onLine"],
): Promise<void> {
  for await (const line of lines) {
    onLine(line);
    if (!stream.write(line)) await once(stream, "drain");
  }
}

/** The error for an export to stdout that is to print one document as well. */
export const noFile = (): VarveError =>
  new VarveError({
    code: "invalid-option",
    message: "An export to stdout is lines of JSON already.",
    hint: "Leave --json out, or name a file with --output: --json then tells what was written.",
    details: { option: "--json" },
  });
