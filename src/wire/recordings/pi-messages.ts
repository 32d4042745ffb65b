import { copyValue } from "../../message/plain-value.js";
import type {
  AssistantPart,
  ImagePart,
  Message,
  ProviderOptions,
  TextPart,
  ToolContentPart,
  ToolOutput,
  UserPart,
} from "../../message/types.js";
import { fromAnthropic } from "../anthropic.js";
import { mediaToolContent } from "../media.js";
import { fromOpenAIResponses } from "../openai-responses.js";
import { isObject, listField, textField, unquoted, type WireObject } from "./fields.js";
import type { Notes } from "./notes.js";

/** One message of pi; none where the model never sees it. */
export function piMessages(message: WireObject, notes: Notes): Message[] {
  switch (message.role) {
    case "user":
    case "custom":
      return userMessage(message.content, notes);
    case "assistant":
      return assistantMessage(message, notes);
    case "toolResult":
      return [toolMessage(message, notes)];
    case "bashExecution":
      return message.excludeFromContext === true ? [] : [{ role: "user", content: ranText(message) }];
    case "branchSummary":
    case "compactionSummary":
      return typeof message.summary === "string" ? [{ role: "user", content: message.summary }] : [];
    case "system":
      return typeof message.content === "string" ? [{ role: "system", content: message.content }] : [];
    default:
      notes.unknown(message.role);
      return [];
  }
}

function userMessage(content: unknown, notes: Notes): Message[] {
  if (typeof content === "string") return [{ role: "user", content }];
  const parts = userParts(content, notes);
  return parts.length > 0 ? [{ role: "user", content: parts }] : [];
}

function userParts(content: unknown, notes: Notes): (TextPart | ImagePart)[] {
  const parts: (TextPart | ImagePart)[] = [];
  for (const block of listField(content)) {
    const part = isObject(block) ? userPart(block) : undefined;
    if (part === undefined) notes.unknown(isObject(block) ? block.type : typeof block);
    else parts.push(part);
  }
  return parts;
}

function userPart({ type, text, data, mimeType }: WireObject): TextPart | ImagePart | undefined {
  if (type === "text" && typeof text === "string") return { type: "text", text };
  if (type !== "image" || typeof data !== "string") return undefined;
  return { type: "image", image: data, mediaType: textField(mimeType) ?? "image/png" };
}

/** As pi itself tells the model of a command that the user ran. */
const ranText = ({ command, output }: WireObject): string =>
  `Ran \`${String(command ?? "")}\`\n\`\`\`\n${String(output ?? "")}\n\`\`\``;

function assistantMessage({ content, api }: WireObject, notes: Notes): Message[] {
  const blocks = typeof content === "string" ? [{ type: "text", text: content }] : listField(content);
  const parts = blocks.flatMap((block) => (isObject(block) ? assistantParts(block, api, notes) : []));
  return parts.length > 0 ? [{ role: "assistant", content: parts }] : [];
}

function assistantParts(block: WireObject, api: unknown, notes: Notes): AssistantPart[] {
  switch (block.type) {
    case "text":
      return typeof block.text === "string" && block.text !== "" ? [{ type: "text", text: block.text }] : [];
    case "thinking":
      return thinkingParts(block, textField(api) ?? "");
    case "toolCall":
      return [callPart(block)];
    default:
      notes.unknown(block.type);
      return [];
  }
}

function callPart({ id, name, arguments: input, thoughtSignature }: WireObject): AssistantPart {
  return {
    type: "tool-call",
    toolCallId: textField(id) ?? "",
    toolName: textField(name) ?? "",
    input: copyValue(input ?? {}),
    ...signed("google", "thoughtSignature", thoughtSignature),
  };
}

function signed(provider: string, field: string, value: unknown): { providerOptions?: ProviderOptions } {
  return typeof value === "string" ? { providerOptions: { [provider]: { [field]: value } } } : {};
}

/** The signature is what the provider needs back: Anthropic's own, a whole item of OpenAI's, or Gemini's. */
function thinkingParts(block: WireObject, api: string): AssistantPart[] {
  const text = typeof block.thinking === "string" ? block.thinking : "";
  const signature = textField(block.thinkingSignature);
  if (api.startsWith("anthropic") || api.startsWith("bedrock")) return anthropicThinking(text, signature, block);
  const item = unquoted(signature);
  if (isObject(item) && item.type === "reasoning") return partsOf(fromOpenAIResponses([item]));
  const google = api.startsWith("google") ? signed("google", "thoughtSignature", signature) : {};
  return text === "" && signature === undefined ? [] : [{ type: "reasoning", text, ...google }];
}

function anthropicThinking(text: string, signature: string | undefined, { redacted }: WireObject): AssistantPart[] {
  if (redacted === true && signature !== undefined) return blockParts({ type: "redacted_thinking", data: signature });
  if (signature !== undefined) return blockParts({ type: "thinking", thinking: text, signature });
  return text === "" ? [] : blockParts({ type: "thinking", thinking: text });
}

const blockParts = (block: WireObject): AssistantPart[] =>
  partsOf(fromAnthropic([{ role: "assistant", content: [block] }]));

function partsOf([message]: readonly Message[]): AssistantPart[] {
  return message?.role === "assistant" && typeof message.content !== "string" ? message.content : [];
}

function toolMessage(message: WireObject, notes: Notes): Message {
  const output = toolOutput(userParts(asBlocks(message.content), notes), message.isError === true);
  const toolCallId = textField(message.toolCallId) ?? "";
  const toolName = textField(message.toolName) ?? "";
  return { role: "tool", content: [{ type: "tool-result", toolCallId, toolName, output }] };
}

const asBlocks = (content: unknown): unknown =>
  typeof content === "string" ? [{ type: "text", text: content }] : content;

/** Text alone is text; an output with images keeps them in their places. */
export function toolOutput(parts: readonly UserPart[], failed: boolean): ToolOutput {
  const texts = parts.flatMap((part) => (part.type === "text" ? part.text : []));
  if (texts.length === parts.length || failed) return { type: failed ? "error-text" : "text", value: texts.join("\n") };
  return { type: "content", value: parts.flatMap(toolContent) };
}

function toolContent(part: UserPart): ToolContentPart[] {
  if (part.type === "custom") return [];
  return [part.type === "text" ? { ...part } : mediaToolContent(part)];
}
