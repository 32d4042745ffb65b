/** Calls and their outputs, of functions and of custom (free text) tools. */
import { outputText } from "../message/content.js";
import { copyValue, isObject } from "../message/plain-value.js";
import { argumentsText, toolCallFromText } from "../message/tool-call.js";
import type { ToolCallPart, ToolMessage, ToolOutput, ToolResultPart } from "../message/types.js";
import type { CallIds } from "./call-ids.js";
import type { CallTracker } from "./call-tracker.js";
import { carried, carry, type Fields, layOver, oddField, optionText, unknownFields, withField } from "./carried.js";
import {
  decodeNativeOutput,
  encodeNativeCall,
  encodeNativeOutput,
  isNativeCall,
  isNativeOutput,
  type NativeOutput,
  nativeName,
  outputTypeOf,
} from "./openai-responses-native.js";
import { decodeToolInput, encodeToolInput } from "./openai-responses-parts.js";
import type { ResponsesCall, ResponsesCallOutput } from "./openai-responses-types.js";
import type { SendableTexts } from "./sendable-text.js";
import { outputOf } from "./tool-output.js";
import type { WireObject } from "./value.js";

const CALL_FIELDS: ReadonlySet<string> = new Set(["type", "id", "call_id", "name", "arguments"]);
const CUSTOM_FIELDS: ReadonlySet<string> = new Set(["type", "id", "call_id", "name", "input"]);
const OUTPUT_FIELDS: ReadonlySet<string> = new Set(["type", "call_id", "output"]);
const ARGUMENTS: ReadonlySet<string> = new Set(["arguments", "input"]);
const OUTPUT: ReadonlySet<string> = new Set(["output"]);

/** Ids and names as they were written so far. */
export interface KnownCalls {
  readonly ids: CallIds;
  readonly names: SendableTexts;
  /** The type that the output of a call must have, by the id as it was written; a function's is not kept. */
  readonly types: Map<string, ResponsesCallOutput["type"]>;
  /** The calls of native tools, by the id as it was written. */
  readonly natives: Map<string, { readonly item: ResponsesCall; readonly part: ToolCallPart }>;
}

export function decodeCall(wire: WireObject, index: number): ToolCallPart {
  const custom = wire.type === "custom_tool_call";
  const source = custom ? "input" : "arguments";
  const id = typeof wire.call_id === "string" ? wire.call_id : `call_${index}`;
  const name = typeof wire.name === "string" ? wire.name : "";
  const options = carry("openaiResponses", callFields(wire, source), itemOptions(wire)).providerOptions;
  const given = wire[source];
  const text = typeof given === "string" ? given : "";
  if (!custom && !isObject(given)) return toolCallFromText({ id, name, text }, options);
  const input = isObject(given) ? copyValue(given) : text;
  return { type: "tool-call", toolCallId: id, toolName: name, input, ...(options && { providerOptions: options }) };
}

/** `{}` marks arguments that came as an object and not as text. */
function callFields(wire: WireObject, source: "input" | "arguments"): Fields | undefined {
  let fields = unknownFields(wire, source === "input" ? CUSTOM_FIELDS : CALL_FIELDS);
  if (source === "input") fields = withField(fields, "type", "custom_tool_call");
  if (wire.id !== undefined && typeof wire.id !== "string") fields = withField(fields, "id", wire.id);
  if (typeof wire.call_id !== "string") fields = oddField(fields, "call_id", wire.call_id);
  if (typeof wire.name !== "string") fields = oddField(fields, "name", wire.name);
  if (isObject(wire[source])) return withField(fields, source, {});
  return typeof wire[source] === "string" ? fields : oddField(fields, source, wire[source]);
}

export const itemOptions = ({ id }: WireObject) => (typeof id === "string" ? { openai: { itemId: id } } : undefined);

export function encodeCall(part: ToolCallPart, calls: KnownCalls): ResponsesCall {
  const fields = carried(part, "openaiResponses");
  return isNativeCall(fields?.type) ? encodeNative(part, fields, calls) : encodeOwnCall(part, fields, calls);
}

function encodeNative(part: ToolCallPart, fields: Fields | undefined, calls: KnownCalls) {
  const call_id = writtenId(part, fields, calls.ids);
  const item = encodeNativeCall(part, call_id);
  if (item !== undefined && fields?.call_id === undefined) calls.natives.set(call_id, { item, part });
  return item ?? asFunctionCall(part, call_id, calls);
}

function asFunctionCall(part: ToolCallPart, call_id: string, { names, types }: KnownCalls): ResponsesCall {
  types.set(call_id, "function_call_output");
  return { type: "function_call", call_id, name: names.written(part.toolName), arguments: argumentsText(part) };
}

/** The id of a call that came without one is not sent, and takes nobody's place. */
const writtenId = (part: ToolCallPart, fields: Fields | undefined, ids: CallIds): string =>
  fields?.call_id === undefined ? ids.call(part.toolCallId) : part.toolCallId;

