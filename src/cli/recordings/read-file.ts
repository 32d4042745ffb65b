import { createReadStream } from "node:fs";
import { basename } from "node:path";
import { pipeline, Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { VarveError } from "../../errors.js";
import { readRecordingStream } from "../../wire/recordings/read-recording.js";
import type { ReadRecordingOptions, Recording, RecordingFormat } from "../../wire/recordings/recording.js";
import { emptyInput } from "../text-input.js";

/** A recording with the file that it came from; `-` is stdin. */
export interface RecordingFile extends Recording {
  readonly file: string;
}

/** Reads a recording, packed with gzip or not. Errors name the file. */
export async function readRecordingFile(file: string, options: ReadRecordingOptions = {}): Promise<RecordingFile> {
  const text = new Text();
  try {
    const recording = await readRecordingStream(text.seen(unpacked(openFile(file))), options);
    if (recording.conversations.length === 0) throw noConversation(recording.format);
    return { file, ...recording };
  } catch (error) {
    throw VarveError.isInstance(error) && text.isBlank ? emptyInput({ file, hint: HINT }) : named(error, file);
  }
}

/** Knows of what passes through whether there was anything in it. */
class Text {
  isBlank = true;

  async *seen(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      this.isBlank &&= chunk.every((byte) => BLANKS.has(byte));
      yield chunk;
    }
  }
}

/** White space, and the mark of the byte order. */
const BLANKS = new Set([0x20, 0x09, 0x0a, 0x0d, 0xef, 0xbb, 0xbf]);

const openFile = (file: string): AsyncIterable<Uint8Array> => (file === "-" ? process.stdin : createReadStream(file));

/** What a conversation without an id is called: the file's name without its endings. */
export const nameOfFile = (file: string): string =>
  file === "-"
    ? "stdin"
    : basename(file)
        .replace(/\.gz$/i, "")
        .replace(/\.[a-z0-9]+$/i, "");

async function* unpacked(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const iterator = chunks[Symbol.asyncIterator]();
  const first = await iterator.next();
  const all = rejoined(first, iterator);
  if (first.done || !isPacked(first.value)) yield* all;
  else yield* pipeline(Readable.from(all), createGunzip(), () => undefined) as AsyncIterable<Uint8Array>;
}

async function* rejoined(
  first: IteratorResult<Uint8Array>,
  rest: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  for (let next = first; !next.done; next = await rest.next()) yield next.value;
}

const isPacked = (bytes: Uint8Array): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b;

const REASONS: Readonly<Record<string, { readonly message: string; readonly hint: string }>> = {
  ENOENT: { message: "is not there", hint: "Check its path; - reads from stdin." },
  EISDIR: { message: "is a folder", hint: "Name the files in it, such as FOLDER/*.jsonl." },
  EACCES: { message: "may not be read", hint: "Check its permissions." },
};

function named(error: unknown, file: string): VarveError {
  const name = file === "-" ? "stdin" : file;
  if (VarveError.isInstance(error)) {
    const { code, message, details, hint } = error;
    const words = `${name}: ${message}`;
    return new VarveError({ code, message: words, ...(hint && { hint: hintOf(hint) }), details: { ...details, file } });
  }
  const { code = "", message } = error as NodeJS.ErrnoException;
  const reason = REASONS[code] ?? { message: `cannot be read: ${message}`, hint: "Check that it is whole." };
  return new VarveError({
    code: code === "ENOENT" ? "not-found" : "invalid-document",
    message: `${name} ${reason.message}.`,
    hint: reason.hint,
    cause: error,
    details: { file },
  });
}

const HINT = "Give the recording of an agent's session; `varve import --help` lists the formats.";

const noConversation = (format: RecordingFormat): VarveError =>
  new VarveError({
    code: "invalid-document",
    message: `As ${format} it holds no conversation.`,
    hint: "Leave --format out, so that the format is found by itself, or name another.",
    details: { format },
  });

/** On the command line the option is a flag. */
const hintOf = (hint: string): string =>
  hint.replace("with the option format", "with --format").replace("a larger maxCharacters", "a larger --max-size");
