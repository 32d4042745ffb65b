import type { AssistantMessage, Message, ToolCallPart } from "../message/types.js";
import type { ContextDocument, HistoryEntry } from "./context-document.js";

const HEADING = "Previous conversation summary:";
const LINE_LENGTH = 160;

/** One line for each entry: who spoke, and how it begins. */
export function historyLines(entries: readonly HistoryEntry[]): string {
  return entries.map(({ role, content }) => `- ${role}: ${excerpt(content)}`).join("\n");
}

function excerpt(content: string): string {
  const line = content
    .slice(0, LINE_LENGTH * 4)
    .replace(/\s+/g, " ")
    .trim();
  const letters = [...line];
  return letters.length <= LINE_LENGTH && content.length <= LINE_LENGTH * 4
    ? line
    : `${letters.slice(0, LINE_LENGTH).join("").trimEnd()}…`;
}

/** Lines go on under the heading that the summary ends with, or under a new one. */
export function appendLines(summary: string, lines: string): string {
  const section = summary.slice(summary.lastIndexOf("\n\n") + 1).trimStart();
  if (section.startsWith(HEADING)) return `${summary}\n${lines}`;
  return `${summary}${summary === "" ? "" : "\n\n"}${HEADING}\n${lines}`;
}

/**
 * A history as messages. A document names no calls, so the tool entries behind an assistant's are shown as the results
 * of calls that it is given here, one each: pairs are what readers of messages expect.
 */
export function historyMessages(entries: readonly HistoryEntry[]): Message[] {
  const messages: Message[] = [];
  for (const [at, { role, content }] of entries.entries()) {
    if (role !== "tool") messages.push({ role, content });
    else answer(messages, content, `call-${at}`);
  }
  return messages;
}

/** A whole document as messages: its summary, and the history that follows it. */
export function documentMessages({ long_term_summary: summary, recent_history }: ContextDocument): Message[] {
  const told: Message[] =
    summary === "" ? [] : [{ role: "system", content: `[Memory Summary] Previous conversation context:\n${summary}` }];
  return [...told, ...historyMessages(recent_history)];
}

const TOOL = "tool";

function answer(messages: Message[], value: string, toolCallId: string): void {
  const call: ToolCallPart = { type: "tool-call", toolCallId, toolName: TOOL, input: {} };
  const at = messages.findLastIndex(({ role }) => role !== "tool");
  const caller = messages[at];
  if (caller?.role === "assistant") messages[at] = withCall(caller, call);
  else messages.push({ role: "assistant", content: [call] });
  messages.push({
    role: "tool",
    content: [{ type: "tool-result", toolCallId, toolName: TOOL, output: { type: "text", value } }],
  });
}

function withCall(message: AssistantMessage, call: ToolCallPart): AssistantMessage {
  const { content } = message;
  const said =
    typeof content === "string" ? (content === "" ? [] : [{ type: "text" as const, text: content }]) : content;
  return { ...message, content: [...said, call] };
}
