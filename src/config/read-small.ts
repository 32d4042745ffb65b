import { closeSync, constants, openSync, readSync, statSync } from "node:fs";
import { VarveError } from "../errors.js";

/**
 * The bytes of a file of settings. What comes with a folder may be a link to a device without end, or a pipe into which nobody
 * writes; some files of /proc say that they are empty, and have no end either.
 */
export function readSmall(file: string): Buffer {
  const stats = statSync(file);
  if (!stats.isFile() && !stats.isDirectory())
    throw refused(file, "is no regular file", "Put a file of its own in its place.");
  const opened = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const bytes = Buffer.allocUnsafe(LIMIT + 1);
    let length = 0;
    for (let read = -1; read !== 0; length += read) read = readSync(opened, bytes, length, bytes.length - length, null);
    if (length > LIMIT) throw refused(file, "is larger than 1 MB", "Settings are short: take out what is none.");
    return bytes.subarray(0, length);
  } finally {
    closeSync(opened);
  }
}

const LIMIT = 1_000_000;

const refused = (file: string, what: string, hint: string): VarveError =>
  new VarveError({ code: "invalid-document", message: `The file ${file} ${what}.`, hint, details: { file } });
