import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { finished } from "node:stream/promises";

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
