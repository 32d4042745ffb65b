import { isObject } from "../message/plain-value.js";
import type { Message } from "../message/types.js";

/** For what was encoded, and each block in it, the message that it says. */
export type Origins = Map<unknown, Message>;

/** Notes what was encoded of a message; hands it on. */
export function note<T>(origins: Origins | undefined, message: Message, encoded: T): T {
  if (origins === undefined) return encoded;
  for (const wire of Array.isArray(encoded) ? encoded : [encoded]) {
    origins.set(wire, message);
    const { content, parts }: Record<string, unknown> = isObject(wire) ? wire : {};
    for (const block of [content, parts].filter(Array.isArray).flat()) origins.set(block, message);
  }
  return encoded;
}
