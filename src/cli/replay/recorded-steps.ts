import { messageText } from "../../message/content.js";
import type { Message } from "../../message/types.js";
import type { TokenCounter } from "../../tokens/counter.js";
import type { RecordedConversation } from "../../wire/recordings/recording.js";
import { argumentIdentifiers } from "./identifiers.js";

/** Where a text stands: in which message, and where in its text the last occurrence ends. */
interface Occurrence {
  readonly message: number;
  readonly end: number;
}

/** An identifier that the agent went on to use and that the conversation held before. */
export interface Needed {
  readonly text: string;
  readonly held: readonly Occurrence[];
  /** Tokens between its last occurrence and the end of the history. */
  readonly distance: number;
}

/** A call of the model: the messages before `at` are its history. */
export interface RecordedStep {
  readonly at: number;
  readonly needed: readonly Needed[];
}

/** Identifiers of one step that count, so that one long call does not outweigh a hundred short ones. */
const MOST_PER_STEP = 40;
const BETWEEN = "\n\0\n";

/** One conversation, indexed once for all the settings that it is replayed under. */
export class RecordedSteps {
  readonly conversation: RecordedConversation;
  /** The system prompt, where there is one, and the messages. */
  readonly messages: readonly Message[];
  readonly texts: readonly string[];
  readonly steps: readonly RecordedStep[];
  /** Tokens of the messages before each position. */
  readonly #before: number[] = [0];
  readonly #starts: number[] = [];
  readonly #joined: string;
  readonly #known = new Map<string, readonly Occurrence[]>();

  constructor(conversation: RecordedConversation, counter: TokenCounter) {
    this.conversation = conversation;
    this.messages = withSystem(conversation);
    this.texts = this.messages.map(messageText);
    for (const message of this.messages) this.#before.push(this.#before.at(-1)! + counter.message(message));
    let start = 0;
    for (const text of this.texts) {
      this.#starts.push(start);
      start += text.length + BETWEEN.length;
    }
    this.#joined = this.texts.join(BETWEEN);
    this.steps = this.messages.flatMap(({ role }, at) => (role === "assistant" && at > 0 ? [this.#step(at)] : []));
    this.#known.clear();
  }

  /** Tokens of the history of a step. */
  tokensBefore(at: number): number {
    return this.#before[at]!;
  }

  /** Tokens of the longest history that a call had. */
  get longest(): number {
    const last = this.steps.at(-1);
    return last === undefined ? 0 : this.tokensBefore(last.at);
  }

  #step(at: number): RecordedStep {
    const needed: Needed[] = [];
    for (const text of argumentIdentifiers(this.messages[at]!)) {
      if (needed.length === MOST_PER_STEP) break;
      const held = this.#occurrences(text).filter(({ message }) => message < at);
      const last = held.at(-1);
      if (last !== undefined) needed.push({ text, held, distance: this.#distance(last, at) });
    }
    return { at, needed };
  }

  /** Of the message itself the part behind the occurrence counts, by its length. */
  #distance({ message, end }: Occurrence, at: number): number {
    const behind = this.#before[at]! - this.#before[message + 1]!;
    const own = this.#before[message + 1]! - this.#before[message]!;
    return behind + own * (1 - end / this.texts[message]!.length);
  }

  #occurrences(text: string): readonly Occurrence[] {
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    const ends = new Map<number, number>();
    let message = 0;
    for (let at = this.#joined.indexOf(text); at >= 0; at = this.#joined.indexOf(text, at + text.length)) {
      while (this.#starts[message + 1]! <= at) message++;
      ends.set(message, at - this.#starts[message]! + text.length);
    }
    const found = [...ends].map(([each, end]) => ({ message: each, end }));
    this.#known.set(text, found);
    return found;
  }
}

function withSystem({ system, messages }: RecordedConversation): readonly Message[] {
  return system === undefined ? messages : [{ role: "system", content: system }, ...messages];
}
