import type { ReadRecordingOptions } from "../../wire/recordings/recording.js";
import { rejoined } from "../text-input.js";
import { type FailedFile, failedFile } from "./failed-file.js";
import { type RecordingFile, readRecordingFile } from "./read-file.js";

/** A file that was read, or what is to be told of it. */
export type ReadFile = RecordingFile | FailedFile;

/** Reads files one by one, so that one is held at a time. */
async function* readEach(names: readonly string[], options: ReadRecordingOptions): AsyncGenerator<ReadFile> {
  for (const name of names)
    yield await readRecordingFile(name, options).catch((error: unknown) => failedFile(name, error));
}

/** The same, begun: whoever awaits this has the first file that can be read, or the failure where none can. */
export async function beginReading(
  names: readonly string[],
  options: ReadRecordingOptions,
): Promise<AsyncIterable<ReadFile>> {
  const files = readEach(names, options);
  const begun: ReadFile[] = [];
  for (let next = await files.next(); !next.done; next = await files.next()) {
    begun.push(next.value);
    if (!("error" in next.value)) return rejoined(begun, files);
  }
  const [first] = begun;
  if (first !== undefined && "error" in first) throw first.error;
  return rejoined(begun, files);
}
