import { closeSync, fstatSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { crc32 } from "node:zlib";
import type { VarveError } from "../../errors.js";
import { isObject } from "../../message/plain-value.js";
import { type Change, firstVersion, type KeyedAppend, type SessionInfo } from "../store.js";
import type { EntryRow } from "../stored-entry.js";
import {
  type CommitLine,
  changeBytes,
  commitBytes,
  documentLine,
  entryLine,
  headLine,
  isSpoiled,
  LOG_FORMAT,
  type LogHead,
  type ParsedLine,
  parseLine,
  versionsIn,
} from "./file-lines.js";
import { commitSetAside, damagedLog, droppedCommit, newerLog, untidiedLog } from "./file-log-errors.js";
import { syncFolder, writeAtomically } from "./file-system.js";
import { bytesOf, moveTail, writeBehind } from "./file-tail.js";

/** A log is written anew when this much of it, and half of it, are documents that were replaced since. */
const LEAST_GARBAGE = 4 * 1024 * 1024;

type Warn = (warning: VarveError) => void;

/** The log of one session as far as it has been read. Its text stays as it is until somebody asks for it. */
export class FileLog {
  readonly path: string;
  readonly #id: string;
  readonly #rows: EntryRow[] = [];
  readonly #documents = new Map<string, string>();
  readonly #keys = new Map<string, KeyedAppend>();
  readonly #warn: Warn;
  /** The first line, by which another file in the same place is known: systems use the numbers of files again. */
  #headLine: Buffer = Buffer.alloc(0);
  /** Bytes of the file that are whole commits. */
  #end = 0;
  #isSpoiled = false;
  #version = 0;
  #head = -1;
  #created = 0;
  #updated = 0;
  #bytes = 0;
  #garbage = 0;

  constructor(path: string, id: string, warn: Warn) {
    this.path = path;
    this.#id = id;
    this.#warn = warn;
  }

  /** The log at a path, read as far as it goes; undefined where there is none. */
  static open(path: string, id: string, warn: Warn): FileLog | undefined {
    const log = new FileLog(path, id, warn);
    return log.read() === "read" ? log : undefined;
  }

  get version(): number {
    return this.#version;
  }

  /** Whether a commit that was written in full, the last one, cannot be read. */
  get isSpoiled(): boolean {
    return this.#isSpoiled;
  }

  get rows(): readonly EntryRow[] {
    return this.#rows;
  }

  get documents(): ReadonlyMap<string, string> {
    return this.#documents;
  }

  get keys(): ReadonlyMap<string, KeyedAppend> {
    return this.#keys;
  }

  get info(): SessionInfo {
    return {
      id: this.#id,
      version: this.#version,
      entries: this.#rows.length,
      head: this.#head,
      created: this.#created,
      updated: this.#updated,
      bytes: this.#bytes,
    };
  }

  /** Takes in what others have added. Another file, or none, in its place is told, not read. */
  read(): "read" | "missing" | "replaced" {
    const file = openToRead(this.path);
    if (file === undefined) return "missing";
    try {
      const { size } = fstatSync(file);
      if (size < this.#end || !bytesOf(file, 0, this.#headLine.length).equals(this.#headLine)) return "replaced";
      this.#isSpoiled = false;
      if (size > this.#end) this.#take(bytesOf(file, this.#end, size));
      return "read";
    } finally {
      closeSync(file);
    }
  }

  /** Adds a commit behind the last whole one, and returns its version. What was left of an unfinished one is cut off. */
  append(change: Change): number {
    this.setAside();
    const version = this.#version === 0 ? firstVersion() - 1 : this.#version;
    const { bytes } = changeBytes(change, { version, head: this.#head });
    const start = this.#end === 0 ? Buffer.from(headLine(this.#id)) : Buffer.alloc(0);
    const torn = this.#write(Buffer.concat([start, bytes]));
    if (torn > 0) this.#warn(droppedCommit(this.path, torn));
    this.#tidy();
    return version + 1;
  }

  /** Moves a last commit that cannot be read into a file of its own. Only for who has the lock, right after a read. */
  setAside(): void {
    if (!this.#isSpoiled) return;
    const { aside, bytes } = moveTail(this.path, this.#end);
    this.#isSpoiled = false;
    this.#warn(commitSetAside(this.path, aside, bytes));
  }

  /** The commit is durable already: whatever fails here must not make it look as if it were not. */
  #tidy(): void {
    try {
      this.read();
      if (this.#garbage > LEAST_GARBAGE && this.#garbage > this.#end / 2) this.#rewrite();
    } catch (error) {
      this.#warn(untidiedLog(this.path, error));
    }
  }

  #write(bytes: Buffer): number {
    const torn = writeBehind(this.path, this.#end, bytes);
    if (this.#end === 0) syncFolder(dirname(this.path));
    return torn;
  }

  /** Leaves out documents that were replaced. Whoever reads the old file sees that it is another. */
  #rewrite(): void {
    const documents = [...this.#documents].map(([name, text]) => documentLine(name, text));
    const commit = { version: this.#version, time: this.#updated, head: this.#head, created: this.#created };
    const bytes = commitBytes([...this.#rows.map(entryLine), ...documents], { ...commit, keys: [...this.#keys] });
    writeAtomically(this.path, Buffer.concat([Buffer.from(headLine(this.#id)), bytes]));
  }

  #take(bytes: Buffer): void {
    let at = this.#end === 0 ? this.#takeHead(bytes) : 0;
    for (;;) {
      const end = this.#takeCommit(bytes, at);
      if (end < 0) break;
      this.#end += end - at;
      at = end;
    }
    this.#isSpoiled = this.#checkRest(bytes.subarray(at));
  }

  /** Takes in the commit that begins at a place, and returns where it ends; -1 where it is not whole. */
  #takeCommit(bytes: Buffer, start: number): number {
    const lines: ParsedLine[] = [];
    for (let at = start; ; ) {
      const end = bytes.indexOf(10, at);
      const line = end < 0 ? undefined : parseLine(bytes.toString("utf8", at, end));
      if (line === undefined) return -1;
      if (line.kind === "commit") {
        if (!isWhole(lines, line.commit, bytes.subarray(start, at)) || !this.#isNext(line.commit.version)) return -1;
        this.#apply(lines, line.commit);
        return end + 1;
      }
      lines.push(line);
      at = end + 1;
    }
  }

  #isNext(version: number): boolean {
    return this.#version === 0 || version === this.#version + 1;
  }

  /** Whether the last commit cannot be read. Where it is not only the last one, nothing can be done with the log. */
  #checkRest(rest: Buffer): boolean {
    if (!isSpoiled(rest)) return false;
    const versions = versionsIn(rest);
    if (this.#version === 0 || versions.some((version) => version !== this.#version + 1))
      throw damagedLog(this.path, this.#end);
    return true;
  }

  #takeHead(bytes: Buffer): number {
    const end = bytes.indexOf(10);
    if (end < 0) return bytes.length;
    const head = parseHead(bytes.toString("utf8", 0, end));
    if (head === undefined) throw damagedLog(this.path, 0);
    if (head.format > LOG_FORMAT) throw newerLog(this.path, head.format);
    this.#headLine = Buffer.from(bytes.subarray(0, end + 1));
    this.#end = end + 1;
    return end + 1;
  }

  #apply(lines: readonly ParsedLine[], commit: CommitLine): void {
    const first = this.#rows.length;
    for (const line of lines) {
      if (line.kind === "entry") this.#takeRow(line.row);
      if (line.kind === "document") this.#takeDocument(line.name, line.text);
    }
    if (commit.key !== undefined) this.#keys.set(commit.key, { first, count: this.#rows.length - first });
    for (const [key, append] of commit.keys ?? []) this.#keys.set(key, append);
    if (this.#version === 0) this.#created = commit.created ?? commit.time;
    this.#version = commit.version;
    this.#head = commit.head;
    this.#updated = commit.time;
  }

  #takeRow(row: EntryRow): void {
    this.#rows.push(row);
    this.#bytes += Buffer.byteLength(row.message);
  }

  #takeDocument(name: string, text: string | undefined): void {
    const before = this.#documents.get(name);
    const size = Buffer.byteLength(before ?? "");
    this.#garbage += size;
    this.#bytes += Buffer.byteLength(text ?? "") - size;
    if (text === undefined) this.#documents.delete(name);
    else this.#documents.set(name, text);
  }

  /** The head alone does not make a session: its first commit does. */
  get isEmpty(): boolean {
    return this.#version === 0;
  }
}

const isWhole = (lines: readonly ParsedLine[], { lines: count, crc }: CommitLine, bytes: Buffer): boolean =>
  lines.length === count && crc32(bytes) === crc;

export function openToRead(path: string): number | undefined {
  try {
    return openSync(path, "r");
  } catch (error) {
    if (isObject(error) && error.code === "ENOENT") return undefined;
    throw error;
  }
}

function parseHead(line: string): LogHead | undefined {
  try {
    const head = JSON.parse(line) as LogHead;
    return isObject(head) && head.varve === "log" && typeof head.session === "string" ? head : undefined;
  } catch {
    return undefined;
  }
}

/** The id of the session that a log belongs to; undefined where the file is no log. */
export function sessionInLog(path: string): string | undefined {
  const file = openToRead(path);
  if (file === undefined) return undefined;
  try {
    return parseHead(firstLine(file))?.session;
  } finally {
    closeSync(file);
  }
}

const PIECE = 4_096;

function firstLine(file: number): string {
  for (let size = PIECE; ; size *= 4) {
    const bytes = bytesOf(file, 0, size);
    const end = bytes.indexOf(10);
    if (end >= 0 || bytes.length < size) return bytes.toString("utf8", 0, end < 0 ? bytes.length : end);
  }
}
