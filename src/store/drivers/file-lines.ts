/**
 * The log of a session as lines of JSON. A head names the session; then come commits, each some lines for entries and
 * documents and a last one that says how many they are. A commit whose beginning alone is there was never acknowledged.
 * Each line begins with a sum of what follows in it; in format 1, which 0.1.0 wrote, only the last of a commit has one.
 */
import { randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";
import { type Change, headAfter, type KeyedAppend } from "../store.js";
import { type EntryRow, rowOf } from "../stored-entry.js";
import { markedLine } from "./file-tail.js";

export const LOG_FORMAT = 2;

export interface LogHead {
  readonly varve: "log";
  readonly format: number;
  readonly session: string;
  /** Random: tells a file from all others that were or will be in its place. */
  readonly file: string;
}

export interface CommitLine {
  readonly version: number;
  readonly time: number;
  readonly head: number;
  readonly key?: string;
  /** All keys, in a log that was written anew. */
  readonly keys?: readonly (readonly [string, KeyedAppend])[];
  /** In a log that was written anew: the time of its first commit. */
  readonly created?: number;
  /** Lines in front of this one that belong to it. */
  readonly lines: number;
  /** In format 1: the sum of these lines. */
  readonly crc?: number;
}

/** A log with its head. */
export function withHead(session: string, commits: Buffer): Buffer {
  const head: LogHead = { varve: "log", format: LOG_FORMAT, session, file: randomBytes(12).toString("hex") };
  const line = markedLine(summed(`${JSON.stringify(head)}\n`).slice(0, -2), commits.length);
  return Buffer.concat([Buffer.from(line), commits]);
}

/** Of a whole line, its own sum put in front. */
const summed = (line: string): string => `{"sum":${crc32(line.slice(1, -1))},${line.slice(1)}`;

const SUM = /^\{"sum":(\d+),/;

/** A line without its sum; undefined where it is not as it was written. */
export function unsummed(line: string): string | undefined {
  const [front = "", sum] = SUM.exec(line) ?? [];
  const rest = line.slice(front.length);
  return front !== "" && crc32(rest) === Number(sum) ? `{${rest}` : undefined;
}

export function entryLine({ sequence, parent, time, role, blank, message }: EntryRow): string {
  return `{"entry":${JSON.stringify([sequence, parent, time, role, blank])},"message":${message}}\n`;
}

export const documentLine = (name: string, text: string | undefined): string =>
  text === undefined
    ? `{"removed":${JSON.stringify(name)}}\n`
    : `{"document":${JSON.stringify(name)},"value":${text}}\n`;

/** The lines of a commit with the one that closes it. */
export function commitBytes(lines: readonly string[], commit: Omit<CommitLine, "lines" | "crc">): Buffer {
  const line: CommitLine = { ...commit, lines: lines.length };
  return Buffer.from([...lines, `{"commit":${JSON.stringify(line)}}\n`].map(summed).join(""));
}

/** The bytes of a commit, and the head after it. */
export function changeBytes(
  change: Omit<Change, "version">,
  before: { readonly version: number; readonly head: number },
): { readonly bytes: Buffer; readonly head: number } {
  const head = headAfter(change, before.head);
  const rows = (change.entries ?? []).map((entry) => entryLine(rowOf(entry)));
  const documents = [...(change.documents ?? [])].map(([name, value]) =>
    documentLine(name, value === undefined ? undefined : JSON.stringify(value)),
  );
  const key = change.key === undefined ? {} : { key: change.key };
  const commit = { version: before.version + 1, time: change.time, head, ...key };
  return { bytes: commitBytes([...rows, ...documents], commit), head };
}

export type ParsedLine =
  | { readonly kind: "entry"; readonly row: EntryRow }
  | { readonly kind: "document"; readonly name: string; readonly text: string | undefined }
  | { readonly kind: "commit"; readonly commit: CommitLine };

const MESSAGE = ',"message":';
const VALUE = ',"value":';

/** A line of a commit; undefined where it is none. The text of messages and documents is not parsed. */
export function parseLine(written: string, format: number): ParsedLine | undefined {
  const line = format === 1 ? written : unsummed(written);
  if (line === undefined) return undefined;
  try {
    if (line.startsWith('{"entry":')) return { kind: "entry", row: parseEntry(line) };
    if (line.startsWith('{"document":')) return parseValue(line);
    const value = JSON.parse(line) as { commit?: CommitLine; removed?: string };
    if (value.commit !== undefined) return { kind: "commit", commit: value.commit };
    return value.removed === undefined ? undefined : { kind: "document", name: value.removed, text: undefined };
  } catch {
    return undefined;
  }
}

function parseEntry(line: string): EntryRow {
  const end = line.indexOf(MESSAGE);
  const front = JSON.parse(line.slice('{"entry":'.length, end)) as [number, number, number, EntryRow["role"], boolean];
  const [sequence, parent, time, role, blank] = front;
  return { sequence, parent, time, role, blank, message: line.slice(end + MESSAGE.length, -1) };
}

/** Names of documents hold nothing that JSON escapes. */
function parseValue(line: string): ParsedLine {
  const end = line.indexOf(VALUE);
  const name = JSON.parse(line.slice('{"document":'.length, end)) as string;
  return { kind: "document", name, text: line.slice(end + VALUE.length, -1) };
}

/**
 * Of bytes behind the last whole commit: whether they are more than the beginning of one. That much was written in
 * full, so it may have been acknowledged, and something has changed it since.
 */
export function isSpoiled(rest: Buffer, format: number): boolean {
  for (let at = 0; ; ) {
    const end = rest.indexOf(10, at);
    if (end < 0) return parseLine(rest.toString("utf8", at).replace(/[^}]$/, ""), format)?.kind === "commit";
    const line = parseLine(rest.toString("utf8", at, end), format);
    if (line === undefined || line.kind === "commit") return true;
    at = end + 1;
  }
}
