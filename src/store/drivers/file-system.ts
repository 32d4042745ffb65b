import {
  closeSync,
  existsSync,
  fdatasyncSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { VarveError } from "../../errors.js";
import { isObject } from "../../message/plain-value.js";
import { FAILED, FULL, type StoreFault, storeError } from "../store-errors.js";

export const PRIVATE_FILE = 0o600;
const PRIVATE_FOLDER = 0o700;

/** Makes a folder, and those that it lies in, for this user alone. */
export const makeFolder = (path: string): void => {
  mkdirSync(path, { recursive: true, mode: PRIVATE_FOLDER });
};

/** Makes an empty file where there is none, and the folders that it lies in, for this user alone. */
export function makeFile(path: string): void {
  makeFolder(dirname(path));
  closeSync(openSync(path, "a", PRIVATE_FILE));
}

/** Names of what is in a folder, sorted; none where there is no folder. */
export const namesIn = (folder: string): string[] => (existsSync(folder) ? readdirSync(folder).sort() : []);

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
export function writeAll(file: number, bytes: Uint8Array, from = 0): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at, bytes.length - at, from + at);
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

const READ_ONLY: StoreFault = {
  code: "store-read-only",
  says: "cannot be written",
  hint: "Give this user the right to write the folder and the files in it.",
};
const FAULTS: Readonly<Record<string, StoreFault>> = {
  ENOSPC: FULL,
  EDQUOT: FULL,
  EACCES: READ_ONLY,
  EPERM: READ_ONLY,
  EROFS: READ_ONLY,
};

/** An error of the file system as one of ours. */
export function fileError(error: unknown, path: string): unknown {
  if (!isObject(error) || typeof error.syscall !== "string" || VarveError.isInstance(error)) return error;
  return storeError(FAULTS[String(error.code)] ?? FAILED, path, error);
}
