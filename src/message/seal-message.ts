import { describeValue, tooLarge, VarveError } from "../errors.js";
import { withoutCacheMarks } from "./cache-marks.js";
import { messageProblem } from "./check-message.js";
import { freezeValue, frozenCopy, isObject } from "./plain-value.js";
import { isTextCall } from "./tool-call.js";
import type { Message, Part, ProviderOptions } from "./types.js";

/**
 * Checks a message and copies it, frozen throughout, as plain data: bytes and addresses as text, and without cache marks.
 * The caller's own objects stay free to change.
 */
export function sealMessage(message: unknown, index: number): Message {
  const problem = messageProblem(message);
  if (problem !== undefined) throw invalid(problem, index);
  const copy = frozenCopy(withoutCacheMarks(message)) as unknown as Message;
  if (sizeOf(copy) > MOST_CHARACTERS) throw tooLarge(`Message ${index}`, MOST_CHARACTERS, SMALLER);
  return sealed(copy);
}

/** Characters of one message, media as base64 included: more than any provider takes in a request. */
export const MOST_CHARACTERS = 64_000_000;
const SMALLER = "Split it, or refer to what is large by its address.";

function sizeOf(value: unknown): number {
  if (typeof value === "string") return value.length;
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return (value.byteLength * 4) / 3;
  if (typeof value !== "object" || value === null) return 0;
  if (value instanceof URL) return value.href.length;
  return Object.values(value).reduce<number>((sum, field) => sum + sizeOf(field), 0);
}

/** Messages that are checked and frozen throughout: what was found of one holds for ever. */
const SEALED = new WeakSet<object>();

function sealed(message: Message): Message {
  SEALED.add(message);
  return message;
}

/** Whether a message is one of ours, which nobody can have changed. */
export const isSealed = (message: object): boolean => SEALED.has(message);

/** A message of parts of our own making, frozen throughout. They are known, so most need no search for more. */
export function sealedMessage(
  role: Message["role"],
  content: Message["content"],
  providerOptions?: ProviderOptions,
): Message {
  if (typeof content !== "string") {
    for (let at = 0; at < content.length; at++) freezePart(content[at]!);
    Object.freeze(content);
  }
  const options = providerOptions && { providerOptions: freezeValue(providerOptions) };
  return sealed(Object.freeze({ role, content, ...options }) as Message);
}

function freezePart(part: Part): void {
  if (part.type === "tool-result") {
    freezeValue(part.output);
    freezeWithOptions(part);
  } else if (part.type === "text" || part.type === "reasoning" || isTextCall(part)) freezeWithOptions(part);
  else freezeValue(part);
}

function freezeWithOptions(part: Part & { providerOptions?: ProviderOptions }): void {
  if (part.providerOptions !== undefined) freezeValue(part.providerOptions);
  Object.freeze(part);
}

/** Refuses what is no message. */
function checkMessage(message: unknown, index: number): void {
  const problem = messageProblem(message);
  if (problem !== undefined) throw invalid(problem, index);
}

/** Refuses a list that holds anything but messages. */
export function checkMessages(messages: unknown): void {
  if (!Array.isArray(messages)) throw noList(messages);
  for (let index = 0; index < messages.length; index++) {
    const message: unknown = messages[index];
    if (!isObject(message) || !isSealed(message)) checkMessage(message, index);
  }
}

const HINT =
  "Messages have a role (system, user, assistant, tool) and content, as the AI SDK's ModelMessage; decode other formats first, with fromOpenAI, fromAnthropic, fromGemini or fromAISDK.";

const noList = (value: unknown): VarveError =>
  new VarveError({
    code: "invalid-message",
    message: `Messages must be a list, not ${describeValue(value)}.`,
    hint: HINT,
  });

const invalid = (problem: string, index: number): VarveError =>
  new VarveError({
    code: "invalid-message",
    message: `Message ${index} ${problem}.`,
    hint: HINT,
    details: { index },
  });
