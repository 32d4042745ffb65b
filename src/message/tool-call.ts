import { VarveError } from "../errors.js";
import type { ProviderOptions, ToolCallPart } from "./types.js";

/**
 * A tool call whose arguments came as text. They are parsed when `input` is read: most calls of a long history are
 * never looked into again, and parsing all of them is the dearest part of opening one. A class, because accessors of
 * object literals cost each object a hidden class of its own.
 */
class TextToolCall implements ToolCallPart {
  readonly type = "tool-call";
  readonly toolCallId: string;
  readonly toolName: string;
  readonly rawInput: string;
  declare providerOptions?: ProviderOptions;

  constructor(toolCallId: string, toolName: string, rawInput: string) {
    this.toolCallId = toolCallId;
    this.toolName = toolName;
    this.rawInput = rawInput;
  }

  get input(): unknown {
    return parseArguments(this.rawInput);
  }

  /** The part as plain data. */
  toJSON(): ToolCallPart {
    return { ...this, input: this.input };
  }
}

export function toolCallFromText(
  call: { id: string; name: string; text: string },
  providerOptions?: ProviderOptions,
): ToolCallPart {
  const part = new TextToolCall(call.id, call.name, call.text);
  if (providerOptions !== undefined) part.providerOptions = providerOptions;
  return part;
}

/** Whether a value is a call as `toolCallFromText` makes them. */
export const isTextCall = (value: object): value is TextToolCall => value instanceof TextToolCall;

export const copyTextCall = (call: TextToolCall, providerOptions: ProviderOptions | undefined): ToolCallPart =>
  toolCallFromText({ id: call.toolCallId, name: call.toolName, text: call.rawInput }, providerOptions);

/** The same call under another id. */
export function withCallId(call: ToolCallPart, toolCallId: string): ToolCallPart {
  return call instanceof TextToolCall ? { ...call.toJSON(), toolCallId } : { ...call, toolCallId };
}

/** Arguments as a value: empty text is an empty object, broken JSON stays the text it is. */
export function parseArguments(text: string): unknown {
  if (text.trim() === "") return {};
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/**
 * The arguments of a call as text: the model's own bytes while they still say what `input` says, else `input` as JSON.
 */
export function argumentsText(call: ToolCallPart): string {
  const { rawInput } = call;
  if (rawInput === undefined) return stringify(call.input);
  if (call instanceof TextToolCall || call.input === undefined) return rawInput;
  return stringify(parseArguments(rawInput)) === stringify(call.input) ? rawInput : stringify(call.input);
}

function stringify(value: unknown): string {
  if (typeof value === "string") return value;
  try {
    return JSON.stringify(value) ?? "{}";
  } catch (cause) {
    throw new VarveError({
      code: "invalid-message",
      message:
        "The input of a tool call cannot be written as JSON: it holds a BigInt, refers to itself or is too deep.",
      hint: "Pass messages as they go over the wire: what JSON.stringify accepts.",
      cause,
    });
  }
}
