import { describeValue } from "../errors.js";
import { copyValue, isObject } from "../message/plain-value.js";
import type { AssistantPart, Message, ReasoningPart, SystemMessage, UserMessage } from "../message/types.js";
import { CallTracker } from "./call-tracker.js";
import { carry, customPart, type Fields, oddField, unknownFields, withField } from "./carried.js";
import {
  answeredId,
  decodeCall,
  decodeCallOutput,
  itemOptions,
  noteShell,
  type ShellCalls,
} from "./openai-responses-calls.js";
import { decodeNativeCall, isNativeCall, isNativeOutput } from "./openai-responses-native.js";
import { decodeInput, decodeOutput, textOf } from "./openai-responses-parts.js";
import { expectList, expectObject, invalidMessage, type WireObject } from "./value.js";

const FORMAT = "OpenAI Responses";
const MESSAGE_FIELDS: ReadonlySet<string> = new Set(["role", "content"]);
const ITEM_FIELDS: ReadonlySet<string> = new Set(["role", "content", "id"]);
const REASONING_FIELDS: ReadonlySet<string> = new Set(["type", "id", "summary", "encrypted_content"]);

/** What the assistant does between two inputs is one message: a call stays with the reasoning that led to it. */
interface Run {
  parts: AssistantPart[];
  /** Set while the run is one plain message item. */
  text?: string | undefined;
}

interface State {
  readonly decoded: Message[];
  readonly calls: CallTracker;
  readonly shells: ShellCalls;
  run: Run | undefined;
}

export function decodeItems(input: unknown): Message[] {
  const items = typeof input === "string" ? [{ role: "user", content: input }] : expectList(input, FORMAT);
  const calls = new CallTracker(() => items.map(outputId).filter((id) => typeof id === "string"));
  const state: State = { decoded: [], calls, shells: new Map(), run: undefined };
  for (let index = 0; index < items.length; index++)
    decodeItem(expectObject(items[index], FORMAT, index), index, state);
  endRun(state);
  return state.decoded;
}

const isOutput = ({ type }: WireObject): boolean =>
  type === "function_call_output" || type === "custom_tool_call_output" || isNativeOutput(type);

const outputId = (item: unknown): unknown => (isObject(item) && isOutput(item) ? answeredId(item) : undefined);

/**
 * What answers an item of the assistant and has no canonical form; the assistant goes on behind it. Without an id there
 * is no telling which item: such a one stays in the message where it stands.
 */
const isAnswer = ({ type, call_id: id, approval_request_id: request }: WireObject): boolean => {
  if (type === "mcp_approval_response") return typeof request === "string";
  return typeof type === "string" && type.endsWith("_output") && typeof id === "string";
};

function decodeItem(wire: WireObject, index: number, state: State): void {
  const input = decodeInputItem(wire, index, state);
  if (input === undefined) extend(state, decodeAssistantItem(wire, index));
  else state.decoded.push(input);
  if (wire.type === "local_shell_call") noteShell(wire, state.shells);
}

/** A message of the user or a tool, or an answer, which ends the run; undefined for any other item of the assistant. */
function decodeInputItem(wire: WireObject, index: number, state: State): Message | undefined {
  const { type, role } = wire;
  if (isOutput(wire)) {
    endRun(state);
    return decodeCallOutput(wire, state.calls, state.shells);
  }
  if (isAnswer(wire)) {
    endRun(state);
    return { role: "assistant", content: [customPart("openaiResponses", wire)] };
  }
  if ((type !== undefined && type !== "message") || role === "assistant") return undefined;
  endRun(state);
  if (role === "user") state.calls.spoken();
  return decodeInputMessage(wire, index);
}

function decodeAssistantItem(wire: WireObject, index: number): Run {
  switch (wire.type) {
    case undefined:
    case "message":
      return decodeAssistant(wire, index);
    case "function_call":
    case "custom_tool_call":
      return { parts: [decodeCall(wire, index)] };
    case "reasoning":
      return { parts: decodeReasoning(wire) ?? [customPart("openaiResponses", wire)] };
    default:
      if (isNativeCall(wire.type)) return { parts: [decodeNativeCall(wire, index)] };
      if (typeof wire.type !== "string") throw shapeless(index);
      return { parts: [customPart("openaiResponses", wire)] };
  }
}

const shapeless = (index: number) =>
  invalidMessage({
    format: FORMAT,
    index,
    problem: "has neither a type nor a role",
    hint: "An item has a type; a message has a role and may leave the type out.",
  });

function extend(state: State, next: Run): void {
  const { run } = state;
  if (run === undefined) {
    state.run = next;
    return;
  }
  for (const part of next.parts) run.parts.push(part);
  run.text = undefined;
}

