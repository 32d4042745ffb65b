import { closeSync, copyFileSync, fstatSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { VarveError } from "../../errors.js";
import { REPAIR } from "../damage.js";
import { openToRead } from "./file-log.js";
import { droppedCommit } from "./file-log-errors.js";
import {
  formatIn,
  MEMORIES_FORMAT,
  type MemoriesLine,
  memoriesHead,
  memoriesLine,
  parseMemoriesLine,
  statedSum,
} from "./file-memories-lines.js";
import { freeName, makeFolder, syncFolder, writeAtomically } from "./file-system.js";
import { bytesOf, firstLine, frontOf, markIn, moveTail, writeBehind } from "./file-tail.js";

/** Who is told what a log says. */
export interface MemoriesReader {
  /** It is another file, which begins with the next line. */
  restart(): void;
  take(line: MemoriesLine): void;
}

/** The file of a folder's memories, as far as it has been read. */
export class MemoriesLog {
  readonly path: string;
  readonly #reader: MemoriesReader;
  readonly #warn: (warning: VarveError) => void;
  #head: Buffer = Buffer.alloc(0);
  /** Bytes of the file that are whole lines. */
  #end = 0;
  /** That of the last of them. */
  #sum = 0;
  /** How far the file went, as it said when it was first read. */
  #mark = 0;
  /** Whether the last line is whole but not as it was written, or lines are gone behind it. */
  #isSpoiled = false;
  /** What is damaged further up. */
  #damage: VarveError | undefined;

  constructor(path: string, reader: MemoriesReader, warn: (warning: VarveError) => void) {
    this.path = path;
    this.#reader = reader;
    this.#warn = warn;
  }

  get size(): number {
    return this.#end;
  }

  get isSpoiled(): boolean {
    return this.#isSpoiled;
  }

  /** What is wrong with the end, where it is to stay there. */
  get spoilt(): VarveError {
    return statSync(this.path).size > this.#end ? damagedLines(this.path, this.#end) : cutMemories(this.path);
  }

  get damage(): VarveError | undefined {
    return this.#damage;
  }

  /** Hands over what others have added. */
  read(): void {
    const file = openToRead(this.path);
    if (file === undefined) {
      if (this.#end > 0) this.forget();
      return;
    }
    try {
      // The mark comes first: what it tells of was written before it.
      const mark = markIn(firstLine(file));
      const { size } = fstatSync(file);
      if (size < this.#end || !bytesOf(file, 0, this.#head.length).equals(this.#head)) this.forget();
      if (this.#end === 0) this.#mark = mark;
      this.#isSpoiled = false;
      if (size > this.#end) this.#take(bytesOf(file, this.#end, size));
      if (this.#mark > this.#end && this.#damage === undefined) this.#isSpoiled = true;
    } finally {
      closeSync(file);
    }
  }

  /** Reads all of it anew the next time. */
  forget(): void {
    this.#end = 0;
    this.#sum = 0;
    this.#mark = 0;
    this.#damage = undefined;
    this.#head = Buffer.alloc(0);
    this.#reader.restart();
  }

  /** Adds a line, which is durable then, and hands it over. Only for who has the lock, right after a read. */
  append(line: MemoriesLine): void {
    if (this.#end === 0) this.#begin();
    const { bytes, sum } = memoriesLine(line, this.#sum);
    this.setAside();
    const torn = writeBehind(this.path, this.#end, bytes);
    if (torn > 0) this.#warn(droppedCommit(this.path, torn));
    this.#end += bytes.length;
    this.#sum = sum;
    this.#reader.take(line);
  }

  /** Puts other lines in the place of all. Whoever has read the old file sees that it is another. */
  rewrite(lines: Iterable<MemoriesLine>): void {
    this.setAside();
    makeFolder(dirname(this.path));
    const pieces: Buffer[] = [];
    let sum = 0;
    for (const line of lines) {
      const written = memoriesLine(line, sum);
      pieces.push(written.bytes);
      sum = written.sum;
    }
    const body = Buffer.concat(pieces);
    const head = Buffer.from(memoriesHead(body.length));
    if (this.#damage !== undefined) copyFileSync(this.path, freeName(`${this.path}.damaged`));
    writeAtomically(this.path, Buffer.concat([head, body]));
    this.#damage = undefined;
    this.#mark = 0;
    this.#head = frontOf(head);
    this.#end = head.length + body.length;
    this.#sum = sum;
  }

  /** A head that is not whole was never followed by anything. */
  #begin(): void {
    this.rewrite([]);
    syncFolder(dirname(dirname(this.path)));
  }

  /** A line that is damaged is left out; the last one is set aside. */
  #take(bytes: Buffer): void {
    let at = this.#end === 0 ? this.#takeHead(bytes) : 0;
    for (let end = bytes.indexOf(10, at); end >= 0; end = bytes.indexOf(10, at)) {
      const text = bytes.toString("utf8", at, end);
      const line = parseMemoriesLine(text, this.#sum);
      this.#isSpoiled = line === undefined && bytes.indexOf(10, end + 1) < 0;
      if (this.#isSpoiled) return;
      if (line === undefined) this.#note();
      else this.#reader.take(line);
      this.#end += end + 1 - at;
      this.#sum = statedSum(text) ?? this.#sum;
      at = end + 1;
    }
  }

  #note(): void {
    if (this.#damage === undefined) this.#warn(damagedLines(this.path, this.#end));
    this.#damage ??= damagedLines(this.path, this.#end);
  }

  #takeHead(bytes: Buffer): number {
    const end = bytes.indexOf(10);
    if (end < 0) return bytes.length;
    const format = formatIn(bytes.toString("utf8", 0, end));
    if (format !== undefined && format > MEMORIES_FORMAT) throw newerMemories(this.path, format);
    this.#head = Buffer.from(frontOf(bytes.subarray(0, end + 1)));
    if (format === undefined) this.#note();
    this.#end = end + 1;
    return end + 1;
  }

  /** Moves a last line that cannot be read into a file of its own. Only for who has the lock, right after a read. */
  setAside(): void {
    if (!this.#isSpoiled) return;
    const { aside, bytes } = moveTail(this.path, this.#end);
    this.#isSpoiled = false;
    this.#mark = 0;
    this.#warn(bytes === 0 ? cutMemories(this.path) : lineSetAside(this.path, aside, bytes));
  }
}

const newerMemories = (path: string, format: number): VarveError =>
  new VarveError({
    code: "store-newer",
    message: `The memories "${path}" have format ${format}; this release knows formats up to ${MEMORIES_FORMAT}.`,
    hint: "Update varve. The file was not changed.",
    details: { path, format, known: MEMORIES_FORMAT },
  });

const lineSetAside = (path: string, aside: string, bytes: number): VarveError =>
  new VarveError({
    code: "store-damaged",
    message: `The last change of the memories "${path}" is damaged: its ${bytes} bytes were set aside as "${aside}".`,
    hint: "The memories go on without that change; restore the file from a copy if it is needed.",
    details: { path, aside, bytes },
  });

const damagedLines = (path: string, at: number): VarveError =>
  new VarveError({
    code: "store-damaged",
    message: `The memories "${path}" are damaged behind byte ${at}: changes are gone.`,
    hint: `They go on without those. Restore the file from a copy or an export; or: ${REPAIR}.`,
    details: { path, at },
  });

const cutMemories = (path: string): VarveError =>
  new VarveError({
    code: "store-damaged",
    message: `The memories "${path}" were cut short: changes at the end, which were acknowledged, are gone.`,
    hint: "They go on without those. Restore the file from a copy or an export where they are needed.",
    details: { path },
  });
