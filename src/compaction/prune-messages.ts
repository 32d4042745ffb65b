import { isBlank, isSignedReasoning } from "../message/content.js";
import { type Exchange, membersOf, toExchanges } from "../message/exchanges.js";
import type { AssistantMessage, AssistantPart, Message } from "../message/types.js";

/**
 * Leaves out what says nothing: blank messages and texts, empty reasoning, calls that nobody answered and results that
 * nobody asked for. The calls of the last exchange may still be answered and stay. Messages with nothing to clean come
 * back as they are.
 *
 * @example
 * ```ts
 * const history: Message[] = [
 *   { role: "user", content: "Hello" },
 *   { role: "assistant", content: [{ type: "reasoning", text: "" }] },
 * ];
 * pruneMessages(history); // [{ role: "user", content: "Hello" }]
 * ```
 */
export function pruneMessages(messages: readonly Message[]): Message[] {
  const exchanges = toExchanges(messages);
  const owned = new Set(exchanges.filter(({ kind }) => kind !== "orphan").flatMap(membersOf));
  const dropped = new Set(exchanges.filter(({ kind }) => kind === "orphan").map(({ first }) => first));
  const unpaired = unpairedParts(exchanges);
  return messages.flatMap((message, at) => {
    if (dropped.has(at) && !owned.has(at)) return [];
    const pruned = message.role === "assistant" ? pruneAssistant(message, unpaired) : message;
    return message.role !== "tool" && isBlank(pruned) ? [] : [pruned];
  });
}

function unpairedParts(exchanges: readonly Exchange[]): ReadonlySet<AssistantPart> {
  const past = exchanges.slice(0, -1).filter(({ waiting }) => waiting > 0);
  const calls = past.flatMap((exchange) => exchange.calls.filter((call) => call.answerMessage < 0));
  return new Set([...calls.map(({ part }) => part), ...exchanges.flatMap(({ strays }) => [...(strays?.keys() ?? [])])]);
}

function pruneAssistant(message: AssistantMessage, unpaired: ReadonlySet<AssistantPart>): AssistantMessage {
  if (typeof message.content === "string") return message;
  const said = message.content.filter((part) => !isEmpty(part) && !unpaired.has(part));
  if (said.length === message.content.length) return message;
  return { ...message, content: withoutTrailingReasoning(said) };
}

function isEmpty(part: AssistantPart): boolean {
  if (part.type === "text") return !/\S/.test(part.text);
  return part.type === "reasoning" && !isSignedReasoning(part) && !/\S/.test(part.text);
}

/** Providers refuse reasoning without what it led to, and that may just have gone. */
function withoutTrailingReasoning(parts: readonly AssistantPart[]): AssistantPart[] {
  const last = parts.findLastIndex(({ type }) => type !== "reasoning" && type !== "reasoning-file");
  return parts.slice(0, last + 1);
}
