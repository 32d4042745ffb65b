import { VarveError } from "../errors.js";
import type { Message } from "../message/types.js";

/**
 * A message as the log keeps it: frozen, so that nothing can change what was said. One that is frozen already (as the
 * decoders return them) is taken as it is; any other is copied, so that the caller's own objects stay free to change.
 */
export function sealMessage(message: Message, index: number): Message {
  if (!isMessage(message)) throw invalid(message, index);
  return Object.isFrozen(message) ? message : Object.freeze(structuredCopy(message));
}

function isMessage(message: unknown): message is Message {
  if (typeof message !== "object" || message === null) return false;
  const { role, content } = message as { role?: unknown; content?: unknown };
  if (role === "tool") return Array.isArray(content);
  if (role !== "user" && role !== "assistant" && role !== "system") return false;
  return typeof content === "string" || (Array.isArray(content) && role !== "system");
}

/** Copies what an application may change in place: the message, its list of parts, and the plain data in them. */
function structuredCopy(message: Message): Message {
  if (typeof message.content === "string") return { ...message };
  return { ...message, content: message.content.map((part) => copy(part)) } as Message;
}

function copy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copy);
  if (value === null || typeof value !== "object" || !isPlain(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, copy(item)]));
}

/** Bytes and URLs are passed on: copying a picture to guard against a change that nobody makes would be waste. */
const isPlain = (value: object): boolean => {
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
};

const invalid = (value: unknown, index: number): VarveError =>
  new VarveError({
    code: "invalid-message",
    message: `Message ${index} is not a message: ${JSON.stringify(value)?.slice(0, 120)}`,
    hint: "Messages have a role (system, user, assistant, tool) and content; decode other formats first, e.g. with fromOpenAI.",
    details: { index },
  });
