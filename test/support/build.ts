import type { Message, ToolCallPart } from "../../src/message/types.js";

export const system = (content: string): Message => ({ role: "system", content });
export const user = (content: string): Message => ({ role: "user", content });
export const says = (content: string): Message => ({ role: "assistant", content });

export const call = (toolCallId: string, input: unknown = { path: `src/${toolCallId}.ts` }): ToolCallPart => ({
  type: "tool-call",
  toolCallId,
  toolName: "read",
  input,
});
export const calls = (...ids: string[]): Message => ({ role: "assistant", content: ids.map((id) => call(id)) });

export const result = (toolCallId: string, value = "ok"): Message => ({
  role: "tool",
  content: [{ type: "tool-result", toolCallId, toolName: "read", output: { type: "text", value } }],
});

/** A result that takes about so many tokens: each word is one. */
export const words = (count: number, word = "word"): string => `${word} `.repeat(count).trim();

/** Ids of the calls and of the results in a list of messages, in order. */
export function idsOf(messages: readonly Message[]): { calls: string[]; results: string[] } {
  const parts = messages.flatMap((message) => (typeof message.content === "string" ? [] : [...message.content]));
  return {
    calls: parts.flatMap((part) => (part.type === "tool-call" ? [part.toolCallId] : [])),
    results: parts.flatMap((part) => (part.type === "tool-result" ? [part.toolCallId] : [])),
  };
}

/** Appends of two messages each in a session that is imported. */
export const APPENDS = 20;
