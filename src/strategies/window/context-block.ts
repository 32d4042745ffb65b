import { foreignText } from "../../message/foreign-text.js";
import type { UserMessage } from "../../message/types.js";
import { shortenText } from "../../reduce/shorten-text.js";
import type { TokenCounter } from "../../tokens/counter.js";
import type { Counted } from "./counted.js";

/** The dynamic context as a view can show it. The object stays the same as long as it does. */
export interface ContextForm {
  /** Tokens of the whole of it. */
  readonly whole: number;
  /** The message; undefined where there is room for no word of it. */
  readonly shown: Counted<UserMessage> | undefined;
  /** The form without a message, for a view that needs the room. */
  readonly dropped?: ContextForm;
}

/**
 * The dynamic context as a message: data from the application, not words of the user, and marked so. It stands right
 * before the latest user message, where it may change from turn to turn without touching the cached prefix.
 */
export class ContextBlock {
  readonly #counter: TokenCounter;
  #kept: { text: string; room: number; form: ContextForm } | undefined;

  constructor(counter: TokenCounter) {
    this.#counter = counter;
  }

  /** The message for a context text, shortened where it takes more than its room. */
  measure(text: string | undefined, room: number): ContextForm | undefined {
    if (text === undefined || !/\S/.test(text)) return undefined;
    if (this.#kept?.text === text && this.#kept.room === room) return this.#kept.form;
    const whole = this.#count(text);
    const shown = whole.tokens <= room ? whole : this.#shortened(text, room);
    const form = { whole: whole.tokens, shown, dropped: { whole: whole.tokens, shown: undefined } };
    this.#kept = { text, room, form };
    return form;
  }

  #shortened(text: string, room: number): Counted<UserMessage> | undefined {
    const maxTokens = room - this.#count("").tokens - 2;
    if (maxTokens <= 0) return undefined;
    const shorter = shortenText(text, { maxTokens, counter: (piece) => this.#counter.text(piece) });
    return /\S/.test(shorter) ? this.#count(shorter) : undefined;
  }

  #count(text: string): Counted<UserMessage> {
    const message: UserMessage = { role: "user", content: `<context>\n${foreignText(text)}\n</context>` };
    return { message, tokens: this.#counter.message(message) };
  }
}
