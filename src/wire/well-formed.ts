/**
 * Half of a surrogate pair, left by a text that was cut in the middle, is no Unicode: providers refuse the whole request
 * for it. What is sent has U+FFFD in its place; the log keeps what came. Every text that is sent passes here, so what
 * the encoders build themselves is walked without a look at the names of its fields.
 */
import { isPlain } from "../message/plain-value.js";
import { isSealed } from "../message/seal-message.js";
import type { Message } from "../message/types.js";

/** Fields whose objects an encoder builds. Any other object may hold names of anybody's making, bytes and URLs. */
const BUILT: ReadonlySet<string> = new Set([
  "content",
  "contents",
  "function",
  "functionCall",
  "functionResponse",
  "messages",
  "parts",
  "tool_calls",
]);

/** Messages of which all that a format writes is well-formed. */
export type WellFormed = WeakSet<Message>;

/**
 * Mends what was encoded of a message. Where that has words and nothing else, they are all that can be ill-formed;
 * messages that nobody can change are looked at once.
 */
export function wellFormedOf<T extends object>(message: Message, encoded: T, known: WellFormed): T {
  const { content, providerOptions } = message;
  if (typeof content === "string" && providerOptions === undefined && content.isWellFormed()) return encoded;
  if (known.has(message)) return encoded;
  if (!mend(encoded, true) && isSealed(message)) known.add(message);
  return encoded;
}

/** Mends every text in what an encoder made. The value is the encoder's own, and is changed in place. */
export function wellFormed<T extends object>(value: T): T {
  mend(value, true);
  return value;
}

/** True where there was something to mend. */
function mend(value: object, isBuilt: boolean): boolean {
  if (Array.isArray(value)) return mendList(value, isBuilt);
  return (isBuilt || isPlain(value)) && mendFields(value as Record<string, unknown>, isBuilt);
}

function mendList(list: unknown[], isBuilt: boolean): boolean {
  let changed = false;
  for (let at = 0; at < list.length; at++) {
    const item = list[at];
    if (typeof item === "string") {
      if (item.isWellFormed()) continue;
      list[at] = item.toWellFormed();
      changed = true;
    } else if (typeof item === "object" && item !== null && mend(item, isBuilt)) changed = true;
  }
  return changed;
}

function mendFields(fields: Record<string, unknown>, isBuilt: boolean): boolean {
  let changed = false;
  for (const name in fields) {
    if (isBuilt && name === "role") continue;
    const field = fields[name];
    if (typeof field === "string") {
      if (!field.isWellFormed()) {
        fields[name] = field.toWellFormed();
        changed = true;
      }
    } else if (typeof field === "object" && field !== null && mend(field, isBuilt && BUILT.has(name))) changed = true;
    if (!isBuilt && !name.isWellFormed()) {
      rename(fields, name);
      changed = true;
    }
  }
  return changed;
}

function rename(fields: Record<string, unknown>, name: string): void {
  fields[name.toWellFormed()] = fields[name];
  delete fields[name];
}
