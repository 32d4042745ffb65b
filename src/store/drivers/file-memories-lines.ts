/**
 * The log of a folder's memories as lines of JSON. A head tells the file from all others; each line behind it is a change
 * of one row, with a sum of its bytes and of all in front of it, so that none can be missing. A write of several rows is
 * as many lines, which count only when the last is there; earlier releases put them into one. A log that was written anew
 * begins with one line for each scope and each row.
 */
import { randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";
import type { Amendment, NewMemory } from "../memories/memories.js";
import { markedLine } from "./file-tail.js";

export const MEMORIES_FORMAT = 1;

export type MemoriesLine = WriteLine | VectorsLine | DropLine | OrderLine | ScopeLine | RowLine;

export interface WriteLine {
  readonly kind: "write";
  readonly scope: string;
  /** The scope's version after it. */
  readonly version: number;
  readonly put: readonly WrittenRow[];
  readonly amend: readonly Amendment[];
  readonly remove: readonly string[];
  /** Which line it is, from 1 on, of how many that make up the write; undefined where it is the only one. */
  readonly part?: readonly [at: number, of: number];
}

export interface VectorsLine {
  readonly kind: "vectors";
  readonly embedder: string;
  readonly rows: readonly { readonly id: string; readonly values: WrittenVectors }[];
}

interface DropLine {
  readonly kind: "drop";
  readonly embedder: string;
}

/** In a log that was written anew: how far the order of rows has come. */
interface OrderLine {
  readonly kind: "order";
  readonly order: number;
}

export interface ScopeLine {
  readonly kind: "scope";
  readonly scope: string;
  readonly version: number;
  /** Threads, and the place that the next row of each gets. */
  readonly threads: readonly (readonly [string, number])[];
}

export interface RowLine {
  readonly kind: "row";
  readonly row: WrittenRow;
  readonly place: number;
  readonly order: number;
}

/** A memory in JSON, which leaves out an `until` that is undefined. */
export interface WrittenRow extends Omit<NewMemory, "vectors" | "until"> {
  readonly until?: number;
  readonly vectors: readonly (readonly [embedder: string, values: WrittenVectors])[];
}

/** As many vectors as given, one behind the other: their numbers in 32 bits each, low byte first, in base64. */
export type WrittenVectors = readonly [count: number, base64: string];

export const writtenVectors = (values: readonly Float32Array[]): WrittenVectors => {
  const bytes = values.map((vector) => Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength));
  return [values.length, Buffer.concat(bytes).toString("base64")];
};

export function readVectors([count, base64]: WrittenVectors): Float32Array[] {
  const bytes = new Uint8Array(Buffer.from(base64, "base64"));
  const size = count === 0 ? 0 : bytes.length / 4 / count;
  return Array.from({ length: count }, (_, at) => new Float32Array(bytes.buffer, at * size * 4, size));
}

export const writtenRow = ({ vectors, until, ...memory }: NewMemory): WrittenRow => ({
  ...memory,
  ...(until !== undefined && { until }),
  vectors: vectors === undefined ? [] : [[vectors.embedder, writtenVectors(vectors.values)]],
});

/** The head of a log with so many bytes behind it. */
export const memoriesHead = (bytes: number): string => {
  const head = { varve: "memories", format: MEMORIES_FORMAT, file: randomBytes(12).toString("hex") };
  return markedLine(JSON.stringify(head).slice(0, -1), bytes);
};

/** The format that a head names; undefined where it is none. */
export function formatIn(head: string): number | undefined {
  try {
    const { varve, format } = JSON.parse(head) as { varve?: unknown; format?: unknown };
    return varve === "memories" && typeof format === "number" ? format : undefined;
  } catch {
    return undefined;
  }
}

/** Lines one behind the other, and the sum that goes on into the next one. */
interface SummedLines {
  readonly bytes: Buffer;
  readonly sum: number;
}

export function memoriesLines(lines: Iterable<MemoriesLine>, before: number): SummedLines {
  const pieces: Buffer[] = [];
  let sum = before;
  for (const line of lines) {
    const text = JSON.stringify(line);
    sum = crc32(text, sum);
    pieces.push(Buffer.from(`{"sum":${sum},"line":${text}}\n`));
  }
  return { bytes: Buffer.concat(pieces), sum };
}

/** A change as lines of one row each, so that damage costs the row that it is in. */
export function rowByRow(line: MemoriesLine): readonly MemoriesLine[] {
  if (line.kind === "vectors") return line.rows.map((row) => ({ ...line, rows: [row] }));
  if (line.kind !== "write") return [line];
  const { put, amend } = line;
  const none = { ...line, put: [], amend: [], remove: [] };
  const lines: WriteLine[] = [
    ...put.map((row) => ({ ...none, put: [row] })),
    ...amend.map((row) => ({ ...none, amend: [row] })),
    ...(line.remove.length > 0 ? [{ ...none, remove: line.remove }] : []),
  ];
  return lines.length < 2 ? [line] : lines.map((each, at) => ({ ...each, part: [at + 1, lines.length] }));
}

const FRONT = /^\{"sum":(\d+),"line":/;

/** A line without its end; undefined where it, or each sum that may be that of what was in front of it, is not as it was written. */
export function parseMemoriesLine(text: string, befores: readonly number[]): MemoriesLine | undefined {
  const [front = "", given] = FRONT.exec(text) ?? [];
  const inner = text.slice(front.length, -1);
  const isWhole =
    front !== "" && text.endsWith("}") && befores.some((before) => crc32(inner, before) === Number(given));
  return isWhole ? (JSON.parse(inner) as MemoriesLine) : undefined;
}

/** The sum that a line states; any number of 32 bits where it cannot be read. */
export const statedSum = (text: string): number =>
  Number.parseInt(text.slice(Math.max(0, text.lastIndexOf('{"sum":')) + '{"sum":'.length), 10) >>> 0;

/** The sums that may go on behind a damaged line: the one that it states, that of what it says, the one in front of it. */
export function sumsBehind(text: string, [before = 0]: readonly number[]): number[] {
  const said = text.indexOf('{"kind":');
  return [statedSum(text), crc32(text.slice(said, -1), before), before];
}

/** The ids that can be read in a damaged line, which may be no JSON any longer. */
export const idsIn = (text: string): string[] =>
  [...text.matchAll(/"id":"((?:[^"\\]|\\.)*)"/g)].map(([, id = ""]) => id.replace(/\\(.)/g, "$1"));
