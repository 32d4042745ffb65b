import type { Message } from "../../index.js";

/** What an assistant message does, on one line: its first words, or the tools it calls and on what. */
export function captionOf(message: Message): string {
  if (typeof message.content === "string") return `says: ${message.content}`;
  const calls = message.content.flatMap((part) => (part.type === "tool-call" ? [part] : []));
  const first = calls[0];
  if (first === undefined) return `says: ${message.content.map((part) => ("text" in part ? part.text : "")).join(" ")}`;
  const more = calls.length > 1 ? ` (+${calls.length - 1} in parallel)` : "";
  return `${first.toolName}${more}: ${subjectOf(first.input)}`;
}

/** The first of a call's arguments says what it is about. */
function subjectOf(input: unknown): string {
  if (typeof input !== "object" || input === null) return "";
  const first: unknown = Object.values(input)[0];
  return typeof first === "string" ? first : "";
}
