/**
 * LangChain's messages as its tracers write them: `{ lc, type: "constructor", id: […, "AIMessage"], kwargs }`,
 * `{ type: "ai", data }`, or the fields with `type: "ai"` beside them. Calls stand in `tool_calls` with parsed `args`.
 */
import type { AssistantMessage, Message, ToolMessage, ToolOutput } from "../../message/types.js";
import { fromAnthropic } from "../anthropic.js";
import { fromOpenAI } from "../openai-chat.js";
import { isObject, listField, objectField, textField, type WireObject } from "./fields.js";

type Kind = "human" | "ai" | "system" | "tool" | "function";
const KINDS: Readonly<Record<string, Kind>> = {
  human: "human",
  ai: "ai",
  system: "system",
  developer: "system",
  tool: "tool",
  function: "function",
  HumanMessage: "human",
  HumanMessageChunk: "human",
  AIMessage: "ai",
  AIMessageChunk: "ai",
  SystemMessage: "system",
  ToolMessage: "tool",
  FunctionMessage: "function",
};

interface LangChainMessage {
  readonly kind: Kind;
  readonly fields: WireObject;
}

/** The message in a value; undefined where it is none of LangChain's. */
export function langChainMessage(value: unknown): LangChainMessage | undefined {
  if (!isObject(value)) return undefined;
  const name = Array.isArray(value.id) ? value.id.at(-1) : value.type;
  const fields = isObject(value.kwargs) ? value.kwargs : isObject(value.data) ? value.data : value;
  const kind = typeof name === "string" && Object.hasOwn(KINDS, name) ? KINDS[name] : undefined;
  return kind === undefined || !("content" in fields) ? undefined : { kind, fields };
}

export function fromLangChain({ kind, fields }: LangChainMessage): Message[] {
  switch (kind) {
    case "human":
      return fromOpenAI([{ role: "user", content: fields.content }]);
    case "system":
      return fromOpenAI([{ role: "system", content: fields.content }]);
    case "ai":
      return [assistantMessage(fields)];
    default:
      return [toolMessage(fields)];
  }
}

/** Blocks of Anthropic hold the calls too, with the thoughts in their places. */
function assistantMessage(fields: WireObject): AssistantMessage {
  const calls = callsOf(fields);
  const blocks = listField(fields.content).filter(isObject);
  const anthropic = blocks.some(
    ({ type }) => type === "tool_use" || type === "thinking" || type === "redacted_thinking",
  );
  const [message] = anthropic
    ? fromAnthropic([{ role: "assistant", content: withCalls(blocks.map(clean), calls) }])
    : fromOpenAI([{ role: "assistant", content: fields.content, ...openaiCalls(calls), ...reasoningOf(fields) }]);
  return message?.role === "assistant" ? message : { role: "assistant", content: "" };
}

/** Streams leave their place numbers in the blocks. */
const clean = ({ index: _, ...block }: WireObject): WireObject => block;

function withCalls(blocks: readonly WireObject[], calls: readonly WireObject[]): WireObject[] {
  const parsed = new Map(calls.map((call) => [call.id, call.args] as const));
  const held = new Set(blocks.map(({ id }) => id));
  const missing = calls.filter(({ id }) => !held.has(id));
  return [
    ...blocks
      .filter(({ type }) => type !== "input_json_delta")
      .map((block) => (parsed.has(block.id) ? { ...block, input: parsed.get(block.id) } : block)),
    ...missing.map(({ id, name, args }) => ({ type: "tool_use", id, name, input: args })),
  ];
}

function callsOf({ tool_calls: calls, invalid_tool_calls: invalid }: WireObject): WireObject[] {
  return [...listField(calls), ...listField(invalid)].filter(isObject);
}

function openaiCalls(calls: readonly WireObject[]): WireObject {
  return calls.length === 0 ? {} : { tool_calls: calls.map(openaiCall) };
}

function openaiCall(call: WireObject): WireObject {
  if (isObject(call.function)) return call;
  const text = typeof call.args === "string" ? call.args : JSON.stringify(call.args ?? {});
  return { id: call.id, type: "function", function: { name: call.name, arguments: text } };
}

function reasoningOf(fields: WireObject): WireObject {
  const reasoning = textField(objectField(fields.additional_kwargs).reasoning_content);
  return reasoning === undefined ? {} : { reasoning_content: reasoning };
}

function toolMessage(fields: WireObject): ToolMessage {
  const [message] = fromOpenAI([{ role: "tool", tool_call_id: fields.tool_call_id, content: fields.content }]);
  const [part] = message?.role === "tool" ? message.content : [];
  const output: ToolOutput = part?.type === "tool-result" ? part.output : { type: "text", value: "" };
  const failed = fields.status === "error" && output.type === "text";
  const toolCallId = textField(fields.tool_call_id) ?? textField(fields.name) ?? "";
  return {
    role: "tool",
    content: [
      {
        type: "tool-result",
        toolCallId,
        toolName: textField(fields.name) ?? "",
        output: failed ? { type: "error-text", value: output.value } : output,
      },
    ],
  };
}
