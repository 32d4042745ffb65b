/** Tool calls of Chat Completions, among them custom (free text) calls and the older `function_call`. */
import { copyValue, isObject } from "../message/plain-value.js";
import { argumentsText, toolCallFromText } from "../message/tool-call.js";
import type { CustomPart, ToolCallPart } from "../message/types.js";
import { carried, carry, customPart, type Fields, layOver, oddField, unknownFields, withField } from "./carried.js";
import type { ChatCalls } from "./openai-calls.js";
import type { OpenAIToolCall } from "./openai-chat-types.js";
import type { WireObject } from "./value.js";

const CALL_FIELDS: ReadonlySet<string> = new Set(["id", "type", "function"]);
const FUNCTION_FIELDS: ReadonlySet<string> = new Set(["name", "arguments"]);
const CUSTOM_CALL_FIELDS: ReadonlySet<string> = new Set(["id", "type", "custom"]);
const CUSTOM_FIELDS: ReadonlySet<string> = new Set(["name", "input"]);
const NOT_LAID: ReadonlySet<string> = new Set(["function", "custom"]);
const ARGUMENTS: ReadonlySet<string> = new Set(["arguments"]);

interface Place {
  readonly index: number;
  readonly at: number;
}

export function decodeCall(wire: unknown, place: Place): ToolCallPart | CustomPart {
  if (!isObject(wire)) return oddCall(wire);
  if (isObject(wire.function)) return decodeFunction(wire, wire.function, place);
  if (isObject(wire.custom)) return decodeCustom(wire, wire.custom, place);
  return oddCall(wire);
}

/** The call as nearly all are, nothing missing and nothing more; undefined for any other. */
export function decodePlainCall(wire: unknown): ToolCallPart | undefined {
  if (!isObject(wire) || !isObject(wire.function)) return undefined;
  const { id } = wire;
  const { name, arguments: text } = wire.function;
  if (wire.type !== "function" || typeof id !== "string" || typeof name !== "string" || typeof text !== "string")
    return undefined;
  for (const key in wire) if (key !== "id" && key !== "type" && key !== "function") return undefined;
  for (const key in wire.function) if (key !== "name" && key !== "arguments") return undefined;
  return toolCallFromText({ id, name, text });
}

/** A call of no known shape still goes back where it stood, among the calls. */
const oddCall = (wire: unknown): CustomPart => customPart("openaiChat", wire, { type: "tool_call" });

function decodeFunction(wire: WireObject, called: WireObject, place: Place): ToolCallPart {
  const { name, arguments: text } = called;
  let fields = unknownFields(wire, CALL_FIELDS);
  if (wire.type !== "function") fields = oddField(fields, "type", wire.type);
  const inner = functionFields(called);
  if (inner !== undefined) fields = withField(fields, "function", inner);
  const call = { id: "", name: typeof name === "string" ? name : "", text: typeof text === "string" ? text : "" };
  fields = identify(call, wire.id, { place, fields });
  const options = fields && { varve: { openaiChat: fields } };
  if (!isObject(text)) return toolCallFromText(call, options);
  return {
    type: "tool-call",
    toolCallId: call.id,
    toolName: call.name,
    input: copyValue(text),
    providerOptions: options,
  };
}

/** `arguments: {}` marks arguments that came as an object and not as text. */
function functionFields(called: WireObject): Fields | undefined {
  let fields = unknownFields(called, FUNCTION_FIELDS);
  if (typeof called.name !== "string") fields = oddField(fields, "name", called.name);
  if (isObject(called.arguments)) return withField(fields, "arguments", {});
  return typeof called.arguments === "string" ? fields : oddField(fields, "arguments", called.arguments);
}

/** Gives the call its id, made from its place where it has none, and returns the fields with a mark of that. */
function identify(
  call: { id: string; name: string },
  id: unknown,
  { place, fields }: { place: Place; fields: Fields | undefined },
): Fields | undefined {
  call.id = typeof id === "string" ? id : `call_${place.index}_${place.at}`;
  return typeof id === "string" ? fields : oddField(fields, "id", id);
}

function decodeCustom(wire: WireObject, called: WireObject, place: Place): ToolCallPart | CustomPart {
  const { name, input } = called;
  if (typeof name !== "string" || typeof input !== "string" || wire.type !== "custom") return oddCall(wire);
  const call = { id: "", name };
  const inner = unknownFields(called, CUSTOM_FIELDS);
  let fields = withField(unknownFields(wire, CUSTOM_CALL_FIELDS), "type", "custom");
  if (inner !== undefined) fields = withField(fields, "custom", inner);
  const marked = identify(call, wire.id, { place, fields });
  return { type: "tool-call", toolCallId: call.id, toolName: name, input, ...carry("openaiChat", marked) };
}

/** The single call of the older format; it has no id, so it is known by its place. */
export function decodeFunctionCall(wire: unknown, index: number): ToolCallPart | undefined {
  if (!isObject(wire)) return undefined;
  return decodeFunction({ type: "function_call" }, wire, { index, at: 0 });
}

export const isFunctionCall = (part: ToolCallPart): boolean => carried(part, "openaiChat")?.type === "function_call";

export function encodeCall(part: ToolCallPart, calls: ChatCalls): OpenAIToolCall {
  const fields = carried(part, "openaiChat");
  const text = argumentsText(part);
  const id = calls.id(part.toolCallId);
  const name = calls.name(part.toolName);
  calls.wrote(part.toolCallId, name, fields);
  if (fields?.type === "custom") {
    const custom = layOver({ name, input: text }, nested(fields.custom));
    return layOver({ id, type: "custom", custom }, fields, NOT_LAID);
  }
  const call: OpenAIToolCall = { id, type: "function", function: { name, arguments: text } };
  if (fields === undefined) return call;
  encodeFunctionFields(call.function, part, nested(fields.function));
  return layOver(call, fields, NOT_LAID);
}

const nested = (value: unknown): Fields | undefined => (isObject(value) ? (value as Fields) : undefined);

function encodeFunctionFields(called: { arguments: string }, part: ToolCallPart, fields: Fields | undefined): void {
  if (fields === undefined) return;
  layOver(called, fields, ARGUMENTS);
  const mark = fields.arguments;
  if (isObject(mark)) layOver(called, { arguments: copyValue(part.input) });
  else if (mark !== undefined && called.arguments === "") layOver(called, { arguments: mark });
}
