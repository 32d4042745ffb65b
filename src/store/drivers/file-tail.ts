/** What files that are only ever added to have in common: their end is where the last whole piece of them ends. */
import { closeSync, fstatSync, ftruncateSync, openSync, readSync } from "node:fs";
import { freeName, PRIVATE_FILE, syncData, writeAll, writeAtomically } from "./file-system.js";

export function bytesOf(file: number, from: number, to: number): Buffer {
  const bytes = Buffer.allocUnsafe(to - from);
  let read = 0;
  while (read < bytes.length) {
    const more = readSync(file, bytes, read, bytes.length - read, from + read);
    if (more === 0) break;
    read += more;
  }
  return bytes.subarray(0, read);
}

/** Adds bytes behind the end, durably or not at all. Returns how many bytes of an unfinished piece were cut off. */
export function writeBehind(path: string, end: number, bytes: Buffer): number {
  const file = openSync(path, "a+", PRIVATE_FILE);
  try {
    const { size } = fstatSync(file);
    if (size > end) ftruncateSync(file, end);
    try {
      writeAll(file, bytes);
      syncData(file);
    } catch (error) {
      ftruncateSync(file, end);
      throw error;
    }
    return size - end;
  } finally {
    closeSync(file);
  }
}

/** Moves what stands behind the end into a file of its own, and says which and how much. */
export function moveTail(path: string, end: number): { readonly aside: string; readonly bytes: number } {
  const file = openSync(path, "r+");
  try {
    const rest = bytesOf(file, end, fstatSync(file).size);
    const aside = freeName(`${path}.damaged`);
    writeAtomically(aside, rest);
    ftruncateSync(file, end);
    syncData(file);
    return { aside, bytes: rest.length };
  } finally {
    closeSync(file);
  }
}
