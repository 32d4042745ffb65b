/** Takes a text in pieces, finds its format, and hands its values to the format's reader. */
import { describeValue, invalidOption, tooLarge, VarveError } from "../../errors.js";
import { listFormat, ownFormat, VALUE_FORMATS } from "./formats.js";
import { JSONValues } from "./json-values.js";
import { Notes } from "./notes.js";
import type { FormatDefinition, RecordingReader } from "./reader.js";
import {
  RECORDING_FORMATS,
  type ReadRecordingOptions,
  type RecordedConversation,
  type Recording,
  type RecordingFormat,
} from "./recording.js";
import { isSpecStory, readSpecStory } from "./specstory.js";

/** What is read of one recording takes some four times as many bytes of memory. */
const MOST_CHARACTERS = 200_000_000;
/** Values looked at, at most, before the format is decided. */
const LOOKED_AT = 1000;

interface Held {
  readonly value: unknown;
  readonly line: number;
}

export class Intake {
  readonly #notes = new Notes();
  readonly #values = new JSONValues((value, line) => this.#take(value, line), this.#notes);
  readonly #forced: RecordingFormat | undefined;
  readonly #most: number;
  #length = 0;
  #kind: "json" | "text" | undefined;
  #texts: string[] = [];
  #held: Held[] = [];
  #decided: FormatDefinition | undefined;
  #reader: RecordingReader | undefined;

  constructor({ format: forced, maxCharacters = MOST_CHARACTERS }: ReadRecordingOptions = {}) {
    if (!(typeof maxCharacters === "number" && maxCharacters >= 1))
      throw invalidOption({ option: "maxCharacters", value: maxCharacters, allowed: "a number of characters from 1" });
    this.#most = maxCharacters;
    if (forced !== undefined && !RECORDING_FORMATS.includes(forced))
      throw invalidOption({ option: "format", value: forced, allowed: `one of ${RECORDING_FORMATS.join(", ")}` });
    this.#forced = forced;
    this.#decided = VALUE_FORMATS.find(({ format }) => format === forced);
    if (forced === "specstory") this.#kind = "text";
  }

  /** The format, as soon as it is known. */
  get format(): RecordingFormat | undefined {
    return this.#decided?.format;
  }

  push(chunk: string): void {
    this.#length += chunk.length;
    if (this.#length > this.#most) throw tooLarge("The recording", this.#most, RAISE);
    if (this.#kind === undefined) chunk = this.#start(chunk);
    if (this.#kind === "json") this.#values.push(chunk);
    else this.#texts.push(chunk);
  }

  /** The format of all that was taken; undefined where none fits. */
  detect(): RecordingFormat | undefined {
    if (this.#kind !== "json") return isSpecStory(this.#texts.join("")) ? "specstory" : undefined;
    this.#values.end();
    this.#decide();
    return this.format;
  }

  end(): Recording {
    const format = this.#forced === "specstory" ? "specstory" : this.detect();
    if (format === undefined) throw this.#unknown();
    const conversations = this.#conversations(format);
    if (conversations.length === 0) this.#notes.add("empty", "The recording holds no messages.");
    return { format, conversations, warnings: this.#notes.list() };
  }

  #conversations(format: RecordingFormat): RecordedConversation[] {
    if (format === "specstory") return readSpecStory(this.#texts.join(""), this.#notes);
    return this.#readerOf(this.#decided)?.end() ?? [];
  }

  /** JSON begins with a bracket; what does not is text. */
  #start(chunk: string): string {
    const text = this.#texts.length === 0 && chunk.startsWith("\uFEFF") ? chunk.slice(1) : chunk;
    const first = text.trimStart()[0];
    if (first === undefined) return text;
    this.#kind = first === "{" || first === "[" ? "json" : "text";
    if (this.#kind === "text") return text;
    const before = this.#texts.join("");
    this.#texts = [];
    return before + text;
  }

  #take(value: unknown, line: number): void {
    if (this.#reader !== undefined) {
      this.#reader.take(value, line);
      return;
    }
    this.#held.push({ value, line });
    // A list alone is what it holds; whether it is alone only the next value tells.
    if (this.#held.length === 1 && Array.isArray(value)) return;
    this.#decided ??= ownFormat(value);
    if (this.#decided !== undefined || this.#held.length === LOOKED_AT) this.#decide();
  }

  #decide(): void {
    const [first] = this.#held;
    if (this.#held.length === 1 && Array.isArray(first?.value))
      this.#held = first.value.map((value: unknown) => ({ value, line: first.line }));
    const values = this.#held.map(({ value }) => value);
    this.#decided ??= firstOwn(values) ?? listFormat(values.slice(0, LOOKED_AT));
    const reader = this.#readerOf(this.#decided);
    if (reader === undefined) return;
    for (const { value, line } of this.#held) reader.take(value, line);
    this.#held = [];
  }

  #readerOf(definition: FormatDefinition | undefined): RecordingReader | undefined {
    this.#reader ??= definition?.reader(this.#notes);
    return this.#reader;
  }

  #unknown(): VarveError {
    const found = this.#held[0];
    const looks = found === undefined ? "the text is no JSON" : `the first value is ${describeValue(found.value)}`;
    const tried = [
      ...VALUE_FORMATS.map(({ format, sign }) => ({
        format,
        why: this.#kind === "json" ? `it has no ${sign}` : looks,
      })),
      { format: "specstory", why: "it has no line such as _**User**_" },
    ];
    return new VarveError({
      code: "unknown-format",
      message: `The text is no recording in a format that varve knows: ${looks}.\n${tried.map(({ format, why }) => `  ${format}: ${why}`).join("\n")}`,
      hint: "If it is one of these, name it with the option format; else convert it to a list of messages in OpenAI's shape.",
      details: { tried, warnings: this.#notes.list() },
    });
  }
}

const RAISE = "If you trust it, read it with a larger maxCharacters; else take the part of it that you need.";

function firstOwn(values: readonly unknown[]): FormatDefinition | undefined {
  for (const value of values.slice(0, LOOKED_AT)) {
    const definition = ownFormat(value);
    if (definition !== undefined) return definition;
  }
  return undefined;
}
