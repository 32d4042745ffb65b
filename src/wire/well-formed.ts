/**
 * Half of a surrogate pair, left by a text that was cut in the middle, is no Unicode: providers refuse the whole request
 * for it. What is sent has U+FFFD in its place; the log keeps what came. Every text that is sent passes here, so what
 * the encoders build themselves is walked without a look at the names of its fields.
 */
import { isPlain } from "../message/plain-value.js";
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

/** Mends what was encoded of a message. Where that has words and nothing else, they are all that can be ill-formed. */
export const wellFormedOf = <T extends object>({ content, providerOptions }: Message, encoded: T): T =>
  typeof content === "string" && providerOptions === undefined && content.isWellFormed()
    ? encoded
    : wellFormed(encoded);

/** Mends every text in what an encoder made. The value is the encoder's own, and is changed in place. */
export function wellFormed<T extends object>(value: T): T {
  mend(value, true);
  return value;
}

function mend(value: object, isBuilt: boolean): void {
  if (Array.isArray(value)) mendList(value, isBuilt);
  else if (isBuilt || isPlain(value)) mendFields(value as Record<string, unknown>, isBuilt);
}

function mendList(list: unknown[], isBuilt: boolean): void {
  for (let at = 0; at < list.length; at++) {
    const item = list[at];
    if (typeof item === "string") list[at] = mended(item);
    else if (typeof item === "object" && item !== null) mend(item, isBuilt);
  }
}

function mendFields(fields: Record<string, unknown>, isBuilt: boolean): void {
  for (const name in fields) {
    if (isBuilt && name === "role") continue;
    const field = fields[name];
    if (typeof field === "string") {
      if (!field.isWellFormed()) fields[name] = field.toWellFormed();
    } else if (typeof field === "object" && field !== null) mend(field, isBuilt && BUILT.has(name));
    if (!isBuilt && !name.isWellFormed()) rename(fields, name);
  }
}

const mended = (text: string): string => (text.isWellFormed() ? text : text.toWellFormed());

function rename(fields: Record<string, unknown>, name: string): void {
  fields[name.toWellFormed()] = fields[name];
  delete fields[name];
}
