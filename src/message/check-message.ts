/**
 * What every reader of a message relies on. A message that passes can be counted, shown and encoded; one that does not
 * would break every later view, so it is refused where it comes in.
 */
import { describeValue } from "../errors.js";
import { isObject, type UnknownFields } from "./plain-value.js";

/** What is wrong with a value as a message, in words that follow its name; undefined where nothing is. */
export function messageProblem(message: unknown): string | undefined {
  if (!isObject(message)) return `is ${describeValue(message)}, not an object`;
  const { role, content } = message;
  switch (role) {
    case "system":
      return typeof content === "string" ? undefined : contentProblem(content);
    case "user":
      return typeof content === "string" ? undefined : partsProblem(content, isUserPart);
    case "assistant":
      if (message.tool_calls !== undefined || message.function_call !== undefined)
        return "has calls beside its content";
      return typeof content === "string" ? undefined : partsProblem(content, isAssistantPart);
    case "tool":
      return partsProblem(content, isToolPart);
    default:
      return `has the unknown role ${describeValue(role)}`;
  }
}

const contentProblem = (content: unknown): string => `has a content that is ${describeValue(content)}`;

function partsProblem(content: unknown, isPart: (part: UnknownFields) => boolean): string | undefined {
  if (!Array.isArray(content)) return contentProblem(content);
  for (let at = 0; at < content.length; at++) {
    const part: unknown = content[at];
    if (!isObject(part)) return `has a part ${at} that is ${describeValue(part)}`;
    if (!isPart(part))
      return `has a part ${at} of type ${describeValue(part.type)} that it cannot have, or half of one`;
  }
  return undefined;
}

function isUserPart(part: UnknownFields): boolean {
  switch (part.type) {
    case "text":
      return typeof part.text === "string";
    case "image":
      return isData(part.image) && isOptionalText(part.mediaType);
    case "file":
      return isFile(part);
    default:
      return part.type === "custom";
  }
}

function isAssistantPart(part: UnknownFields): boolean {
  switch (part.type) {
    case "text":
    case "reasoning":
      return typeof part.text === "string";
    case "tool-call":
      return typeof part.toolCallId === "string" && typeof part.toolName === "string";
    case "tool-result":
      return isResult(part);
    case "file":
    case "reasoning-file":
      return isFile(part);
    case "tool-approval-request":
      return typeof part.approvalId === "string" && typeof part.toolCallId === "string";
    default:
      return part.type === "custom";
  }
}

const isToolPart = (part: UnknownFields): boolean =>
  part.type === "tool-result" ? isResult(part) : part.type === "tool-approval-response" && isApproval(part);

const isApproval = ({ approvalId, approved, reason }: UnknownFields): boolean =>
  typeof approvalId === "string" && typeof approved === "boolean" && isOptionalText(reason);

/** Other languages write what is absent as null. */
const isOptionalText = (value: unknown): boolean => value === undefined || value === null || typeof value === "string";

const isFile = ({ data, mediaType, filename }: UnknownFields): boolean =>
  isData(data) && typeof mediaType === "string" && isOptionalText(filename);

/** Text, bytes, a URL, a reference to a file kept elsewhere, or one of these under its name. */
function isData(data: unknown): boolean {
  if (typeof data === "string") return true;
  if (typeof data !== "object" || data === null) return false;
  if (!("type" in data)) return true;
  if (data.type === "data" && "data" in data) return isBytes(data.data);
  return data.type !== "url" || !("url" in data) || isBytes(data.url);
}

const isBytes = (data: unknown): boolean => typeof data === "string" || (typeof data === "object" && data !== null);

const isResult = ({ toolCallId, toolName, output }: UnknownFields): boolean =>
  typeof toolCallId === "string" && typeof toolName === "string" && isObject(output) && isOutput(output);

function isOutput({ type, value, reason }: UnknownFields): boolean {
  switch (type) {
    case "text":
    case "error-text":
      return typeof value === "string";
    case "content":
      return Array.isArray(value) && value.every((part) => isObject(part) && typeof part.type === "string");
    default:
      return type === "json" || type === "error-json" || (type === "execution-denied" && isOptionalText(reason));
  }
}
