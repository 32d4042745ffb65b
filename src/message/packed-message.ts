/**
 * A message as a log keeps it: its words alone, in private fields, so that nothing outside can change what was said.
 * The message itself, frozen throughout, is built when it is first read: of a long log most never are, and the objects
 * of all of them are the dearest part of opening it.
 */

import { VarveError } from "../errors.js";
import { CarriedFields, carriedOptions } from "./carried-fields.js";
import { isAudible, isBlank } from "./content.js";
import { MOST_CHARACTERS, sealedMessage, sealMessage } from "./seal-message.js";
import { isTextCall, toolCallFromText } from "./tool-call.js";
import type { AssistantPart, Message, ProviderOptions, ToolCallPart } from "./types.js";

export interface PackedMessage {
  readonly role: Message["role"];
  /** Whether no provider would read anything in it. */
  isBlank(): boolean;
  /** The message itself, to be kept in place of what it was packed in. */
  whole(): WholeMessage;
}

export interface WholeMessage extends PackedMessage {
  readonly message: Message;
}

/** Checks a message and packs it. What comes in unusual shapes is copied and frozen as it is. */
export function packMessage(message: unknown, index: number): PackedMessage {
  try {
    return packUsual(message as Message) ?? new Whole(sealMessage(message, index));
  } catch (error) {
    throw VarveError.isInstance(error) ? error : unreadable(index, error);
  }
}

/** A field of the caller's that throws when it is read, or when it is to write itself as JSON. */
const unreadable = (index: number, cause: unknown): VarveError =>
  new VarveError({
    code: "invalid-message",
    message: `Message ${index} cannot be read: one of its fields throws.`,
    hint: "Pass messages as they go over the wire: what JSON.stringify accepts. The cause says what was thrown.",
    cause,
    details: { index },
  });

function packUsual(message: Partial<Message> | null | undefined): PackedMessage | undefined {
  if (typeof message !== "object" || message === null) return undefined;
  for (const key in message) if (key !== "role" && key !== "content" && key !== "providerOptions") return undefined;
  const { role, content } = message;
  const carried = carriedAlone(message.providerOptions);
  if (carried === null || isLong(content)) return undefined;
  switch (role) {
    case "user":
    case "system":
      return typeof content === "string" ? new Words(role, content, carried) : undefined;
    case "assistant":
      return typeof content === "string" ? new Words(role, content, carried) : packCalls(content, carried);
    case "tool":
      return carried === undefined ? packResult(content) : undefined;
    default:
      return undefined;
  }
}

/** What may be too large is looked at more closely. */
const isLong = (text: unknown): boolean => typeof text === "string" && text.length > LONG;
const LONG = MOST_CHARACTERS / 16;

/** The carried fields of options that hold nothing else, undefined without options; null for any other. */
function carriedAlone(options: unknown): CarriedFields | undefined | null {
  if (options === undefined) return undefined;
  if (typeof options !== "object" || options === null) return null;
  for (const key in options) if (key !== "varve") return null;
  const { varve } = options as ProviderOptions;
  return CarriedFields.is(varve) ? varve : null;
}

const optionsOf = (carried: CarriedFields | undefined): ProviderOptions | undefined =>
  carried && carriedOptions(carried);

/** Words and calls with their arguments as text, as nearly all messages with calls are. */
function packCalls(content: unknown, carried: CarriedFields | undefined): PackedMessage | undefined {
  if (!Array.isArray(content) || content.length === 0) return undefined;
  const words = wordsOf(content[0]);
  if (isLong(words)) return undefined;
  const first = words === undefined ? 0 : 1;
  if (content.length === first) return undefined;
  const last: unknown = content.at(-1);
  if (content.length === first + 1) return isUsualCall(last) ? new OneCall(words, last, carried) : undefined;
  const fields = new Array<string>(3 * (content.length - first));
  let length = 0;
  for (let at = first; at < content.length; at++) {
    const call: unknown = content[at];
    if (!isUsualCall(call)) return undefined;
    const place = 3 * (at - first);
    fields[place] = call.toolCallId;
    fields[place + 1] = call.toolName;
    fields[place + 2] = call.rawInput;
    length += call.rawInput.length;
    if (length > LONG) return undefined;
  }
  return new Calls(words, fields, carried);
}

function wordsOf(part: unknown): string | undefined {
  if (typeof part !== "object" || part === null) return undefined;
  for (const key in part) if (key !== "type" && key !== "text") return undefined;
  const { type, text } = part as { type?: unknown; text?: unknown };
  return type === "text" && typeof text === "string" ? text : undefined;
}

type UsualCall = ToolCallPart & { readonly rawInput: string };

/** A call with its arguments as text, and nothing more. */
function isUsualCall(call: unknown): call is UsualCall {
  if (typeof call !== "object" || call === null || !isTextCall(call)) return false;
  for (const key in call)
    if (key !== "type" && key !== "toolCallId" && key !== "toolName" && key !== "rawInput") return false;
  const { type, toolCallId, toolName, rawInput } = call;
  return (
    type === "tool-call" &&
    typeof toolCallId === "string" &&
    typeof toolName === "string" &&
    typeof rawInput === "string" &&
    !isLong(rawInput)
  );
}

