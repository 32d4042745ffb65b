/** Messages as the AI SDK has them: copies throughout, so that a change of what is sent reaches no log. */
import { carriesValue, customWords } from "../message/carried-words.js";
import { outputText } from "../message/content.js";
import { copyValue, isObject } from "../message/plain-value.js";
import type {
  AssistantPart,
  Message,
  ReasoningFilePart,
  ToolCallPart,
  ToolContentPart,
  ToolOutput,
  ToolPart,
  ToolResultPart,
  UserPart,
} from "../message/types.js";
import type {
  AISDKAssistantPart,
  AISDKMessage,
  AISDKReasoningFilePart,
  AISDKToolContentPart,
  AISDKToolMessage,
  AISDKToolOutput,
  AISDKToolResultPart,
  AISDKUserPart,
} from "./ai-sdk-types.js";
import { mediaToolContent, toolContentMedia } from "./media.js";
import { hasFailed, outputOf } from "./tool-output.js";
import { encodeUserParts, type PartsForm } from "./user-parts.js";

export function encodeMessage(message: Message): AISDKMessage {
  switch (message.role) {
    case "system":
      return copy(message);
    case "user":
      return { ...fieldsOf(message), content: encodeUser(message.content) };
    case "assistant":
      return { ...fieldsOf(message), content: encodeAssistant(message.content) };
    case "tool":
      return { ...fieldsOf(message), content: message.content.map(encodeToolPart) };
  }
}

const copy = <T>(value: T): T => copyValue(value) as T;

/** The AI SDK wants an address under its name as an object. */
function copyFile<T extends object>(part: T): T {
  const copied: { data?: unknown } & T = copy(part);
  const { data } = copied;
  if (isObject(data) && data.type === "url" && typeof data.url === "string" && URL.canParse(data.url))
    copied.data = { ...data, url: new URL(data.url) };
  return copied;
}

function fieldsOf<T extends Message>(message: T): Omit<T, "content"> {
  const { content: _content, ...fields } = message;
  return copy(fields);
}

const encodeUser = (content: string | UserPart[]): string | AISDKUserPart[] =>
  typeof content === "string" ? content : encodeUserParts(content, PARTS);

const PARTS: PartsForm<AISDKUserPart> = {
  encode: (part) => (part.type === "custom" ? undefined : copyFile(part)),
  isSendable: () => true,
  say: (text) => ({ type: "text", text }),
};

const encodeAssistant = (content: string | AssistantPart[]): string | AISDKAssistantPart[] =>
  typeof content === "string" ? content : content.map(encodeAssistantPart).filter((part) => part !== undefined);

function encodeAssistantPart(part: AssistantPart): AISDKAssistantPart | undefined {
  switch (part.type) {
    case "tool-call":
      return encodeCall(part);
    case "tool-result":
      return encodeResult(part);
    case "reasoning-file":
      return hasData(part) ? copyFile(part) : undefined;
    default:
      return copyFile(part);
  }
}

const hasData = (part: ReasoningFilePart): part is AISDKReasoningFilePart =>
  !(
    typeof part.data === "object" &&
    "type" in part.data &&
    (part.data.type === "reference" || part.data.type === "text")
  );

/** `input` may be an accessor of the class, which spreading does not copy. */
function encodeCall(part: ToolCallPart): Omit<ToolCallPart, "rawInput"> {
  const { rawInput: _bytes, ...rest } = part;
  return { ...copy(rest), input: copyValue(part.input) };
}

const encodeToolPart = (part: ToolPart): AISDKToolMessage["content"][number] =>
  part.type === "tool-result" ? encodeResult(part) : copy(part);

function encodeResult(part: ToolResultPart): AISDKToolResultPart {
  const { output: _output, ...rest } = part;
  return { ...copy(rest), output: encodeOutput(outputOf(part), hasFailed(part)) };
}

function encodeOutput(output: ToolOutput, failed: boolean): AISDKToolOutput {
  if (output.type !== "content") return copy(output);
  const value = output.value.map(encodeToolContent).filter((part) => part !== undefined);
  if (failed && value.every((part) => part.type === "text")) return { type: "error-text", value: outputText(output) };
  return { ...copy(output), value };
}

const TOOL_CONTENT: ReadonlySet<string> = new Set<AISDKToolContentPart["type"]>([
  "text",
  "file",
  "file-data",
  "file-url",
  "file-id",
  "file-reference",
  "image-data",
  "image-url",
  "image-file-id",
  "image-file-reference",
  "custom",
]);

/**
 * Content under a name of the AI SDK is taken at its word; media under another is written under today's. Custom content
 * of a wire format means nothing to the AI SDK's providers, so it is said.
 */
function encodeToolContent(part: ToolContentPart): AISDKToolContentPart | undefined {
  if (part.type === "custom" && carriesValue(part)) return { type: "text", text: customWords(part) };
  if (TOOL_CONTENT.has(part.type)) return copyFile(part) as unknown as AISDKToolContentPart;
  const media = toolContentMedia(part);
  return media && (mediaToolContent(media) as unknown as AISDKToolContentPart);
}
