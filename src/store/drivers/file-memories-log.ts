import { closeSync, copyFileSync, fstatSync, readFileSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { VarveError } from "../../errors.js";
import { REPAIR } from "../damage.js";
import { openToRead } from "./file-log.js";
import { droppedCommit } from "./file-log-errors.js";
import {
  formatIn,
  idsIn,
  MEMORIES_FORMAT,
  type MemoriesLine,
  memoriesHead,
  memoriesLines,
  parseMemoriesLine,
  rowByRow,
  statedSum,
  sumsBehind,
} from "./file-memories-lines.js";
import { freeName, makeFolder, syncFolder, writeAtomically } from "./file-system.js";
import { bytesOf, firstLine, frontOf, markIn, moveTail, writeBehind } from "./file-tail.js";

/** Who is told what a log says. */
export interface MemoriesReader {
  /** It is another file, which begins with the next line. */
  restart(): void;
  take(line: MemoriesLine): void;
  has(id: string): boolean;
}

/** Lines that were damaged: where the first is, how many, and whose ids can be read in them. */
interface Damage {
  readonly at: number;
  readonly lines: number;
  readonly ids: readonly string[];
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
  #isTold = false;
  /** What is damaged further up. */
  #damage: Damage | undefined;

  constructor(path: string, reader: MemoriesReader, warn: (warning: VarveError) => void) {
    this.path = path;
    this.#reader = reader;
    this.#warn = warn;
  }

  get size(): number {
    return this.#end;
  }

  /** Says once what is wrong with the end, which stays there. */
  tell(): void {
    if (!this.#isSpoiled || this.#isTold) return;
    this.#isTold = true;
    this.#warn(this.#spoilt());
  }

  #spoilt(): VarveError {
    if (statSync(this.path).size <= this.#end) return cutMemories(this.path);
    const tail = readFileSync(this.path).toString("utf8", this.#end).trimEnd();
    return this.#damaged({ at: this.#end, lines: tail.split("\n").length, ids: idsIn(tail) });
  }

  get isDamaged(): boolean {
    return this.#damage !== undefined;
  }

  #damaged({ at, lines, ids }: Damage): VarveError {
    const gone = [...new Set(ids)].filter((id) => !this.#reader.has(id));
    return damagedLines(this.path, { at, lines, memories: gone });
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
      if (this.#end === 0 || this.#isSpoiled) this.#mark = mark;
      this.#isSpoiled = false;
      const { lines } = this.#damage ?? { lines: 0 };
      if (size > this.#end) this.#take(bytesOf(file, this.#end, size), mark);
      if (this.#damage !== undefined && this.#damage.lines > lines) this.#warn(this.#damaged(this.#damage));
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

  /** Adds a change, which is durable then, and hands it over. Only for who has the lock, right after a read. */
  append(line: MemoriesLine): void {
    if (this.#end === 0) this.#begin();
    const { bytes, sum } = memoriesLines(rowByRow(line), this.#sum);
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
    const { bytes: body, sum } = memoriesLines(lines, 0);
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

  /**
   * A line that is damaged is left out; the last one is set aside. Lines count when the last of their write is there, or
   * when they are in front of the mark, which is set behind whole writes alone.
   */
  #take(bytes: Buffer, mark: number): void {
    let from = this.#end === 0 ? this.#takeHead(bytes) : 0;
    const start = this.#end - from;
    let [sums, write]: [number[], MemoriesLine[]] = [[this.#sum], []];
    let damaged: string[] = [];
    for (let at = from, end = bytes.indexOf(10, at); end >= 0; end = bytes.indexOf(10, at)) {
      const text = bytes.toString("utf8", at, end);
      const line = parseMemoriesLine(text, sums);
      if (line === undefined) damaged.push(text);
      else write.push(line);
      sums = line === undefined ? sumsBehind(text, sums) : [statedSum(text)];
      at = end + 1;
      const isLast = bytes.indexOf(10, at) < 0;
      const isMarked = start + at <= mark && write.length > 0;
      if (!isMarked && !(line !== undefined && endsWrite(line, damaged.length > 0 && isLast))) continue;
      if (damaged.length > 0) this.#note(start + from, damaged);
      for (const each of write) this.#reader.take(each);
      [this.#end, this.#sum, from, write, damaged] = [start + at, sums[0]!, at, [], []];
    }
    this.#isSpoiled = damaged.length > 0;
  }

  #note(at: number, texts: readonly string[]): void {
    const { lines, ids, ...first } = this.#damage ?? { at, lines: 0, ids: [] };
    this.#damage = { at: first.at, lines: lines + texts.length, ids: [...ids, ...texts.flatMap(idsIn)] };
  }

  #takeHead(bytes: Buffer): number {
    const end = bytes.indexOf(10);
    if (end < 0) return bytes.length;
    const format = formatIn(bytes.toString("utf8", 0, end));
    if (format !== undefined && format > MEMORIES_FORMAT) throw newerMemories(this.path, format);
    this.#head = Buffer.from(frontOf(bytes.subarray(0, end + 1)));
    if (format === undefined) this.#note(0, [""]);
    this.#end = end + 1;
    return end + 1;
  }

  /** Moves a last line that cannot be read into a file of its own. Only for who has the lock, right after a read. */
  setAside(): void {
    if (!this.#isSpoiled) return;
    const { aside, bytes } = moveTail(this.path, this.#end);
    if (bytes > 0) this.#warn(lineSetAside(this.path, aside, bytes));
    else this.tell();
    this.#isSpoiled = false;
    this.#isTold = false;
    this.#mark = 0;
  }
}

/** In a write that may never have been acknowledged each line must be whole. */
const endsWrite = (line: MemoriesLine, isDamaged: boolean): boolean =>
  line.kind !== "write" || line.part === undefined || (line.part[0] === line.part[1] && !isDamaged);

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

interface LostLines {
  readonly at: number;
  readonly lines: number;
  /** As far as their ids can be read. */
  readonly memories: readonly string[];
}

function damagedLines(path: string, { at, lines, memories }: LostLines): VarveError {
  const names = `${memories.slice(0, 10).join(", ")}${memories.length > 10 ? ", …" : ""}`;
  const count = memories.length === 1 ? "1 memory is gone" : `${memories.length} memories are gone`;
  const gone = memories.length === 0 ? "changes are gone" : `${count}: ${names}`;
  const where = `behind byte ${at} in ${lines === 1 ? "1 line" : `${lines} lines`}`;
  return new VarveError({
    code: "store-damaged",
    message: `The memories "${path}" are damaged ${where}: ${gone}.`,
    hint: `They go on without those. Restore the file from a copy or an export; or: ${REPAIR}.`,
    details: { path, at, lines, memories },
  });
}

const cutMemories = (path: string): VarveError =>
  new VarveError({
    code: "store-damaged",
    message: `The memories "${path}" were cut short: changes at the end, which were acknowledged, are gone.`,
    hint: "They go on without those. Restore the file from a copy or an export where they are needed.",
    details: { path },
  });
