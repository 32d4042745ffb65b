import { FORGOTTEN, type ForgottenTexts } from "../../memory/forgotten-texts.js";
import { mapTexts } from "../../message/map-texts.js";
import type { AssistantPart, Message, ToolPart, UserPart } from "../../message/types.js";

/**
 * A message without what it says: its role, its calls and its results stay, so that calls and results stay paired.
 * Reasoning, media and whatever a provider attached go.
 */
export function redactedMessage(message: Message): Message {
  switch (message.role) {
    case "system":
      return { role: "system", content: FORGOTTEN };
    case "user":
      return { role: "user", content: FORGOTTEN };
    case "assistant":
      return { role: "assistant", content: assistantContent(message.content) };
    case "tool":
      return { role: "tool", content: message.content.map(redactedResult) };
  }
}

/** Whether nothing is left to forget in a message. */
export const isRedacted = (message: Message): boolean =>
  JSON.stringify(redactedMessage(message)) === JSON.stringify(message);

/**
 * A message without these texts, wherever in it they stand; the very same where they do not. What a provider signed is true
 * of the message as it was: that goes too.
 */
export function withoutTexts(message: Message, texts: ForgottenTexts): Message {
  const left = mapTexts(message, (text) => texts.without(text, FORGOTTEN));
  if (left === message || left.role !== "assistant") return left;
  if (typeof left.content === "string") return { role: "assistant", content: left.content };
  const parts = left.content.filter(({ type }) => type !== "reasoning" && type !== "reasoning-file").map(unsigned);
  return { role: "assistant", content: parts.length === 0 ? FORGOTTEN : parts };
}

function unsigned(part: AssistantPart): AssistantPart {
  const bare = { ...part };
  if ("providerOptions" in bare && bare.type !== "custom") delete bare.providerOptions;
  return bare;
}

function assistantContent(content: string | readonly AssistantPart[]): string | AssistantPart[] {
  if (typeof content === "string") return FORGOTTEN;
  const parts = content.flatMap(redactedPart);
  const isSaid = content.some(({ type }) => type !== "tool-call" && type !== "tool-result" && type !== APPROVAL);
  return parts.length === 0 ? FORGOTTEN : isSaid ? [{ type: "text", text: FORGOTTEN }, ...parts] : parts;
}

const APPROVAL = "tool-approval-request";

function redactedPart(part: AssistantPart | UserPart): AssistantPart[] {
  switch (part.type) {
    case "tool-call": {
      const { type, toolCallId, toolName, providerExecuted } = part;
      return [{ type, toolCallId, toolName, input: {}, ...(providerExecuted !== undefined && { providerExecuted }) }];
    }
    case "tool-result":
      return [{ ...redactedResultPart(part) }];
    case APPROVAL:
      return [part];
    default:
      return [];
  }
}

const redactedResult = (part: ToolPart): ToolPart =>
  part.type === "tool-result" ? redactedResultPart(part) : { ...part, ...(part.reason && { reason: FORGOTTEN }) };

const redactedResultPart = ({ type, toolCallId, toolName }: Extract<ToolPart, { type: "tool-result" }>) =>
  ({ type, toolCallId, toolName, output: { type: "text", value: FORGOTTEN } }) as const;
