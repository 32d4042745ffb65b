/**
 * Decoding is on the path of opening a long history: a plain message and a plain call allocate nothing but themselves.
 */

import { describeValue } from "../errors.js";
import { CarriedFields, carriedOptions } from "../message/carried-fields.js";
import { freezeValue, isObject } from "../message/plain-value.js";
import type { AssistantPart, Message, ProviderOptions, ToolOutput, ToolResultPart } from "../message/types.js";
import { CallTracker } from "./call-tracker.js";
import { type Fields, oddField, unknownFields, withField } from "./carried.js";
import { decodeCall, decodeFunctionCall, decodePlainCall } from "./openai-chat-calls.js";
import { decodeAssistantPart, decodePart, decodeToolPart, listText } from "./openai-chat-parts.js";
import { expectObject, invalidMessage, unknownRole, type WireObject } from "./value.js";

const FORMAT = "OpenAI";
const PLAIN_FIELDS: ReadonlySet<string> = new Set(["role", "content"]);
const ASSISTANT_FIELDS: ReadonlySet<string> = new Set(["role", "content", "tool_calls", "function_call"]);
const TOOL_FIELDS: ReadonlySet<string> = new Set(["role", "content", "tool_call_id"]);

/** The same as `unknownFields` with the sets above, for most messages have none and comparing names is cheapest. */
function plainFields(wire: WireObject): Fields | undefined {
  for (const key in wire) if (key !== "role" && key !== "content") return unknownFields(wire, PLAIN_FIELDS);
  return undefined;
}

function assistantFields(wire: WireObject): Fields | undefined {
  for (const key in wire) {
    if (key !== "role" && key !== "content" && key !== "tool_calls") return unknownFields(wire, ASSISTANT_FIELDS);
  }
  return undefined;
}

function toolFields(wire: WireObject): Fields | undefined {
  for (const key in wire) {
    if (key !== "role" && key !== "content" && key !== "tool_call_id") return unknownFields(wire, TOOL_FIELDS);
  }
  return undefined;
}

/** Shared by all messages that carry this and nothing else. */
const NULL_CONTENT: ProviderOptions = freezeValue(options({ content: null }));
const EMPTY_CONTENT: ProviderOptions = freezeValue(options({ content: "" }));

export function decodeMessages(messages: readonly unknown[]): Message[] {
  const calls = new CallTracker(() => messages.map(resultId).filter((id) => typeof id === "string"));
  const decoded = new Array<Message>(messages.length);
  for (let index = 0; index < messages.length; index++)
    decoded[index] = decodeMessage(expectObject(messages[index], FORMAT, index), index, calls);
  return decoded;
}

const resultId = (wire: unknown): unknown =>
  isObject(wire) && (wire.role === "tool" || wire.role === "function") ? wire.tool_call_id : undefined;

function decodeMessage(wire: WireObject, index: number, calls: CallTracker): Message {
  switch (wire.role) {
    case "assistant":
      return decodeAssistant(wire, index, calls);
    case "tool":
    case "function":
      return decodeTool(wire, index, calls);
    case "user":
      calls.spoken();
      return decodeUser(wire, index);
    case "system":
    case "developer":
      return decodeSystem(wire, index);
    default:
      throw unknownRole(wire.role, { format: FORMAT, index, hint: ROLES_HINT });
  }
}

const ROLES_HINT = "The role is one of system, developer, user, assistant, tool and function.";

function contentError(content: unknown, index: number) {
  return invalidMessage({
    format: FORMAT,
    index,
    problem: `has a content that is ${describeValue(content)}`,
    hint: "Content is a string, a list of parts, or null.",
  });
}

function decodeUser(wire: WireObject, index: number): Message {
  const { content } = wire;
  const fields = plainFields(wire);
  if (typeof content === "string") return decoded("user", content, options(fields));
  if (Array.isArray(content)) return decoded("user", content.map(decodePart), options(fields));
  return decoded("user", "", options(absentContent(content, index, fields)));
}

function decodeSystem(wire: WireObject, index: number): Message {
  const { content } = wire;
  let fields = plainFields(wire);
  if (wire.role === "developer") fields = withField(fields, "role", "developer");
  if (typeof content === "string") return decoded("system", content, options(fields));
  if (Array.isArray(content))
    return decoded("system", listText(content), options(withField(fields, "content", content)));
  return decoded("system", "", options(absentContent(content, index, fields)));
}