function encodeOwnCall(
  part: ToolCallPart,
  fields: Fields | undefined,
  { ids, names, types }: KnownCalls,
): ResponsesCall {
  const source = fields?.type === "custom_tool_call" ? "input" : "arguments";
  const text = argumentsText(part);
  const id = optionText(part, "openai", "itemId");
  const type = source === "input" ? "custom_tool_call" : "function_call";
  const call_id = writtenId(part, fields, ids);
  if (type === "custom_tool_call" && fields?.call_id === undefined) types.set(call_id, "custom_tool_call_output");
  const base = { type, call_id, name: names.written(part.toolName), [source]: text, ...(id !== undefined && { id }) };
  const call = layOver(base as ResponsesCall, fields, ARGUMENTS);
  const mark = fields?.[source];
  if (isObject(mark)) return layOver(call, { [source]: copyValue(part.input) });
  return mark !== undefined && text === "" ? layOver(call, { [source]: mark }) : call;
}

/** The ids of the calls of the local shell by those of their items: an output may name either. */
export type ShellCalls = Map<string, string>;

export function noteShell({ id, call_id: call }: WireObject, shells: ShellCalls): void {
  if (typeof id === "string" && typeof call === "string") shells.set(id, call);
}

export function decodeCallOutput(wire: WireObject, calls: CallTracker, shells: ShellCalls): ToolMessage {
  const { output } = wire;
  const given = answeredId(wire);
  const id = typeof wire.call_id === "string" ? given : calledId(given, calls, shells);
  const named = nativeName(wire.type);
  const toolCallId = typeof id === "string" ? id : (calls.answer(named) ?? "");
  let fields = unknownFields(wire, OUTPUT_FIELDS);
  if (wire.type !== "function_call_output") fields = withField(fields, "type", wire.type);
  if (typeof wire.call_id !== "string") fields = oddField(fields, "call_id", wire.call_id);
  const read: NativeOutput = named === undefined ? readOutput(output) : decodeNativeOutput(wire);
  if (read.more !== undefined) fields = { ...fields, ...read.more };
  if (read.mark !== undefined) fields = withField(fields, "output", read.mark);
  const toolName = (typeof id === "string" ? calls.answered(id) : calls.nameOf(toolCallId)) ?? named ?? "";
  const part: ToolResultPart = { type: "tool-result", toolCallId, toolName, output: read.output };
  return { role: "tool", content: [{ ...part, ...carry("openaiResponses", fields) }] };
}

/** The id of the call that an output answers; the local shell's own field for it is `id`. */
export const answeredId = ({ type, call_id: id, id: own }: WireObject): unknown =>
  typeof id !== "string" && type === "local_shell_call_output" ? own : id;

const calledId = (id: unknown, calls: CallTracker, shells: ShellCalls): unknown =>
  typeof id === "string" && shells.has(id) && calls.nameOf(id) === undefined ? shells.get(id) : id;

function readOutput(output: unknown): NativeOutput {
  const isUsual = typeof output === "string" || Array.isArray(output);
  return { output: decodeValue(output), ...(!isUsual && { mark: output ?? (output === null ? null : false) }) };
}

function decodeValue(output: unknown): ToolOutput {
  if (typeof output === "string") return { type: "text", value: output };
  if (Array.isArray(output)) return { type: "content", value: output.map(decodeToolInput) };
  return isObject(output) ? { type: "json", value: copyValue(output) } : { type: "text", value: "" };
}

export function encodeCallOutput(part: ToolResultPart, calls: KnownCalls): ResponsesCallOutput {
  const fields = carried(part, "openaiResponses");
  const call_id = calls.ids.result(part.toolCallId);
  const type = nativeType(fields, call_id, calls);
  if (type === undefined) return encodeOwnOutput(part, fields, { call_id, types: calls.types });
  const isFunction = calls.types.get(call_id) === "function_call_output";
  const item = isFunction ? undefined : encodeNativeOutput(part, type, call_id);
  if (item !== undefined) return item;
  demote(call_id, calls);
  return { type: "function_call_output", call_id, output: outputText(part.output) };
}

/** The type of an output as it came, or as its call wants it. */
function nativeType(fields: Fields | undefined, call_id: string, { natives }: KnownCalls): string | undefined {
  if (isNativeOutput(fields?.type)) return fields.type;
  const isPlain = fields?.type === undefined && fields?.call_id === undefined;
  const type = isPlain ? natives.get(call_id)?.item.type : undefined;
  return type && outputTypeOf(type);
}

/** Writes a call as a function's after all, for its output has no other form. */
function demote(call_id: string, calls: KnownCalls): void {
  const { item, part } = calls.natives.get(call_id) ?? {};
  if (item === undefined || part === undefined) return;
  const open = item as unknown as Record<string, unknown>;
  for (const key of Object.keys(open)) delete open[key];
  Object.assign(open, asFunctionCall(part, call_id, calls));
}

function encodeOwnOutput(
  part: ToolResultPart,
  fields: Fields | undefined,
  { call_id, types }: { call_id: string; types: KnownCalls["types"] },
): ResponsesCallOutput {
  const item: ResponsesCallOutput = {
    type: (fields?.call_id === undefined && types.get(call_id)) || "function_call_output",
    call_id,
    output: encodeValue(outputOf(part)),
  };
  layOver(item, fields, OUTPUT);
  const mark = fields?.output;
  if (mark === undefined) return item;
  const holds = isObject(mark) ? part.output.type === "json" : item.output === "";
  return holds ? layOver(item, { output: mark }) : item;
}

const encodeValue = (output: ToolOutput): ResponsesCallOutput["output"] =>
  output.type === "content"
    ? output.value.map(encodeToolInput).filter((part) => part !== undefined)
    : outputText(output);
