import { isBlank, isOutput, isSignedReasoning } from "../message/content.js";
import { membersOf, toExchanges } from "../message/exchanges.js";
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
  const unanswered = exchanges
    .slice(0, -1)
    .flatMap(({ calls }) => calls.filter(({ answerMessage }) => answerMessage < 0));
  const strays = exchanges.flatMap(({ strays }) => [...(strays?.keys() ?? [])]);
  const unpaired = new Set([...unanswered.map(({ part }): AssistantPart => part), ...strays]);
  return messages.flatMap((message, at) => {
    const pruned = message.role === "assistant" ? pruneAssistant(message, unpaired) : message;
    return owned.has(at) && (message.role === "tool" || !isBlank(pruned)) ? [pruned] : [];
  });
}

/** Providers refuse reasoning without what it led to, and that may just have gone. */
function pruneAssistant(message: AssistantMessage, unpaired: ReadonlySet<AssistantPart>): AssistantMessage {
  if (typeof message.content === "string") return message;
  const said = message.content.filter((part) => !isEmpty(part) && !unpaired.has(part));
  if (said.length === message.content.length) return message;
  return { ...message, content: said.slice(0, said.findLastIndex(isOutput) + 1) };
}

const isEmpty = (part: AssistantPart): boolean =>
  (part.type === "text" || (part.type === "reasoning" && !isSignedReasoning(part))) && !/\S/.test(part.text);
