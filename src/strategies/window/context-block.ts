import type { UserMessage } from "../../message/types.js";
import { shortenText } from "../../reduce/shorten-text.js";
import type { TokenCounter } from "../../tokens/counter.js";
import type { Counted } from "./counted.js";

/**
 * The dynamic context as a message: data from the application, not words of the user, and marked so. It stands right
 * before the latest user message, where it may change from turn to turn without touching the cached prefix.
 */
export class ContextBlock {
  readonly #counter: TokenCounter;
  #kept: { text: string; room: number; counted: Counted<UserMessage> } | undefined;

  constructor(counter: TokenCounter) {
    this.#counter = counter;
  }

  /** The message for a context text, shortened where it takes more than its room. */
  measure(text: string | undefined, room: number): Counted<UserMessage> | undefined {
    if (text === undefined || !/\S/.test(text)) return undefined;
    if (this.#kept?.text === text && this.#kept.room === room) return this.#kept.counted;
    const counted = this.#count(wrap(text));
    const fitting = counted.tokens <= room ? counted : this.#shortened(text, room);
    this.#kept = { text, room, counted: fitting };
    return fitting;
  }

  #shortened(text: string, room: number): Counted<UserMessage> {
    const overhead = this.#count(wrap("")).tokens + 2;
    return this.#count(
      wrap(
        shortenText(text, { maxTokens: Math.max(0, room - overhead), counter: (piece) => this.#counter.text(piece) }),
      ),
    );
  }

  #count(content: string): Counted<UserMessage> {
    const message: UserMessage = { role: "user", content };
    return { message, tokens: this.#counter.message(message) };
  }
}

const wrap = (text: string): string => `<context>\n${text}\n</context>`;
