import { closeSync, copyFileSync, fstatSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { crc32 } from "node:zlib";
import type { VarveError } from "../../errors.js";
import { isObject } from "../../message/plain-value.js";
import { goneRow } from "../damage.js";
import { type Change, firstVersion, type KeyedAppend, type SessionInfo } from "../store.js";
import type { EntryRow } from "../stored-entry.js";
import {
  type CommitLine,
  changeBytes,
  commitBytes,
  documentLine,
  entryLine,
  isSpoiled,
  LOG_FORMAT,
  type LogHead,
  type ParsedLine,
  parseLine,
  unsummed,
  withHead,
} from "./file-lines.js";
import {
  commitSetAside,
  cutLog,
  damagedLog,
  droppedCommit,
  newerLog,
  salvagedLog,
  untidiedLog,
} from "./file-log-errors.js";
import { freeName, syncFolder, writeAtomically } from "./file-system.js";
import { bytesOf, firstLine, frontOf, markIn, moveTail, writeBehind } from "./file-tail.js";

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
  /** The front of the first line, by which another file in the same place is known: systems use the numbers of files again. */
  #headLine: Buffer = Buffer.alloc(0);
  #format = LOG_FORMAT;
  /** Bytes of the file that are whole commits. */
  #end = 0;
  /** How far the file went, as it said when it was first read. */
  #mark = 0;
  #isSpoiled = false;
  #isTold = false;
  /** Where the log is damaged further up; undefined where it is not. */
  #damagedAt: number | undefined;
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
    if (log.read() !== "read") return undefined;
    if (log.damage !== undefined) warn(log.damage);
    return log;
  }

  get version(): number {
    return this.#version;
  }

  /** What is damaged further up, if anything is. */
  get damage(): VarveError | undefined {
    const gone = this.#rows.flatMap(({ damage, sequence }) => (damage === undefined ? [] : [`e${sequence}`]));
    return this.#damagedAt === undefined
      ? undefined
      : salvagedLog(this.path, { session: this.#id, at: this.#damagedAt, gone });
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
      // The mark comes first: what it tells of was written before it.
      if (this.#end === 0 || this.#isSpoiled) this.#mark = markIn(firstLine(file));
      const { size } = fstatSync(file);
      if (size < this.#end || !bytesOf(file, 0, this.#headLine.length).equals(this.#headLine)) return "replaced";
      this.#isSpoiled = false;
      if (size > this.#end) this.#take(bytesOf(file, this.#end, size));
      if (this.#mark > this.#end && this.#damagedAt === undefined) this.#isSpoiled = true;
      if (this.#isSpoiled && this.#version === 0) throw damagedLog(this.path, this.#end);
      return "read";
    } finally {
      closeSync(file);
    }
  }

  /**
   * Adds a commit behind the last whole one, and returns its version. What was left of an unfinished one is cut off. A
   * log of 0.1.0 is written anew first, with a sum in each line.
   */
  append(change: Change): number {
    this.setAside();
    if (this.#format !== LOG_FORMAT) this.#rewrite();
    const version = this.#version === 0 ? firstVersion() - 1 : this.#version;
    const { bytes } = changeBytes(change, { version, head: this.#head });
    const torn = this.#write(this.#end === 0 ? withHead(this.#id, bytes) : bytes);
    if (torn > 0) this.#warn(droppedCommit(this.path, torn));
    this.#tidy();
    return version + 1;
  }

  /** Moves what cannot be read behind the last whole commit into a file of its own. Only for who has the lock, right after a read. */
  setAside(): void {
    if (!this.#isSpoiled) return;
    const { aside, bytes } = moveTail(this.path, this.#end);
    if (bytes > 0) this.#warn(commitSetAside(this.path, aside, bytes));
    else this.tell();
    this.#isSpoiled = false;
    this.#isTold = false;
    this.#mark = 0;
  }

  /** Says once that what was written in full behind the last whole commit cannot be read, or is gone; it stays there. */
  tell(): void {
    if (!this.#isSpoiled || this.#isTold) return;
    this.#isTold = true;
    this.#warn(cutLog(this.path, { session: this.#id, entries: this.#rows.length, at: this.#end, went: this.#mark }));
  }

  /** The commit is durable already: whatever fails here must not make it look as if it were not. */
  #tidy(): void {
    try {
      this.read();
      if (this.#damagedAt === undefined && this.#garbage > LEAST_GARBAGE && this.#garbage > this.#end / 2)
        this.#rewrite();
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
    const whole = withHead(this.#id, bytes);
    if (this.#damagedAt !== undefined) copyFileSync(this.path, freeName(`${this.path}.damaged`));
    writeAtomically(this.path, whole);
    this.#headLine = frontOf(whole.subarray(0, whole.indexOf(10) + 1));
    this.#format = LOG_FORMAT;
    this.#end = whole.length;
    this.#mark = 0;
    this.#garbage = 0;
  }

  /** Writes the log anew without what is damaged: placeholders stand for entries that are gone. Only for who has the lock. */
  repair(): void {
    this.setAside();
    if (this.#damagedAt !== undefined) this.#rewrite();
  }

  #take(bytes: Buffer): void {
    let at = this.#end === 0 ? this.#takeHead(bytes) : 0;
    for (;;) {
      const end = this.#takeCommit(bytes, at);
      if (end < 0) break;
      this.#end += end - at;
      at = end;
    }
    this.#takeRest(bytes.subarray(at));
  }

  /** Takes in the commit that begins at a place, and returns where it ends; -1 where it is not whole. */
  #takeCommit(bytes: Buffer, start: number): number {
    const lines: ParsedLine[] = [];
    for (let at = start; ; ) {
      const end = bytes.indexOf(10, at);
      const line = end < 0 ? undefined : parseLine(bytes.toString("utf8", at, end), this.#format);
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

  /** What follows the last whole commit: an unfinished one, or damage; behind which there may be whole ones again. */
  #takeRest(rest: Buffer): void {
    const salvaged = isSpoiled(rest, this.#format) ? this.#salvage(rest) : 0;
    this.#end += salvaged;
    this.#isSpoiled = isSpoiled(rest.subarray(salvaged), this.#format);
  }

  /** Takes in every line that is whole, up to the last commit behind the damage; returns where that ends. */
  #salvage(rest: Buffer): number {
    let [end, start] = [0, 0];
    let lines: ParsedLine[] = [];
    let isBroken = false;
    for (let at = 0, next = rest.indexOf(10); next >= 0; at = next + 1, next = rest.indexOf(10, at)) {
      const line = parseLine(rest.toString("utf8", at, next), this.#format);
      if (line === undefined) isBroken = true;
      if (line?.kind !== "commit") {
        if (line !== undefined) lines.push(line);
        continue;
      }
      const { commit } = line;
      const isSure = this.#format > 1 || isWhole(lines, commit, rest.subarray(start, at));
      const isIntact = isSure && !isBroken && lines.length === commit.lines;
      const isLast = this.#isNext(commit.version) && rest.indexOf('"commit":', next) < 0;
      if (this.#version > 0 && ((isLast && !isIntact) || commit.version <= this.#version)) break;
      this.#damagedAt ??= this.#end;
      this.#apply(isSure ? lines : [], commit, isIntact);
      [lines, isBroken] = [[], false];
      [start, end] = [next + 1, next + 1];
    }
    return end;
  }

  /** A head that is damaged names nothing that the file's name does not. */
  #takeHead(bytes: Buffer): number {
    const end = bytes.indexOf(10);
    if (end < 0) return bytes.length;
    const line = bytes.toString("utf8", 0, end);
    const head = parseHead(line);
    const isSummed = bytes.subarray(end + 1).toString("latin1", 0, 7) === '{"sum":';
    if (head === undefined && !isSummed) throw damagedLog(this.path, 0);
    if (head === undefined) this.#damagedAt = 0;
    if (head !== undefined && head.format > LOG_FORMAT) throw newerLog(this.path, head.format);
    this.#format = head?.format ?? LOG_FORMAT;
    this.#headLine = Buffer.from(frontOf(bytes.subarray(0, end + 1)));
    this.#end = end + 1;
    return end + 1;
  }

  #apply(lines: readonly ParsedLine[], commit: CommitLine, isWhole = true): void {
    const start = lines.find((line) => line.kind === "entry")?.row.sequence ?? this.#rows.length;
    const first = isWhole ? start : this.#rows.length;
    for (const line of lines) {
      if (line.kind === "entry") this.#takeRow(line.row);
      if (line.kind === "document") this.#takeDocument(line.name, line.text);
    }
    while (this.#rows.length <= commit.head) this.#takeRow(goneRow(this.#id, this.#rows.length, commit.time));
    // Where the commit before is gone too, nobody knows which entries were whose.
    const isKnown = isWhole || this.#version === 0 || this.#isNext(commit.version);
    if (commit.key !== undefined && isKnown) this.#keys.set(commit.key, { first, count: this.#rows.length - first });
    for (const [key, append] of commit.keys ?? []) this.#keys.set(key, append);
    if (this.#version === 0) this.#created = commit.created ?? commit.time;
    this.#version = commit.version;
    this.#head = commit.head;
    this.#updated = commit.time;
  }

  /** Entries are numbered without gaps: those in a gap are gone. */
  #takeRow(row: EntryRow): void {
    if (row.sequence < this.#rows.length) return;
    while (this.#rows.length < row.sequence) this.#takeRow(goneRow(this.#id, this.#rows.length, row.time));
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
  lines.length === count && (crc === undefined || crc32(bytes) === crc);

export function openToRead(path: string): number | undefined {
  try {
    return openSync(path, "r");
  } catch (error) {
    if (isObject(error) && error.code === "ENOENT") return undefined;
    throw error;
  }
}

/** Undefined where it is no head, or not as it was written. */
function parseHead(line: string): LogHead | undefined {
  const front = frontOf(Buffer.from(`${line}\n`)).toString();
  const written = line.startsWith('{"sum":') ? unsummed(`${front}}`) : line;
  try {
    const head = JSON.parse(written ?? "") as LogHead;
    const isHead = isObject(head) && head.varve === "log" && typeof head.session === "string";
    return isHead && Number.isInteger(head.format) && (written !== line || head.format !== 2) ? head : undefined;
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
