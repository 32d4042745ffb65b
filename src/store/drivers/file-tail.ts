/**
 * What files that are only ever added to have in common: their end is where the last whole piece of them ends. Their first
 * line has a mark of how far they went when they were last added to, so that a file that was cut short is noticed. The
 * mark is written behind what it tells of, which is durable then: it may be behind the file's end, and never ahead of it.
 */
import { closeSync, constants, fstatSync, ftruncateSync, openSync, readSync } from "node:fs";
import { crc32 } from "node:zlib";
import { freeName, PRIVATE_FILE, syncData, writeAll, writeAtomically } from "./file-system.js";

const MARK = /,"end":"(\d{15}) (\d{10})"\}\n?$/;
const MARK_LENGTH = ',"end":"012345678901234 0123456789"}\n'.length;

function markOf(end: number): string {
  const digits = String(end).padStart(15, "0");
  return `,"end":"${digits} ${String(crc32(digits)).padStart(10, "0")}"}\n`;
}

/** The beginning of a first line with its mark, for a file with so many bytes behind it. */
export const markedLine = (front: string, bytes: number): string =>
  front + markOf(Buffer.byteLength(front) + MARK_LENGTH + bytes);

/** How far a file went, as its first line says; 0 where that says nothing. */
export function markIn(line: string): number {
  const [, digits = "", sum] = MARK.exec(line) ?? [];
  return crc32(digits) === Number(sum) ? Number(digits) : 0;
}

/** The part of a first line that stays as it is. */
export const frontOf = (line: Buffer): Buffer => (MARK.test(line.toString()) ? line.subarray(0, -MARK_LENGTH) : line);

function writeMark(file: number, end: number): void {
  const line = firstLine(file);
  if (MARK.test(line)) writeAll(file, Buffer.from(markOf(end)), Buffer.byteLength(line) + 1 - MARK_LENGTH);
}

const PIECE = 4_096;

/** Without its end. */
export function firstLine(file: number): string {
  for (let size = PIECE; ; size *= 4) {
    const bytes = bytesOf(file, 0, size);
    const end = bytes.indexOf(10);
    if (end >= 0 || bytes.length < size) return bytes.toString("utf8", 0, end < 0 ? bytes.length : end);
  }
}

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
  const file = openSync(path, constants.O_RDWR | constants.O_CREAT, PRIVATE_FILE);
  try {
    const { size } = fstatSync(file);
    if (size > end) ftruncateSync(file, end);
    try {
      writeAll(file, bytes, end);
      syncData(file);
    } catch (error) {
      ftruncateSync(file, end);
      throw error;
    }
    writeMark(file, end + bytes.length);
    return size - end;
  } finally {
    closeSync(file);
  }
}

/** Moves what stands behind the end into a file of its own, and says which and how much; none where nothing is there. */
export function moveTail(path: string, end: number): { readonly aside: string; readonly bytes: number } {
  const file = openSync(path, "r+");
  try {
    const rest = bytesOf(file, end, fstatSync(file).size);
    const aside = freeName(`${path}.damaged`);
    if (rest.length > 0) writeAtomically(aside, rest);
    ftruncateSync(file, end);
    writeMark(file, end);
    syncData(file);
    return { aside, bytes: rest.length };
  } finally {
    closeSync(file);
  }
}
