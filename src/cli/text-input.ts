import { createReadStream } from "node:fs";
import { text } from "node:stream/consumers";
import { VarveError } from "../errors.js";

/** A text as it stands on the command line, or from stdin where it is "-". */
export const textFrom = async (operand: string): Promise<string> => (operand === "-" ? text(process.stdin) : operand);

/** Where lines come from: a file, or stdin for "-". */
export interface LineSource {
  readonly file: string;
  /** What to do where they cannot be read. */
  readonly hint: string;
}

/** Lines whose first one is known. */
export interface OpenedLines {
  readonly first: string;
  /** All of them, the first one included. */
  readonly bytes: AsyncIterable<Uint8Array>;
}

/** Longer than any first line of an export. */
const FIRST_LINE = 1 << 16;

/**
 * Reads the first line before the work is begun: nothing is opened or made for a file that is not there, or empty. The file
 * is closed in the end, so that nothing waits for the rest of what is piped in.
 */
export async function withLines<T>(source: LineSource, work: (lines: OpenedLines) => Promise<T>): Promise<T> {
  const chunks = chunksOf(source);
  const read: Uint8Array[] = [];
  const decoder = new TextDecoder();
  let head = "";
  try {
    while (!head.includes("\n") && head.length < FIRST_LINE) {
      const next = await chunks.next();
      if (next.done) break;
      read.push(next.value);
      head = `${head}${decoder.decode(next.value, { stream: true })}`.trimStart();
    }
    if (head === "") throw emptyInput(source);
    return await work({ first: head.split("\n", 1)[0]!, bytes: rejoined(read, chunks) });
  } finally {
    await chunks.return(undefined);
  }
}

/** What was read ahead, then the rest; nothing is held longer than until it is taken. */
export async function* rejoined<T>(read: T[], rest: AsyncIterable<T>): AsyncGenerator<T> {
  for (let next = read.shift(); next !== undefined; next = read.shift()) yield next;
  yield* rest;
}

async function* chunksOf({ file, hint }: LineSource): AsyncGenerator<Uint8Array, void> {
  try {
    yield* (file === "-" ? process.stdin : createReadStream(file)) as AsyncIterable<Uint8Array>;
  } catch (cause) {
    const missing = (cause as NodeJS.ErrnoException).code === "ENOENT";
    throw new VarveError({
      code: missing ? "not-found" : "invalid-document",
      message: missing ? `There is no file ${file}.` : `The file ${file} cannot be read.`,
      hint,
      cause,
      details: { file },
    });
  }
}

export const emptyInput = ({ file, hint }: LineSource): VarveError =>
  new VarveError({
    code: "invalid-document",
    message: file === "-" ? "stdin is empty." : `The file ${file} is empty.`,
    hint,
    details: { file },
  });
