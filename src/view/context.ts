import { foreignText } from "../message/foreign-text.js";
import { shortenText } from "../reduce/shorten-text.js";
import type { MessageItem } from "./plan.js";
import type { Reading } from "./reading.js";

/** The dynamic context as a view can show it: its tokens as a whole, and the message; none where no word has room. */
export interface ContextForm {
  readonly whole: number;
  readonly item: MessageItem | undefined;
}

/**
 * The dynamic context as a message: data from the application, not words of the user, and marked so. It stands right
 * before the latest user message, where it may change from turn to turn without touching the cached prefix.
 */
export function contextOf(text: string | undefined, room: number, reading: Reading): ContextForm | undefined {
  if (text === undefined || !/\S/.test(text)) return undefined;
  const item = (words: string): MessageItem => {
    const message = reading.said("user", `<context>\n${foreignText(words)}\n</context>`);
    return { kind: "context", message, tokens: reading.tokens(message) };
  };
  const whole = item(text);
  if (whole.tokens <= room) return { whole: whole.tokens, item: whole };
  const maxTokens = room - item("").tokens - 2;
  const shorter =
    maxTokens <= 0 ? "" : shortenText(text, { maxTokens, counter: (piece) => reading.counter.text(piece) });
  return { whole: whole.tokens, item: /\S/.test(shorter) ? item(shorter) : undefined };
}