function endRun(state: State): void {
  const { run } = state;
  if (run === undefined) return;
  state.run = undefined;
  state.calls.called(run.parts);
  state.decoded.push({ role: "assistant", content: run.text ?? run.parts });
}

function decodeInputMessage(wire: WireObject, index: number): Message {
  switch (wire.role) {
    case "user":
      return decodeUser(wire, index);
    case "system":
    case "developer":
      return decodeSystem(wire, index);
    case undefined:
      throw shapeless(index);
    default:
      throw invalidMessage({
        format: FORMAT,
        index,
        problem: `has the unknown role ${describeValue(wire.role)}`,
        hint: "The role is one of user, assistant, system and developer.",
      });
  }
}

function decodeUser(wire: WireObject, index: number): UserMessage {
  const { content } = wire;
  let fields = unknownFields(wire, MESSAGE_FIELDS);
  if (Array.isArray(content))
    return { role: "user", content: content.map(decodeInput), ...carry("openaiResponses", fields) };
  if (typeof content !== "string") fields = absentContent(content, index, fields);
  return { role: "user", content: typeof content === "string" ? content : "", ...carry("openaiResponses", fields) };
}

function decodeSystem(wire: WireObject, index: number): SystemMessage {
  const { content } = wire;
  let fields = unknownFields(wire, MESSAGE_FIELDS);
  if (wire.role === "developer") fields = withField(fields, "role", "developer");
  if (Array.isArray(content)) fields = withField(fields, "content", content);
  else if (typeof content !== "string") fields = absentContent(content, index, fields);
  return { role: "system", content: textOf(content), ...carry("openaiResponses", fields) };
}

function absentContent(content: unknown, index: number, fields: Fields | undefined): Fields {
  if (content === null || content === undefined) return oddField(fields, "content", content);
  throw invalidMessage({
    format: FORMAT,
    index,
    problem: `has a content that is ${describeValue(content)}`,
    hint: "Content is a string or a list of parts.",
  });
}

function decodeAssistant(wire: WireObject, index: number): Run {
  const { content } = wire;
  const unknown = unknownFields(wire, ITEM_FIELDS);
  const odd = wire.id !== undefined && typeof wire.id !== "string";
  const item: Fields = odd ? withField(unknown, "id", wire.id) : (unknown ?? {});
  if (typeof content === "string") return decodeString(wire, content, item);
  if (!Array.isArray(content)) absentContent(content, index, undefined);
  if (!Array.isArray(content) || content.length === 0) return { parts: [customPart("openaiResponses", wire)] };
  return { parts: content.map((part, at) => withItemId(decodeOutput(part, at === 0 ? item : "same"), wire)) };
}

/** `content: ""` marks an item whose content is a string; one that has nothing else is a plain message. */
function decodeString(wire: WireObject, content: string, item: Fields): Run {
  const fields = { item: { ...item, content: "" } };
  const part: AssistantPart = { type: "text", text: content, ...carry("openaiResponses", fields, itemOptions(wire)) };
  const plain = Object.keys(item).length === 0 && wire.id === undefined;
  return plain ? { parts: [part], text: content } : { parts: [part] };
}

function withItemId<T extends AssistantPart>(part: T & { providerOptions?: object }, wire: WireObject): T {
  const options = itemOptions(wire);
  return options ? { ...part, providerOptions: { ...options, ...part.providerOptions } } : part;
}

/** One part for each paragraph of the summary; the first carries the item. Undefined for an item of another shape. */
function decodeReasoning(wire: WireObject): ReasoningPart[] | undefined {
  const { id, summary, encrypted_content: encrypted } = wire;
  if (!Array.isArray(summary) || !summary.every(isSummary)) return undefined;
  const openai = {
    ...(typeof id === "string" && { itemId: id }),
    ...(encrypted !== undefined && { reasoningEncryptedContent: copyValue(encrypted) }),
  };
  const item: Fields = { ...unknownFields(wire, REASONING_FIELDS) };
  if (id !== undefined && typeof id !== "string") withField(item, "id", id);
  const texts = summary.length === 0 ? [""] : summary.map((entry) => entry.text);
  return texts.map((text, at) =>
    reasoningPart(text, at === 0 ? item : "same", at === 0 ? openai : itemOptions(wire)?.openai),
  );
}

function reasoningPart(text: string, item: Fields | "same", openai: Fields | undefined): ReasoningPart {
  const own = openai === undefined || Object.keys(openai).length === 0 ? undefined : { openai };
  return { type: "reasoning", text, ...carry("openaiResponses", { item }, own) };
}

const isSummary = (entry: unknown): entry is { text: string } =>
  isObject(entry) &&
  entry.type === "summary_text" &&
  typeof entry.text === "string" &&
  entry.text !== "" &&
  Object.keys(entry).length === 2;
