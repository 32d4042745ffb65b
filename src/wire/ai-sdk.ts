/**
 * AI SDK `ModelMessage`. It is the canonical form, so both ways are copies; `toAISDK(fromAISDK(messages))` gives the
 * messages of AI SDK 5, 6 and 7 back, but for media in a tool's output of version 5, which take their later names. The
 * parts of AI SDK 4 are read under their names of today.
 *
 * What only varve knows is taken out on the way back: custom parts of user messages, and the bytes of a call's
 * arguments.
 */
import type { AssistantPart, Message, ToolCallPart, UserPart } from "../message/types.js";
import { modernOptions, modernPart } from "./ai-sdk-legacy.js";
import { copyValue, describe, expectList, expectObject, invalidMessage, isObject, type WireObject } from "./value.js";

const FORMAT = "AI SDK";
const ROLES: ReadonlySet<unknown> = new Set(["system", "user", "assistant", "tool"]);

/**
 * Reads messages of the AI SDK.
 *
 * @example
 * ```ts
 * fromAISDK([{ role: "user", content: [{ type: "text", text: "Hello" }] }]);
 * ```
 */
export function fromAISDK(messages: unknown): Message[] {
  return expectList(messages, FORMAT).map((message, index) =>
    Object.freeze(decodeMessage(expectObject(message, FORMAT, index), index)),
  );
}

/**
 * Writes messages for the AI SDK: `generateText({ model, messages: toAISDK(view.messages) })`.
 *
 * @example
 * ```ts
 * toAISDK([{ role: "user", content: "Hello" }]); // [{ role: "user", content: "Hello" }]
 * ```
 */
export function toAISDK(messages: readonly Message[]): Message[] {
  return messages.map(encodeMessage);
}

function decodeMessage(wire: WireObject, index: number): Message {
  if (!ROLES.has(wire.role)) {
    const hint = "The role is one of system, user, assistant and tool.";
    throw invalidMessage({ format: FORMAT, index, problem: `has the unknown role ${describe(wire.role)}`, hint });
  }
  const content = decodeContent(wire, index);
  // The role and the kind of content were just checked; parts are taken at their word, as the AI SDK's own types do.
  return { ...modernOptions(wire), content } as unknown as Message;
}

function decodeContent({ role, content }: WireObject, index: number): unknown {
  if (typeof content === "string" && role !== "tool") return content;
  if (Array.isArray(content) && role !== "system") return content.map((part) => decodePart(part, index));
  throw invalidMessage({
    format: FORMAT,
    index,
    problem: `has a content that is ${describe(content)}`,
    hint: "Content is a string, or a list of parts; a system message has a string, a tool message a list.",
  });
}

function decodePart(part: unknown, index: number): unknown {
  if (isObject(part) && typeof part.type === "string") {
    const modern = modernPart(part);
    if (isWhole(modern)) return copyValue(modern);
  }
  throw invalidMessage({
    format: FORMAT,
    index,
    problem: `has a part that is ${describe(part)} without what its type demands`,
    hint: "A part has a type, and a call or result has toolCallId and toolName.",
  });
}

function isWhole(part: WireObject): boolean {
  switch (part.type) {
    case "text":
    case "reasoning":
      return typeof part.text === "string";
    case "tool-call":
      return typeof part.toolCallId === "string" && typeof part.toolName === "string";
    case "tool-result":
      return typeof part.toolCallId === "string" && typeof part.toolName === "string" && isObject(part.output);
    default:
      return true;
  }
}

function encodeMessage(message: Message): Message {
  if (typeof message.content === "string") return { ...message };
  switch (message.role) {
    case "user":
      return { ...message, content: message.content.filter(isForUser).map(copyPart) };
    case "assistant":
      return { ...message, content: message.content.map(encodePart) };
    case "tool":
      return { ...message, content: message.content.map(copyPart) };
    default:
      return { ...message };
  }
}

const isForUser = (part: UserPart): boolean => part.type !== "custom";

const copyPart = <T extends object>(part: T): T => ({ ...part });

const encodePart = (part: AssistantPart): AssistantPart =>
  part.type === "tool-call" ? encodeCall(part) : copyPart(part);

/** `input` may be an accessor of the class, which spreading does not copy. */
function encodeCall(part: ToolCallPart): ToolCallPart {
  const { rawInput: _bytes, ...rest } = part;
  return { ...rest, input: part.input };
}
