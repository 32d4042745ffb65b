import { invalidOption } from "../../errors.js";
import { checkNames, type OptionNames } from "../../message/option-names.js";
import { Intake } from "./intake.js";
import type { ReadRecordingOptions, Recording, RecordingFormat } from "./recording.js";

const OPTIONS: OptionNames<ReadRecordingOptions> = { format: true, maxCharacters: true };

/**
 * Reads the recording of one or more agent sessions: Claude Code, Codex, pi, opencode, Gemini CLI, SpecStory, LangSmith
 * and Langfuse exports, and messages of OpenAI, Anthropic, Gemini and the AI SDK. The text may come in pieces. What
 * cannot be read is left out and said in `warnings`; a text of no known format is an error that lists the formats.
 *
 * @example
 * ```ts
 * const { format, conversations, warnings } = readRecording(await readFile("session.jsonl", "utf8"));
 * await session.append(conversations[0].messages);
 * ```
 */
export function readRecording(text: string | Iterable<string>, options: ReadRecordingOptions = {}): Recording {
  checkNames(options, OPTIONS, "readRecording");
  const intake = new Intake(options);
  for (const chunk of chunksOf(text)) intake.push(chunk);
  return intake.end();
}

/**
 * The same from a stream, such as a file's: the text itself is never held as a whole.
 *
 * @example
 * ```ts
 * const { conversations } = await readRecordingStream(createReadStream("session.jsonl"));
 * ```
 */
export async function readRecordingStream(
  chunks: AsyncIterable<string | Uint8Array>,
  options: ReadRecordingOptions = {},
): Promise<Recording> {
  checkNames(options, OPTIONS, "readRecordingStream");
  const intake = new Intake(options);
  const decoder = new TextDecoder();
  for await (const chunk of checkPieces(chunks, "chunks"))
    intake.push(chunk instanceof Uint8Array ? decoder.decode(chunk, { stream: true }) : checkPiece(chunk));
  intake.push(decoder.decode());
  return intake.end();
}

/**
 * The format of a recording, from no more of it than is needed; undefined where none fits.
 *
 * @example
 * ```ts
 * detectFormat('{"type":"session","id":"1","cwd":"/"}'); // "pi"
 * ```
 */
export function detectFormat(text: string | Iterable<string>): RecordingFormat | undefined {
  const intake = new Intake();
  for (const chunk of chunksOf(text)) {
    intake.push(chunk);
    if (intake.format !== undefined) return intake.format;
  }
  return intake.detect();
}

const PIECE = 1 << 20;

function* chunksOf(text: string | Iterable<string>): Generator<string> {
  if (typeof text !== "string") for (const piece of checkPieces(text, "text")) yield checkPiece(piece);
  else for (let at = 0; at < text.length; at += PIECE) yield text.slice(at, at + PIECE);
}

function checkPieces<T extends Iterable<unknown> | AsyncIterable<unknown>>(pieces: T, option: string): T {
  if (typeof pieces === "object" && pieces !== null && (Symbol.iterator in pieces || Symbol.asyncIterator in pieces))
    return pieces;
  throw invalidOption({ option, value: pieces, allowed: "a text, or one in pieces" });
}

function checkPiece(piece: unknown): string {
  if (typeof piece === "string") return piece;
  throw invalidOption({ option: "text", value: piece, allowed: "a text, or one in pieces of text" });
}
