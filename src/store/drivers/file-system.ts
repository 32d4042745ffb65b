import {
  closeSync,
  existsSync,
  fdatasyncSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { VarveError, type VarveErrorCode } from "../../errors.js";
import { isObject } from "../../message/plain-value.js";

export const PRIVATE_FILE = 0o600;
const PRIVATE_FOLDER = 0o700;

/** Makes a folder, and those that it lies in, for this user alone. */
export const makeFolder = (path: string): void => {
  mkdirSync(path, { recursive: true, mode: PRIVATE_FOLDER });
};

let written = 0;

/** Puts a text in the place of a file so that a reader finds the old one or the new one, also after a crash. */
export function writeAtomically(path: string, text: string | Uint8Array): void {
  const temporary = `${path}.${process.pid}-${++written}.tmp`;
  try {
    writeDurably(openSync(temporary, "wx", PRIVATE_FILE), Buffer.from(text));
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  syncFolder(dirname(path));
}

/** A name beside a path that no file has. */
export function freeName(path: string): string {
  let number = 1;
  while (existsSync(`${path}-${number}`)) number++;
  return `${path}-${number}`;
}

/** Writes all of it and closes the file. */
function writeDurably(file: number, bytes: Uint8Array): void {
  try {
    writeAll(file, bytes);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** A disk that is nearly full may take a part of what it is given. */
export function writeAll(file: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
}

export const syncData = fdatasyncSync;

/** Makes names in a folder durable. Windows has no such thing and needs none. */
export function syncFolder(path: string): void {
  if (process.platform === "win32") return;
  const folder = openSync(path, "r");
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

interface Kind {
  readonly code: VarveErrorCode;
  readonly says: string;
  readonly hint: string;
  readonly retryable?: true;
}

const FULL: Kind = {
  code: "store-full",
  says: "has no room left",
  hint: "Free space on its disk; what was committed is safe.",
  retryable: true,
};
const READ_ONLY: Kind = {
  code: "store-read-only",
  says: "cannot be written",
  hint: "Give this user the right to write the folder and the files in it.",
};
const KINDS: Readonly<Record<string, Kind>> = {
  ENOSPC: FULL,
  EDQUOT: FULL,
  EACCES: READ_ONLY,
  EPERM: READ_ONLY,
  EROFS: READ_ONLY,
};
const FAILED: Kind = { code: "store-failed", says: "could not be used", hint: "See the cause." };

/** An error of the file system as one of ours. */
export function fileError(error: unknown, path: string): unknown {
  if (!isObject(error) || typeof error.syscall !== "string" || VarveError.isInstance(error)) return error;
  const { says, ...kind } = KINDS[String(error.code)] ?? FAILED;
  return new VarveError({ ...kind, message: `The store "${path}" ${says}.`, cause: error, details: { path } });
}