function absentContent(content: unknown, index: number, fields: Fields | undefined): Fields {
  if (content === null || content === undefined) return oddField(fields, "content", content);
  throw contentError(content, index);
}

function decodeAssistant(wire: WireObject, index: number, calls: CallTracker): Message {
  const { content } = wire;
  const fields = assistantFields(wire);
  const isPlain = fields === undefined || !saysMore(fields);
  if (isPlain && typeof content === "string" && wire.tool_calls === undefined && wire.function_call === undefined)
    return decoded("assistant", content, options(fields));
  const parts = isPlain ? plainCalls(wire) : undefined;
  if (parts === undefined) return decodeRichAssistant({ wire, index, calls }, fields);
  calls.called(parts);
  return decoded("assistant", parts, messageOptions(content === "" ? "" : undefined, fields));
}

/** Whether there is something among the fields that the model said. */
const saysMore = ({ reasoning, reasoning_content, refusal }: Fields): boolean =>
  reasoning !== undefined || reasoning_content !== undefined || refusal !== undefined;

/** The parts of a message with text or null and plain calls, as nearly all with calls are; undefined for any other. */
function plainCalls({ content, tool_calls: list, function_call: legacy }: WireObject): AssistantPart[] | undefined {
  if (!Array.isArray(list) || list.length === 0 || legacy !== undefined) return undefined;
  if (content !== null && typeof content !== "string") return undefined;
  const spoken = content === null || content === "" ? 0 : 1;
  const parts = new Array<AssistantPart>(spoken + list.length);
  if (spoken === 1) parts[0] = { type: "text", text: content as string };
  for (let at = 0; at < list.length; at++) {
    const call = decodePlainCall(list[at]);
    if (call === undefined) return undefined;
    parts[spoken + at] = call;
  }
  return parts;
}

interface Place {
  readonly wire: WireObject;
  readonly index: number;
  readonly calls: CallTracker;
}

function decodeRichAssistant(place: Place, unknown: Fields | undefined): Message {
  const parts: AssistantPart[] = [];
  const { content } = place.wire;
  let fields = unknown && takeReasoning(unknown, parts);
  pushContent(parts, content, place.index);
  if (fields !== undefined && isSpoken(fields.refusal)) fields = takeField(fields, "refusal", parts);
  const before = parts.length;
  fields = pushCalls(place, parts, fields);
  const simple = simplest(parts, content);
  if (typeof simple !== "string") place.calls.called(simple);
  return decoded("assistant", simple, messageOptions(contentMark(content, parts.length > before), fields));
}

/** Text alone stays a string. A list is cut to its length: one that grew by pushing keeps room for many more. */
function simplest(parts: AssistantPart[], content: unknown): string | AssistantPart[] {
  if (parts.length === 0) return "";
  return parts.length === 1 && parts[0]?.type === "text" && parts[0].text === content ? content : parts.slice();
}

function pushContent(parts: AssistantPart[], content: unknown, index: number): void {
  if (typeof content === "string") {
    if (content !== "") parts.push({ type: "text", text: content });
  } else if (Array.isArray(content)) {
    for (const part of content) parts.push(decodeAssistantPart(part));
  } else if (content !== null && content !== undefined) throw contentError(content, index);
}

/** What encoding would not give back by itself: `[]` stands for a list, `false` for no content at all. */
function contentMark(content: unknown, hasCalls: boolean): "" | null | false | [] | undefined {
  if (Array.isArray(content)) return [];
  if (content === undefined) return false;
  if (content === null) return hasCalls ? undefined : null;
  return content === "" && hasCalls ? "" : undefined;
}

function messageOptions(mark: "" | null | false | [] | undefined, fields: Fields | undefined) {
  if (fields === undefined && mark === null) return NULL_CONTENT;
  if (fields === undefined && mark === "") return EMPTY_CONTENT;
  return options(mark === undefined ? fields : withField(fields, "content", mark));
}

function decoded<Role extends Message["role"], Content>(
  role: Role,
  content: Content,
  providerOptions?: ProviderOptions,
) {
  return providerOptions === undefined ? { role, content } : { role, content, providerOptions };
}

