/**
 * Where a format takes no system message in its place, a note of the system stands there, in a message of the user's role.
 * What the user or a tool said beside it may hold any tag but that of such a note, so that it does not pass for one.
 */
import { withoutNotes } from "../message/foreign-text.js";
import { isPlain } from "../message/plain-value.js";

/** What was encoded of a message; the value is the encoder's own, and is changed in place. */
export function unposed<T extends object>({ role }: { readonly role: string }, encoded: T): T {
  if (role === "user" || role === "tool") disarm(encoded as Record<string, unknown>);
  return encoded;
}

function disarm(fields: Record<string, unknown> | unknown[]): void {
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === "string") {
      const text = withoutNotes(value);
      if (text !== value) Object.assign(fields, { [name]: text });
    } else if (typeof value === "object" && value !== null && (Array.isArray(value) || isPlain(value)))
      disarm(value as Record<string, unknown>);
  }
}
