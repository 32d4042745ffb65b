/**
 * The log of a session as lines of JSON. A head names the session; then come commits, each some lines for entries and
 * documents and a last one that says how many they are and what their bytes add up to. A commit whose beginning alone
 * is there was never acknowledged.
 */
import { randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";
import { type Change, headAfter, type KeyedAppend } from "../store.js";
import { type EntryRow, rowOf } from "../stored-entry.js";

export const LOG_FORMAT = 1;

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
  readonly crc: number;
}

export function headLine(session: string): string {
  const head: LogHead = { varve: "log", format: LOG_FORMAT, session, file: randomBytes(12).toString("hex") };
  return `${JSON.stringify(head)}\n`;
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
  const body = Buffer.from(lines.join(""));
  const line: CommitLine = { ...commit, lines: lines.length, crc: crc32(body) };
  return Buffer.concat([body, Buffer.from(`{"commit":${JSON.stringify(line)}}\n`)]);
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
export function parseLine(line: string): ParsedLine | undefined {
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

/** A commit line that is whole but for the end of the line. */
const FINISHED = /^\{"commit":.*"crc":\d+\}\}/s;

/**
 * Of bytes behind the last whole commit: whether they are more than the beginning of one. That much was written in
 * full, so it may have been acknowledged, and something has changed it since.
 */
export function isSpoiled(rest: Buffer): boolean {
  for (let at = 0; ; ) {
    const end = rest.indexOf(10, at);
    if (end < 0) return rest.indexOf('{"commit":', at) === at && FINISHED.test(rest.toString("utf8", at));
    const line = parseLine(rest.toString("utf8", at, end));
    if (line === undefined || line.kind === "commit") return true;
    at = end + 1;
  }
}

/** The versions in the commit lines among some bytes. */
export function versionsIn(rest: Buffer): number[] {
  const lines = rest.toString("utf8").split("\n").slice(0, -1).map(parseLine);
  return lines.flatMap((line) => (line?.kind === "commit" ? [line.commit.version] : []));
}
