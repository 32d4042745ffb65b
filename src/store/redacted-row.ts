import { isBlank } from "../message/content.js";
import { messageFromJSON } from "../message/value-json.js";
import type { EntryRow } from "./stored-entry.js";

type Redacted = Pick<EntryRow, "role" | "blank" | "message">;

/** An entry's row with another message in it, given as JSON. Its place in the log stays. */
export function redactedRow<Row extends Partial<EntryRow>>(row: Row, message: string): Row & Redacted {
  const parsed = messageFromJSON(message);
  return { ...row, role: parsed.role, blank: isBlank(parsed), message };
}
