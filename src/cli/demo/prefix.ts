import type { Message, TokenCounter, View } from "../../index.js";

/**
 * Tokens at the start of a view that the view before it had as well: what a provider's prompt cache can serve. The
 * tools come first on the wire and are the same in every view of one run.
 */
export function unchangedPrefix(view: View, before: View | undefined, counter: TokenCounter): number {
  if (before === undefined) return 0;
  let tokens = view.blocks.find((block) => block.name === "tools")?.tokens ?? 0;
  for (const [at, message] of view.messages.entries()) {
    if (!isSame(message, before.messages[at])) break;
    tokens += counter.message(message);
  }
  return tokens;
}

/** Whether two messages say the same, word for word. */
export const isSame = (a: Message, b: Message | undefined): boolean =>
  a === b || JSON.stringify(a) === JSON.stringify(b);
