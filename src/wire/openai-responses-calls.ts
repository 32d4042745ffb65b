/** Calls and their outputs, of functions and of custom (free text) tools. */
import { outputText } from "../message/content.js";
import { copyValue, isObject } from "../message/plain-value.js";
import { argumentsText, toolCallFromText } from "../message/tool-call.js";
import type { ToolCallPart, ToolMessage, ToolOutput, ToolResultPart } from "../message/types.js";
import type { CallIds } from "./call-ids.js";
import type { CallTracker } from "./call-tracker.js";
import { carried, carry, type Fields, layOver, oddField, optionText, unknownFields, withField } from "./carried.js";
import { isOwn, isShort, isTaken, OWN } from "./openai-calls.js";
import { decodeToolInput, encodeToolInput } from "./openai-responses-parts.js";
import type { ResponsesCall, ResponsesCallOutput } from "./openai-responses-types.js";
import type { SendableTexts } from "./sendable-text.js";
import type { WireObject } from "./value.js";

const CALL_FIELDS: ReadonlySet<string> = new Set(["type", "id", "call_id", "name", "arguments"]);
const CUSTOM_FIELDS: ReadonlySet<string> = new Set(["type", "id", "call_id", "name", "input"]);
const OUTPUT_FIELDS: ReadonlySet<string> = new Set(["type", "call_id", "output"]);
const ARGUMENTS: ReadonlySet<string> = new Set(["arguments", "input", OWN]);
const OUTPUT: ReadonlySet<string> = new Set(["output", OWN]);

/** Ids and names as they were written so far. */
export interface KnownCalls {
  readonly ids: CallIds;
  readonly names: SendableTexts;
}

export function decodeCall(wire: WireObject, index: number): ToolCallPart {
  const custom = wire.type === "custom_tool_call";
  const source = custom ? "input" : "arguments";
  const id = typeof wire.call_id === "string" ? wire.call_id : `call_${index}`;
  const name = typeof wire.name === "string" ? wire.name : "";
  const odd = callFields(wire, source);
  const fields = isTaken(id, name) ? odd : withField(odd, OWN, true);
  const options = carry("openaiResponses", fields, itemOptions(wire)).providerOptions;
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

export function encodeCall(part: ToolCallPart, { ids, names }: KnownCalls): ResponsesCall {
  const fields = carried(part, "openaiResponses");
  const source = fields?.type === "custom_tool_call" ? "input" : "arguments";
  const text = argumentsText(part);
  const id = optionText(part, "openai", "itemId");
  const type = source === "input" ? "custom_tool_call" : "function_call";
  const own = isOwn(fields);
  // The id of a call that came without one is not sent, and takes nobody's place.
  const call_id = fields?.call_id === undefined ? ids.call(part.toolCallId, own) : part.toolCallId;
  const name = own ? part.toolName : names.written(part.toolName);
  const base = { type, call_id, name, [source]: text, ...(id !== undefined && { id }) };
  const call = layOver(base as ResponsesCall, fields, ARGUMENTS);
  const mark = fields?.[source];
  if (isObject(mark)) return layOver(call, { [source]: copyValue(part.input) });
  return mark !== undefined && text === "" ? layOver(call, { [source]: mark }) : call;
}

export function decodeCallOutput(wire: WireObject, index: number, calls: CallTracker): ToolMessage {
  const { call_id: id, output } = wire;
  const toolCallId = typeof id === "string" ? id : (calls.answer() ?? `call_${index}`);
  let fields = unknownFields(wire, OUTPUT_FIELDS);
  if (wire.type !== "function_call_output") fields = withField(fields, "type", wire.type);
  if (typeof id !== "string") fields = oddField(fields, "call_id", id);
  else if (!isShort(id)) fields = withField(fields, OWN, true);
  if (typeof output !== "string" && !Array.isArray(output)) fields = oddField(fields, "output", output);
  const toolName = (typeof id === "string" ? calls.answered(id) : calls.nameOf(toolCallId)) ?? "";
  const part: ToolResultPart = { type: "tool-result", toolCallId, toolName, output: decodeValue(output) };
  return { role: "tool", content: [{ ...part, ...carry("openaiResponses", fields) }] };
}

function decodeValue(output: unknown): ToolOutput {
  if (typeof output === "string") return { type: "text", value: output };
  if (Array.isArray(output)) return { type: "content", value: output.map(decodeToolInput) };
  return isObject(output) ? { type: "json", value: copyValue(output) } : { type: "text", value: "" };
}

export function encodeCallOutput(part: ToolResultPart, ids: CallIds): ResponsesCallOutput {
  const fields = carried(part, "openaiResponses");
  const item: ResponsesCallOutput = {
    type: "function_call_output",
    call_id: ids.result(part.toolCallId, isOwn(fields)),
    output: encodeValue(part.output),
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
