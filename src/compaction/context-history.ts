import { beginning } from "../message/content.js";
import type { AssistantPart, Message } from "../message/types.js";
import type { TailExchange } from "../view/policy.js";
import type { ContextDocument, HistoryEntry } from "./context-document.js";

const HEADING = "Previous conversation summary:";
const LINE_LENGTH = 160;

/** One line for each entry, who spoke and how it begins, under the heading that the summary ends with, or a new one. */
export function withLines(summary: string, entries: readonly HistoryEntry[]): string {
  const lines = entries.map(({ role, content }) => `- ${role}: ${beginning(content, LINE_LENGTH)}`).join("\n");
  const section = summary.slice(summary.lastIndexOf("\n\n") + 1).trimStart();
  if (section.startsWith(HEADING)) return `${summary}\n${lines}`;
  return `${summary}${summary === "" ? "" : "\n\n"}${HEADING}\n${lines}`;
}

/** The entries as the thresholds of a plan measure them: results belong to the entry before them. */
export function exchangesIn(history: readonly HistoryEntry[]): TailExchange[] {
  const opening = [...history.keys()].filter((at) => at === 0 || history[at]!.role !== "tool");
  return opening.map((at, place) => ({ at, turn: 0, entries: (opening[place + 1] ?? history.length) - at, tokens: 0 }));
}

/**
 * A history as messages. A document names no calls, so the tool entries behind an assistant's are shown as the results
 * of calls that it is given here, one each: pairs are what readers of messages expect.
 */
export const historyMessages = (history: readonly HistoryEntry[]): Message[] =>
  exchangesIn(history).flatMap(({ at, entries }): Message[] => {
    const { role, content } = history[at]!;
    const results = history.slice(at, at + entries).flatMap((entry, place) => {
      const output = { type: "text", value: entry.content } as const;
      return entry.role === "tool" ? [{ toolCallId: `call-${at + place}`, toolName: "tool", output }] : [];
    });
    const calls = results.map(({ output: _, ...call }): AssistantPart => ({ type: "tool-call", ...call, input: {} }));
    const answers = results.map((each): Message => ({ role: "tool", content: [{ type: "tool-result", ...each }] }));
    if (calls.length === 0) return role === "tool" ? [] : [{ role, content }];
    const words: AssistantPart[] = role === "assistant" && content !== "" ? [{ type: "text", text: content }] : [];
    const said: Message[] = role === "user" || role === "system" ? [{ role, content }] : [];
    return [...said, { role: "assistant", content: [...words, ...calls] }, ...answers];
  });

/** A whole document as messages: its summary, and the history that follows it. */
export function documentMessages({ long_term_summary: summary, recent_history }: ContextDocument): Message[] {
  const told: Message[] =
    summary === "" ? [] : [{ role: "system", content: `[Memory Summary] Previous conversation context:\n${summary}` }];
  return [...told, ...historyMessages(recent_history)];
}
