/**
 * Calls of tools that Anthropic runs itself. One without a result is refused once the user spoke again; before that it
 * may still get one, be it that the turn was paused or that the tool waits for others to be run.
 */
import { isObject } from "../message/plain-value.js";
import type { AnthropicBlock, AnthropicMessage } from "./anthropic-types.js";

const THINKING: ReadonlySet<string> = new Set(["thinking", "redacted_thinking"]);
const CALLS: ReadonlySet<string> = new Set(["server_tool_use", "mcp_tool_use"]);

/**
 * The messages without such calls of the past that nobody answered; the very list where there are none. The thinking
 * that led to them alone is refused as a message, so it goes with them.
 */
export function withoutDeadCalls(messages: readonly AnthropicMessage[]): readonly AnthropicMessage[] {
  if (!messages.some((message) => blocksOf(message).some(isServerCall))) return messages;
  const spoken = messages.findLastIndex((message) => message.role === "user" && isSpoken(message));
  const answered = new Set(messages.flatMap(blocksOf).map((block) => fieldsOf(block).tool_use_id));
  const isDead = (block: AnthropicBlock) => isServerCall(block) && !answered.has(fieldsOf(block).id);
  return messages.map((message, at) => {
    const { content } = message;
    if (at > spoken || typeof content === "string" || !content.some(isDead)) return message;
    const alive = content.filter((block) => !isDead(block));
    return { ...message, content: alive.every(isThinking) ? [] : alive };
  });
}

const NONE: readonly AnthropicBlock[] = [];

const blocksOf = ({ content }: AnthropicMessage): readonly AnthropicBlock[] =>
  typeof content === "string" ? NONE : content;

const fieldsOf = (block: AnthropicBlock): Readonly<Record<string, unknown>> => (isObject(block) ? block : {});

const isServerCall = (block: AnthropicBlock): boolean => CALLS.has(String(fieldsOf(block).type));

export const isThinking = (block: AnthropicBlock): boolean => THINKING.has(String(fieldsOf(block).type));

const isSpoken = (message: AnthropicMessage): boolean =>
  typeof message.content === "string"
    ? message.content.trim() !== ""
    : message.content.some((block) => block.type !== "tool_result");
