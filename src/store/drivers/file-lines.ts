/**
 * The log of a session as lines of JSON. A head names the session; then come commits, each some lines for entries and
 * documents and a last one that says how many they are and what their bytes add up to. What follows the last whole
 * commit was never acknowledged.
 */
import { crc32 } from "node:zlib";
import type { KeyedAppend } from "../store.js";
import type { EntryRow } from "../stored-entry.js";

export const LOG_FORMAT = 1;

export interface LogHead {
  readonly varve: "log";
  readonly format: number;
  readonly session: string;
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

export const headLine = (session: string): string =>
  `${JSON.stringify({ varve: "log", format: LOG_FORMAT, session } satisfies LogHead)}\n`;

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
