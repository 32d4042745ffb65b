import type { BlockName, Message, TokenCounter, View } from "../../index.js";
import type { Segment, SegmentKind } from "../terminal/grid.js";

/**
 * A view as stretches of its window, in the order in which the model reads them. Together they are the whole window;
 * those that hold something add up to the view's tokens.
 */
export function segmentsOf(view: View, counter: TokenCounter): Segment[] {
  const tokens = (name: BlockName) => view.blocks.find((block) => block.name === name)?.tokens ?? 0;
  const { window, usable } = view.budget;
  const notes = new Set(view.plan.items.flatMap((item) => (item.kind === "notes" ? [item.message] : [])));
  const segments: Segment[] = [
    { kind: "system", tokens: tokens("system") },
    { kind: "tools", tokens: tokens("tools") },
    { kind: "note", tokens: tokens("memory") },
    ...view.messages
      .filter((message) => message.role !== "system" && !notes.has(message))
      .map((message) => ({ kind: kindOf(message, tokens("context") > 0), tokens: counter.message(message) })),
    { kind: "free", tokens: usable - view.tokens },
    { kind: "reserve", tokens: window - usable },
  ];
  return segments.filter((segment) => segment.tokens > 0);
}

function kindOf(message: Message, hasContext: boolean): SegmentKind {
  if (message.role === "tool") return "results";
  if (message.role === "assistant") return "assistant";
  const isContext = hasContext && typeof message.content === "string" && message.content.startsWith("<context>\n");
  return isContext ? "context" : "user";
}

/** A counter that remembers what it counted for as long as the message lives. */
export function rememberCounts(counter: TokenCounter): TokenCounter {
  const known = new WeakMap<Message, number>();
  return {
    name: counter.name,
    errorBound: counter.errorBound,
    text: (text) => counter.text(text),
    tools: (tools) => counter.tools(tools),
    message(message) {
      const tokens = known.get(message) ?? counter.message(message);
      known.set(message, tokens);
      return tokens;
    },
  };
}
