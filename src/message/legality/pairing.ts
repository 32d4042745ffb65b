import { approvalsOf } from "../approvals.js";
import { callsOf } from "../content.js";
import type { Message } from "../types.js";
import type { Violation } from "./violation.js";

/**
 * The rules on calls and results that all providers share: each call of an assistant message has exactly one result
 * in the tool messages right behind it, and no result stands anywhere else. A call that was approved or denied there
 * needs none: the encoders write one for it.
 */
export function pairingViolations(messages: readonly Message[]): Violation[] {
  const found: Violation[] = [];
  let open = new Map<string, number>();
  let opened = -1;
  for (const [at, message] of messages.entries()) {
    if (message.role === "tool") {
      for (const violation of resultViolations(message, at, open)) found.push(violation);
      continue;
    }
    for (const violation of unanswered(open, { messages, opened, end: at })) found.push(violation);
    opened = at;
    open = openCalls(message, at, found);
  }
  return found.concat(unanswered(open, { messages, opened, end: messages.length }));
}

interface Group {
  readonly messages: readonly Message[];
  readonly opened: number;
  readonly end: number;
}

function unanswered(open: ReadonlyMap<string, number>, { messages, opened, end }: Group): Violation[] {
  const waiting = [...open].flatMap(([id, answers]) => (answers === 0 ? [id] : []));
  if (waiting.length === 0) return [];
  const approvals = approvalsOf(messages[opened], messages.slice(opened + 1, end));
  return waiting.flatMap((id) => (approvals.has(id) ? [] : [{ rule: "unanswered-call", at: opened }]));
}

function openCalls(message: Message, at: number, found: Violation[]): Map<string, number> {
  const open = new Map<string, number>();
  for (const { toolCallId } of callsOf(message)) {
    if (toolCallId === "") found.push({ rule: "blank-call-id", at });
    if (open.has(toolCallId)) found.push({ rule: "duplicate-call-id", at });
    open.set(toolCallId, 0);
  }
  return open;
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
