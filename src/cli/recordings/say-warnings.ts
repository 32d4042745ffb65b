import type { RecordingFile } from "./read-file.js";

/** Says of each file what could not be read as it stands. */
export function sayWarnings(files: readonly RecordingFile[], say: (text: string) => void): void {
  for (const { file, warnings } of files)
    for (const { message, line } of warnings)
      say(`${file === "-" ? "stdin" : file}${line === undefined ? "" : `:${line}`}: ${message}`);
}
