import { toBase64 } from "../message/base64.js";
import type { Message } from "../message/types.js";

/**
 * A message as plain data that JSON gives back unchanged: bytes as base64, addresses as text, calls whose arguments
 * came as text with their arguments read.
 */
export const plainMessage = (message: Message): Message => plain(message) as Message;

function plain(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (value instanceof Uint8Array) return toBase64(value);
  if (value instanceof ArrayBuffer) return toBase64(new Uint8Array(value));
  if (Array.isArray(value)) return value.map(plain);
  if ("toJSON" in value && typeof value.toJSON === "function") return plain(value.toJSON());
  const fields = Object.entries(value).filter(([, item]) => item !== undefined);
  return Object.fromEntries(fields.map(([key, item]) => [key, plain(item)]));
}
