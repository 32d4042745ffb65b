import type { Message } from "../../message/types.js";
import type { TokenCounter } from "../../tokens/counter.js";

/** Characters of remembered texts; beyond them it begins anew. */
const MOST = 100_000_000;
const PLAIN: ReadonlySet<string> = new Set(["text", "tool-call", "tool-result"]);

/** A counter that remembers messages by what they say: one conversation is replayed under many settings. */
export function sharedCounter(counter: TokenCounter): TokenCounter {
  const byMessage = new WeakMap<Message, number>();
  const byText = new Map<string, number>();
  let held = 0;
  const remember = (text: string, tokens: number): void => {
    held += text.length;
    if (held > MOST) {
      byText.clear();
      held = text.length;
    }
    byText.set(text, tokens);
  };
  const count = (message: Message): number => {
    const key = keyOf(message);
    if (key === undefined) return counter.message(message);
    const tokens = byText.get(key) ?? counter.message(message);
    if (!byText.has(key)) remember(key, tokens);
    return tokens;
  };
  return {
    ...counter,
    message(message) {
      const tokens = byMessage.get(message) ?? count(message);
      byMessage.set(message, tokens);
      return tokens;
    },
  };
}

/** Undefined where there are media, which JSON does not hold. */
function keyOf({ role, content }: Message): string | undefined {
  if (typeof content === "string") return `${role} ${content}`;
  return content.every(({ type }) => PLAIN.has(type)) ? `${role} ${JSON.stringify(content)}` : undefined;
}
