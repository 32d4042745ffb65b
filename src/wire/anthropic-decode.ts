import { describeValue } from "../errors.js";
import { copyValue, isObject } from "../message/plain-value.js";
import type {
  AssistantMessage,
  AssistantPart,
  Message,
  SystemMessage,
  ToolOutput,
  ToolResultPart,
  UserPart,
} from "../message/types.js";
import { blockOptions, decodeBlock, decodeText, decodeToolBlock } from "./anthropic-blocks.js";
import { encodeAssistantBlock, type PlainAssistantPart } from "./anthropic-encode.js";
import { CallTracker } from "./call-tracker.js";
import {
  carry,
  customPart,
  type Fields,
  faithful,
  oddField,
  unknownFields,
  withField,
  withoutMark,
} from "./carried.js";
import { expectList, expectObject, invalidMessage, unknownRole, type WireObject } from "./value.js";

const FORMAT = "Anthropic";
const MESSAGE_FIELDS: ReadonlySet<string> = new Set(["role", "content"]);
const THINKING_FIELDS: ReadonlySet<string> = new Set(["type", "thinking", "signature"]);
const REDACTED_FIELDS: ReadonlySet<string> = new Set(["type", "data"]);
const CALL_FIELDS: ReadonlySet<string> = new Set(["type", "id", "name", "input"]);
const RESULT_FIELDS: ReadonlySet<string> = new Set(["type", "tool_use_id", "content", "is_error"]);

export function decodePrompt(prompt: unknown): Message[] {
  if (Array.isArray(prompt) || !isObject(prompt)) return decodeMessages(expectList(prompt, FORMAT));
  const messages = decodeMessages(expectList(prompt.messages, FORMAT));
  return [...decodeSystem(prompt.system), ...messages];
}

function decodeSystem(system: unknown): Message[] {
  if (system === undefined || system === null) return [];
  if (typeof system === "string") return [{ role: "system", content: system }];
  return expectList(system, `${FORMAT} system`).map(decodeSystemBlock);
}

/** The carried type tells a list of one block from a string. */
function decodeSystemBlock(block: unknown): SystemMessage {
  const text = isObject(block) && block.type === "text" ? decodeText(block) : undefined;
  if (text === undefined)
    return { role: "system", content: "", providerOptions: customPart("anthropic", block).providerOptions };
  const fields = { ...unknownFields(block as WireObject, SYSTEM_FIELDS), type: "text" };
  return { role: "system", content: text.text, ...carry("anthropic", fields) };
}
const SYSTEM_FIELDS: ReadonlySet<string> = new Set(["type", "text"]);

function decodeMessages(messages: readonly unknown[]): Message[] {
  const calls = new CallTracker(() => messages.flatMap(resultIds));
  const decoded: Message[] = [];
  for (let index = 0; index < messages.length; index++) {
    const wire = expectObject(messages[index], FORMAT, index);
    for (const message of decodeMessage(wire, index, calls)) decoded.push(message);
  }
  return decoded;
}

function resultIds(wire: unknown): string[] {
  if (!isObject(wire) || wire.role !== "user" || !Array.isArray(wire.content)) return [];
  return wire.content.filter(isResult).flatMap(({ tool_use_id: id }) => (typeof id === "string" ? [id] : []));
}

const isResult = (block: unknown): block is WireObject => isObject(block) && block.type === "tool_result";

function decodeMessage(wire: WireObject, index: number, calls: CallTracker): Message[] {
  const content = contentOf(wire, index);
  const fields = unknownFields(wire, MESSAGE_FIELDS);
  switch (wire.role) {
    case "assistant":
      return [decodeAssistant(content, { index, calls }, fields)];
    case "user":
      if (typeof content === "string" || !content.some(isResult)) calls.spoken();
      return decodeUser(content, { index, calls }, fields);
    case "system":
      return [{ role: "system", content: textOf(content), ...carry("anthropic", systemFields(content, fields)) }];
    default:
      throw unknownRole(wire.role, { format: FORMAT, index, hint: ROLES_HINT });
  }
}

const ROLES_HINT = "The role is user or assistant; the system prompt stands beside the messages.";

function contentOf({ content }: WireObject, index: number): string | readonly unknown[] {
  if (content === null || content === undefined) return "";
  if (typeof content === "string" || Array.isArray(content)) return content;
  throw invalidMessage({
    format: FORMAT,
    index,
    problem: `has a content that is ${describeValue(content)}`,
    hint: "Content is a string or a list of blocks.",
  });
}

/** A system message among the others goes back to its place. */
function systemFields(content: string | readonly unknown[], fields: Fields | undefined): Fields {
  const marked = withField(fields, "role", "system");
  if (typeof content === "string") return marked;
  return withField(marked, "content", content.map(withoutMark));
}

const textOf = (content: string | readonly unknown[]): string =>
  typeof content === "string"
    ? content
    : content.map((block) => (isObject(block) && typeof block.text === "string" ? block.text : "")).join("\n");

