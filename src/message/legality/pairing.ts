import { callsOf } from "../content.js";
import type { Message } from "../types.js";
import type { Violation } from "./violation.js";

/**
 * The rules on calls and results that all providers share: each call of an assistant message has exactly one result
 * in the tool messages right behind it, and no result stands anywhere else.
 */
export function pairingViolations(messages: readonly Message[]): Violation[] {
  const found: Violation[] = [];
  let open = new Map<string, number>();
  let opened = -1;
  const close = () => {
    for (const answers of open.values()) if (answers === 0) found.push({ rule: "unanswered-call", at: opened });
    open = new Map();
  };
  for (const [at, message] of messages.entries()) {
    if (message.role === "tool") {
      found.push(...resultViolations(message, at, open));
      continue;
    }
    close();
    opened = at;
    open = openCalls(message, at, found);
  }
  close();
  return found;
}

function openCalls(message: Message, at: number, found: Violation[]): Map<string, number> {
  const open = new Map<string, number>();
  const own = ownResults(message);
  for (const { toolCallId } of callsOf(message)) {
    if (toolCallId === "") found.push({ rule: "blank-call-id", at });
    if (open.has(toolCallId)) found.push({ rule: "duplicate-call-id", at });
    if (!own.has(toolCallId)) open.set(toolCallId, 0);
  }
  return open;
}

function ownResults(message: Message): Set<string> {
  if (message.role !== "assistant" || typeof message.content === "string") return new Set();
  return new Set(message.content.flatMap((part) => (part.type === "tool-result" ? [part.toolCallId] : [])));
}

function resultViolations(
  message: Extract<Message, { role: "tool" }>,
  at: number,
  open: Map<string, number>,
): Violation[] {
  return message.content.flatMap((part) => {
    if (part.type !== "tool-result") return [];
    const answers = open.get(part.toolCallId);
    if (answers === undefined) return [{ rule: "orphan-result", at }];
    open.set(part.toolCallId, answers + 1);
    return answers > 0 ? [{ rule: "answered-twice", at }] : [];
  });
}
