/** Which of the message formats a list is written in. Messages of text alone are the same in most, and tell nothing. */
import { isObject, listField, type WireObject } from "./fields.js";

/** In the order that decides between equals. */
export const DIALECTS = ["openai", "anthropic", "ai-sdk", "ai-sdk-ui", "openai-responses", "gemini"] as const;
export type Dialect = (typeof DIALECTS)[number];

const ROLES: ReadonlySet<unknown> = new Set([
  ...["system", "developer", "user", "assistant", "tool", "function", "model"],
]);
/** Items of the Responses API that are no messages. */
const ITEM = /^(?:reasoning|item_reference|(?:[a-z_]+_)?call(?:_output)?)$/;

const BLOCKS: Readonly<Record<string, Dialect>> = {
  tool_use: "anthropic",
  tool_result: "anthropic",
  thinking: "anthropic",
  redacted_thinking: "anthropic",
  server_tool_use: "anthropic",
  document: "anthropic",
  "tool-call": "ai-sdk",
  "tool-result": "ai-sdk",
  reasoning: "ai-sdk",
  "redacted-reasoning": "ai-sdk",
  image_url: "openai",
  input_audio: "openai",
  refusal: "openai",
  input_text: "openai-responses",
  output_text: "openai-responses",
  input_image: "openai-responses",
  input_file: "openai-responses",
};

/** Whether a value can be one of a list of messages, in any of the formats. */
export function isMessage(value: unknown): boolean {
  if (!isObject(value)) return false;
  if (typeof value.role !== "string") return typeof value.type === "string" && ITEM.test(value.type);
  if (!ROLES.has(value.role)) return false;
  return "content" in value || Array.isArray(value.parts) || "tool_calls" in value || "function_call" in value;
}

/** The format that a list is in; "openai" where nothing tells. */
export function dialectOf(messages: readonly unknown[], hint?: Dialect | undefined): Dialect {
  const votes = new Map<Dialect, number>(hint === undefined ? [] : [[hint, 1]]);
  for (const message of messages) {
    const dialect = isObject(message) ? messageDialect(message) : undefined;
    if (dialect !== undefined) votes.set(dialect, (votes.get(dialect) ?? 0) + 1);
  }
  const most = Math.max(0, ...votes.values());
  return DIALECTS.find((dialect) => most > 0 && votes.get(dialect) === most) ?? "openai";
}

function messageDialect(message: WireObject): Dialect | undefined {
  const { role, content, parts } = message;
  if (role === "model") return "gemini";
  if (Array.isArray(parts)) return partsDialect(parts);
  if (Array.isArray(message.toolInvocations)) return "ai-sdk-ui";
  if (role === undefined) return "openai-responses";
  const block = listField(content).find((item) => isObject(item) && blockDialect(item) !== undefined);
  if (isObject(block)) return blockDialect(block);
  const called = [message.tool_calls, message.tool_call_id, message.function_call].some((field) => field != null);
  return called || role === "tool" || role === "developer" || role === "function" ? "openai" : undefined;
}

/** Parts of a UI message have a type; those of Gemini have the field itself. */
function partsDialect([first]: readonly unknown[]): Dialect | undefined {
  if (!isObject(first)) return undefined;
  return typeof first.type === "string" ? "ai-sdk-ui" : "gemini";
}

function blockDialect(block: WireObject): Dialect | undefined {
  const { type } = block;
  if (type === "image") return isObject(block.source) ? "anthropic" : "ai-sdk";
  if (type === "file") return isObject(block.file) ? "openai" : "ai-sdk";
  return typeof type === "string" && Object.hasOwn(BLOCKS, type) ? BLOCKS[type] : undefined;
}