interface Place {
  readonly index: number;
  readonly calls: CallTracker;
}

/** Tool results are messages of their own here; the run of results and of other blocks each become one. */
function decodeUser(content: string | readonly unknown[], place: Place, fields: Fields | undefined): Message[] {
  if (typeof content === "string") return [{ role: "user", content, ...carry("anthropic", fields) }];
  const messages: Message[] = [];
  for (const block of content) addUserBlock(messages, block, place);
  const first = messages[0] ?? { role: "user", content: [] };
  return [{ ...first, ...carry("anthropic", fields) }, ...messages.slice(1)];
}

function addUserBlock(messages: Message[], block: unknown, place: Place): void {
  const last = messages[messages.length - 1];
  if (isResult(block)) {
    const part = decodeResult(block, place.calls);
    if (last?.role === "tool") last.content.push(part);
    else messages.push({ role: "tool", content: [part] });
    return;
  }
  const part: UserPart = decodeBlock(block);
  if (last?.role === "user" && typeof last.content !== "string") last.content.push(part);
  else messages.push({ role: "user", content: [part] });
}

function decodeResult(wire: WireObject, calls: CallTracker): ToolResultPart {
  const { tool_use_id: id, content, is_error: failed } = wire;
  const toolCallId = typeof id === "string" ? id : (calls.answer() ?? "");
  const output = decodeOutput(content, failed === true);
  const { providerOptions } = blockOptions(wire, RESULT_FIELDS);
  let fields = providerOptions?.varve?.anthropic as Fields | undefined;
  if (typeof id !== "string") fields = oddField(fields, "tool_use_id", id);
  if (failed !== undefined && output.type !== "error-text") fields = withField(fields, "is_error", failed);
  if (typeof content !== "string" && !Array.isArray(content)) fields = oddField(fields, "content", content);
  const toolName = (typeof id === "string" ? calls.answered(id) : calls.nameOf(toolCallId)) ?? "";
  return { type: "tool-result", toolCallId, toolName, output, ...carry("anthropic", fields, providerOptions) };
}

function decodeOutput(content: unknown, failed: boolean): ToolOutput {
  if (Array.isArray(content)) return { type: "content", value: content.map(decodeToolBlock) };
  if (typeof content === "string") return { type: failed ? "error-text" : "text", value: content };
  return isObject(content)
    ? { type: "json", value: copyValue(content) }
    : { type: failed ? "error-text" : "text", value: "" };
}

function decodeAssistant(
  content: string | readonly unknown[],
  place: Place,
  fields: Fields | undefined,
): AssistantMessage {
  if (typeof content === "string") return { role: "assistant", content, ...carry("anthropic", fields) };
  const parts = content.map((block, at) => decodeAssistantBlock(block, { index: place.index, at }));
  place.calls.called(parts);
  return { role: "assistant", content: parts, ...carry("anthropic", fields) };
}

interface BlockPlace {
  readonly index: number;
  readonly at: number;
}

function decodeAssistantBlock(wire: unknown, place: BlockPlace): AssistantPart {
  if (!isObject(wire)) return customPart("anthropic", wire);
  if (wire.type === "tool_use") return decodeCall(wire, place);
  const part = wire.type === "text" ? decodeText(wire) : decodeThinking(wire);
  return faithful<PlainAssistantPart>(part, encodeAssistantBlock, wire) ?? customPart("anthropic", wire);
}

function decodeThinking(wire: WireObject): PlainAssistantPart | undefined {
  const { type, thinking, signature, data } = wire;
  if (type === "redacted_thinking" && typeof data === "string")
    return { type: "reasoning", text: "", ...blockOptions(wire, REDACTED_FIELDS, { redactedData: data }) };
  if (type !== "thinking" || typeof thinking !== "string") return undefined;
  if (typeof signature === "string")
    return { type: "reasoning", text: thinking, ...blockOptions(wire, THINKING_FIELDS, { signature }) };
  const { providerOptions } = blockOptions(wire, THINKING_FIELDS);
  const fields = { ...unknownFields(wire, THINKING_FIELDS), type: "thinking" };
  return { type: "reasoning", text: thinking, ...carry("anthropic", fields, providerOptions) };
}

function decodeCall(wire: WireObject, { index, at }: BlockPlace): AssistantPart {
  const { id, name, input } = wire;
  const toolCallId = typeof id === "string" ? id : `call_${index}_${at}`;
  const toolName = typeof name === "string" ? name : "";
  const { providerOptions } = blockOptions(wire, CALL_FIELDS);
  let fields = providerOptions?.varve?.anthropic as Fields | undefined;
  if (typeof id !== "string") fields = oddField(fields, "id", id);
  if (typeof name !== "string") fields = oddField(fields, "name", name);
  if (!isObject(input)) fields = withField(fields, "input", input !== undefined);
  const options = carry("anthropic", fields, providerOptions);
  return { type: "tool-call", toolCallId, toolName, input: input === undefined ? {} : copyValue(input), ...options };
}