/** One result that is text, as nearly all are. */
function packResult(content: unknown): PackedMessage | undefined {
  if (!Array.isArray(content) || content.length !== 1) return undefined;
  const part: { [key: string]: unknown } | null | undefined = content[0];
  if (typeof part !== "object" || part === null || part.type !== "tool-result") return undefined;
  for (const key in part)
    if (key !== "type" && key !== "toolCallId" && key !== "toolName" && key !== "output" && key !== "providerOptions")
      return undefined;
  const { toolCallId, toolName } = part;
  const carried = carriedAlone(part.providerOptions);
  if (carried === null) return undefined;
  const output = part.output as { [key: string]: unknown } | null | undefined;
  if (typeof output !== "object" || output === null || output.type !== "text") return undefined;
  for (const key in output) if (key !== "type" && key !== "value") return undefined;
  const { value } = output;
  if (typeof toolCallId !== "string" || typeof toolName !== "string" || typeof value !== "string") return undefined;
  if (isLong(value)) return undefined;
  return new Result({ toolCallId, toolName }, value, carried);
}

class Words implements PackedMessage {
  readonly role: "user" | "system" | "assistant";
  readonly #text: string;
  readonly #carried: CarriedFields | undefined;

  constructor(role: "user" | "system" | "assistant", text: string, carried: CarriedFields | undefined) {
    this.role = role;
    this.#text = text;
    this.#carried = carried;
  }

  isBlank(): boolean {
    return !/\S/.test(this.#text) && !(this.role === "assistant" && isAudible(this.#carried));
  }

  whole(): WholeMessage {
    return new Whole(sealedMessage(this.role, this.#text, optionsOf(this.#carried)));
  }
}

/** Calls and results always say something. */
abstract class Acted<Role extends Message["role"]> implements PackedMessage {
  abstract readonly role: Role;
  abstract whole(): WholeMessage;

  isBlank(): boolean {
    return false;
  }
}

class OneCall extends Acted<"assistant"> {
  readonly #words: string | undefined;
  readonly #id: string;
  readonly #name: string;
  readonly #text: string;
  readonly #carried: CarriedFields | undefined;

  constructor(
    words: string | undefined,
    { toolCallId, toolName, rawInput }: UsualCall,
    carried: CarriedFields | undefined,
  ) {
    super();
    this.#words = words;
    this.#id = toolCallId;
    this.#name = toolName;
    this.#text = rawInput;
    this.#carried = carried;
  }

  get role(): "assistant" {
    return "assistant";
  }

  whole(): WholeMessage {
    const calls = [this.#id, this.#name, this.#text];
    return new Calls(this.#words, calls, this.#carried).whole();
  }
}

class Calls extends Acted<"assistant"> {
  readonly #words: string | undefined;
  /** Id, name and arguments of each call. */
  readonly #calls: readonly string[];
  readonly #carried: CarriedFields | undefined;

  constructor(words: string | undefined, calls: readonly string[], carried: CarriedFields | undefined) {
    super();
    this.#words = words;
    this.#calls = calls;
    this.#carried = carried;
  }

  get role(): "assistant" {
    return "assistant";
  }

  whole(): WholeMessage {
    const parts: AssistantPart[] = this.#words === undefined ? [] : [{ type: "text", text: this.#words }];
    const calls = this.#calls;
    for (let at = 0; at < calls.length; at += 3)
      parts.push(toolCallFromText({ id: calls[at]!, name: calls[at + 1]!, text: calls[at + 2]! }));
    return new Whole(sealedMessage("assistant", parts, optionsOf(this.#carried)));
  }
}

interface Answered {
  readonly toolCallId: string;
  readonly toolName: string;
}

class Result extends Acted<"tool"> {
  readonly #toolCallId: string;
  readonly #toolName: string;
  readonly #text: string;
  readonly #carried: CarriedFields | undefined;

  constructor(answered: Answered, text: string, carried: CarriedFields | undefined) {
    super();
    this.#toolCallId = answered.toolCallId;
    this.#toolName = answered.toolName;
    this.#text = text;
    this.#carried = carried;
  }

  get role(): "tool" {
    return "tool";
  }

  whole(): WholeMessage {
    const output = { type: "text", value: this.#text } as const;
    const part = { type: "tool-result", toolCallId: this.#toolCallId, toolName: this.#toolName, output } as const;
    const options = this.#carried && { providerOptions: carriedOptions(this.#carried) };
    return new Whole(sealedMessage("tool", [{ ...part, ...options }]));
  }
}

class Whole implements WholeMessage {
  readonly message: Message;

  constructor(message: Message) {
    this.message = message;
  }

  get role(): Message["role"] {
    return this.message.role;
  }

  isBlank(): boolean {
    return isBlank(this.message);
  }

  whole(): this {
    return this;
  }
}