function options(fields: Fields): ProviderOptions;
function options(fields: Fields | undefined): ProviderOptions | undefined;
function options(fields: Fields | undefined): ProviderOptions | undefined {
  return fields && carriedOptions(new CarriedFields("openaiChat", fields));
}

function takeReasoning(fields: Fields, parts: AssistantPart[]): Fields | undefined {
  if (isSpoken(fields.reasoning_content)) return takeField(fields, "reasoning_content", parts);
  return isSpoken(fields.reasoning) ? takeField(fields, "reasoning", parts) : fields;
}

const isSpoken = (value: unknown): boolean => typeof value === "string" && value !== "";

/** Shared by all parts that stood in these fields of their message. */
const FIELD_MARKS = {
  reasoning: freezeValue({ varve: { openaiChat: { type: "message.reasoning" } } }),
  reasoning_content: freezeValue({ varve: { openaiChat: { type: "message.reasoning_content" } } }),
  refusal: freezeValue({ varve: { openaiChat: { type: "message.refusal" } } }),
};

function takeField(fields: Fields, name: keyof typeof FIELD_MARKS, parts: AssistantPart[]): Fields | undefined {
  const { [name]: text, ...rest } = fields;
  const type = name === "refusal" ? "text" : "reasoning";
  parts.push({ type, text: String(text), providerOptions: FIELD_MARKS[name] });
  return Object.keys(rest).length > 0 ? rest : undefined;
}

function pushCalls({ wire, index }: Place, parts: AssistantPart[], fields: Fields | undefined) {
  const { tool_calls: list, function_call: legacy } = wire;
  let odd = fields;
  if (Array.isArray(list) && list.length > 0) {
    for (let at = 0; at < list.length; at++)
      parts.push(decodePlainCall(list[at]) ?? decodeCall(list[at], { index, at }));
  } else if (list !== undefined) odd = withField(odd, "tool_calls", callList(list, index));
  const call = decodeFunctionCall(legacy, index);
  if (call !== undefined) parts.push(call);
  else if (legacy !== undefined) odd = withField(odd, "function_call", legacy);
  return odd;
}

function callList(list: unknown, index: number): unknown {
  if (list === null || Array.isArray(list)) return list;
  throw invalidMessage({
    format: FORMAT,
    index,
    problem: `has tool_calls that are ${describeValue(list)}`,
    hint: "tool_calls is a list of calls, or absent.",
  });
}

function decodeTool(wire: WireObject, index: number, calls: CallTracker): Message {
  const { tool_call_id: id, content } = wire;
  let fields = toolFields(wire);
  if (fields === undefined && wire.role === "tool" && typeof id === "string" && typeof content === "string")
    return plainResult(id, calls.answered(id) ?? "", content);
  const name = toolNameIn(wire);
  const toolCallId = typeof id === "string" ? id : (calls.answer(name) ?? "");
  const called = typeof id === "string" ? calls.answered(id) : calls.nameOf(toolCallId);
  if (wire.role === "function") fields = withField(fields, "role", "function");
  if (typeof id !== "string") fields = oddField(fields, "tool_call_id", id);
  if (typeof content !== "string") fields = resultMark(content, index, fields);
  const toolName = called ?? name ?? "";
  const output = decodeOutput(content);
  const result: ToolResultPart = fields
    ? { type: "tool-result", toolCallId, toolName, output, providerOptions: options(fields) }
    : { type: "tool-result", toolCallId, toolName, output };
  return { role: "tool", content: [result] };
}

/** Ollama's name of the tool is `tool_name`. */
function toolNameIn({ name, tool_name: toolName }: WireObject): string | undefined {
  if (typeof name === "string") return name;
  return typeof toolName === "string" ? toolName : undefined;
}

/** The result as nearly all are. */
const plainResult = (toolCallId: string, toolName: string, value: string): Message => ({
  role: "tool",
  content: [{ type: "tool-result", toolCallId, toolName, output: { type: "text", value } }],
});

const resultMark = (content: unknown, index: number, fields: Fields | undefined): Fields =>
  Array.isArray(content) ? withField(fields, "content", []) : absentContent(content, index, fields);

function decodeOutput(content: unknown): ToolOutput {
  if (typeof content === "string") return { type: "text", value: content };
  return Array.isArray(content) ? { type: "content", value: content.map(decodeToolPart) } : { type: "text", value: "" };
}
