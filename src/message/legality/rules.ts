import { isBlank } from "../content.js";
import type { Message } from "../types.js";
import type { Violation } from "./violation.js";

/** Rules that more than one provider has, each as a predicate of its own. */

export function emptyList(messages: readonly Message[]): Violation[] {
  return messages.some((message) => message.role !== "system") ? [] : [{ rule: "no-messages", at: 0 }];
}

export function blankMessages(messages: readonly Message[]): Violation[] {
  return messages.flatMap((message, at) =>
    message.role !== "tool" && isBlank(message) ? [{ rule: "blank-message", at }] : [],
  );
}

export function userFirst(messages: readonly Message[]): Violation[] {
  const first = messages.findIndex((message) => message.role !== "system");
  return first >= 0 && messages[first]!.role !== "user" ? [{ rule: "first-not-user", at: first }] : [];
}

/** Formats with one place for the system prompt cannot say where inside the conversation a later one stood. */
export function systemFirst(messages: readonly Message[]): Violation[] {
  const first = messages.findIndex((message) => message.role !== "system");
  if (first < 0) return [];
  return messages.flatMap((message, at) =>
    at > first && message.role === "system" ? [{ rule: "late-system", at }] : [],
  );
}
