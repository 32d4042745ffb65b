import { customLink } from "../custom-calls.js";
import type { Message, Part } from "../types.js";
import type { Violation } from "./violation.js";

/** The rule on calls that a format's own provider answers: no such answer stands without its call before it. */
export function customViolations(messages: readonly Message[], format: string): Violation[] {
  const waiting = new Map<string, number>();
  const isOrphan = (part: Part): boolean => {
    const link = part.type === "custom" ? customLink(part) : undefined;
    if (link === undefined || link.format !== format) return false;
    const calls = waiting.get(link.key) ?? 0;
    waiting.set(link.key, link.isAnswer ? Math.max(0, calls - 1) : calls + 1);
    return link.isAnswer && calls === 0;
  };
  return messages.flatMap(({ role, content }, at) => {
    if (role !== "assistant" || typeof content === "string") return [];
    const parts: readonly Part[] = content;
    return parts.filter(isOrphan).map(() => ({ rule: "orphan-result", at }));
  });
}
