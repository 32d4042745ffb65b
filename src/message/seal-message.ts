import { VarveError } from "../errors.js";
import { messageProblem } from "./check-message.js";
import { freezeValue, frozenCopy } from "./plain-value.js";
import { isTextCall } from "./tool-call.js";
import type { Message, Part, ProviderOptions } from "./types.js";

/**
 * A message as a log keeps it: checked, and frozen throughout, so that nothing can change what was said. One that is
 * sealed already, as the decoders return them, is taken as it is; any other is copied, so that the caller's own objects
 * stay free to change.
 */
export function sealMessage(message: unknown, index: number): Message {
  if (SealedMessage.is(message)) return message;
  const problem = messageProblem(message);
  if (problem !== undefined) throw invalid(problem, index);
  const { role, content, ...fields } = frozenCopy(message) as unknown as Message;
  return Object.freeze(Object.assign(new SealedMessage(role, content), fields)) as Message;
}

/** Seals a message that a decoder made. Its parts are known, so most need no search for more to freeze. */
export function sealDecoded({ role, content, providerOptions }: Message): Message {
  if (typeof content !== "string") {
    for (let at = 0; at < content.length; at++) freezePart(content[at]!);
    Object.freeze(content);
  }
  const sealed = new SealedMessage(role, content);
  if (providerOptions !== undefined) sealed.providerOptions = freezeValue(providerOptions);
  return Object.freeze(sealed) as Message;
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

/**
 * A class only for its private field, which no one else can set and no copy has: that a message looks frozen does not
 * say that all in it is, and looking would take longer than appending it.
 */
class SealedMessage {
  readonly #sealed = true;
  readonly role: Message["role"];
  readonly content: Message["content"];
  declare providerOptions?: ProviderOptions;

  constructor(role: Message["role"], content: Message["content"]) {
    this.role = role;
    this.content = content;
  }

  static is(message: unknown): message is Message {
    return typeof message === "object" && message !== null && #sealed in message;
  }
}

const invalid = (problem: string, index: number): VarveError =>
  new VarveError({
    code: "invalid-message",
    message: `Message ${index} ${problem}.`,
    hint: "Messages have a role (system, user, assistant, tool) and content, as the AI SDK's ModelMessage; decode other formats first, with fromOpenAI, fromAnthropic, fromGemini or fromAISDK.",
    details: { index },
  });
