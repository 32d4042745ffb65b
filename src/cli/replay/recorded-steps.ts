import { messageText } from "../../message/content.js";
import type { Message } from "../../message/types.js";
import type { TokenCounter } from "../../tokens/counter.js";
import type { RecordedConversation } from "../../wire/recordings/recording.js";
import { argumentIdentifiers } from "./identifiers.js";
import { findOccurrences, type Occurrence } from "./occurrences.js";

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

/** One conversation, indexed once for all the settings that it is replayed under. */
export class RecordedSteps {
  readonly conversation: RecordedConversation;
  /** The system prompt, where there is one, and the messages. */
  readonly messages: readonly Message[];
  readonly texts: readonly string[];
  readonly steps: readonly RecordedStep[];
  /** Tokens of the messages before each position. */
  readonly #before: number[] = [0];

  constructor(conversation: RecordedConversation, counter: TokenCounter) {
    this.conversation = conversation;
    this.messages = withSystem(conversation);
    this.texts = this.messages.map(messageText);
    for (const message of this.messages) this.#before.push(this.#before.at(-1)! + counter.message(message));
    const used = this.messages.flatMap((message, at) =>
      message.role === "assistant" && at > 0 ? [{ at, words: argumentIdentifiers(message) }] : [],
    );
    const found = findOccurrences(this.texts, new Set(used.flatMap(({ words }) => words)));
    this.steps = used.map(({ at, words }) => ({ at, needed: this.#needed(words, at, found) }));
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

  #needed(words: readonly string[], at: number, found: ReadonlyMap<string, readonly Occurrence[]>): Needed[] {
    const needed: Needed[] = [];
    for (const text of words) {
      if (needed.length === MOST_PER_STEP) break;
      const held = (found.get(text) ?? []).filter(({ message }) => message < at);
      const last = held.at(-1);
      if (last !== undefined) needed.push({ text, held, distance: this.#distance(last, at) });
    }
    return needed;
  }

  /** Of the message itself the part behind the occurrence counts, by its length. */
  #distance({ message, end }: Occurrence, at: number): number {
    const behind = this.#before[at]! - this.#before[message + 1]!;
    const own = this.#before[message + 1]! - this.#before[message]!;
    return behind + own * (1 - end / this.texts[message]!.length);
  }
}

function withSystem({ system, messages }: RecordedConversation): readonly Message[] {
  return system === undefined ? messages : [{ role: "system", content: system }, ...messages];
}
