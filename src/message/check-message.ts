/**
 * What every reader of a message relies on. A message that passes can be counted, shown and encoded; one that does not
 * would break every later view, so it is refused where it comes in.
 */
import { describeValue } from "../errors.js";
import { isObject, type UnknownFields } from "./plain-value.js";

/** What is wrong with a value as a message, in words that follow its name, and where. */
export interface MessageFault {
  readonly problem: string;
  readonly path: readonly (string | number)[];
}

/** What is wrong with a value as a message, in words that follow its name; undefined where nothing is. */
export const messageProblem = (message: unknown): string | undefined => messageFault(message)?.problem;

/** The same with the place at which it is wrong. */
export function messageFault(message: unknown): MessageFault | undefined {
  if (!isObject(message)) return { problem: `is ${describeValue(message)}, not an object`, path: [] };
  const { role, content } = message;
  const types = PARTS.get(role);
  if (types === undefined) return { problem: `has the unknown role ${describeValue(role)}`, path: ["role"] };
  if (role === "assistant" && (message.tool_calls !== undefined || message.function_call !== undefined))
    return { problem: "has calls beside its content", path: [] };
  if (typeof content === "string" && role !== "tool") return undefined;
  if (!Array.isArray(content) || role === "system")
    return { problem: `has a content that is ${describeValue(content)}`, path: ["content"] };
  for (let at = 0; at < content.length; at++) {
    const fault = partFault(content[at], types);
    if (fault !== undefined)
      return { problem: `has a part ${at} ${fault.problem}`, path: ["content", at, ...fault.path] };
  }
  return undefined;
}

function partFault(part: unknown, types: ReadonlySet<unknown>): MessageFault | undefined {
  if (!isObject(part)) return { problem: `that is ${describeValue(part)}`, path: [] };
  const fields = types.has(part.type) ? FIELDS.get(part.type) : undefined;
  const wrong = fields === undefined ? "type" : wrongField(part, fields);
  if (wrong === undefined) return undefined;
  return { problem: `of type ${describeValue(part.type)} that it cannot have, or half of one`, path: [wrong] };
}

function wrongField(part: UnknownFields, fields: Fields): string | undefined {
  for (const field in fields) if (!fields[field]!(part[field])) return field;
  return undefined;
}

/** The parts that a message of a role may have. */
const PARTS: ReadonlyMap<unknown, ReadonlySet<unknown>> = new Map([
  ["system", new Set()],
  ["user", new Set(["text", "image", "file", "custom"])],
  [
    "assistant",
    new Set("text reasoning tool-call tool-result file reasoning-file custom tool-approval-request".split(" ")),
  ],
  ["tool", new Set(["tool-result", "tool-approval-response"])],
]);

const isText = (value: unknown): boolean => typeof value === "string";
/** Other languages write what is absent as null. */
const isOptionalText = (value: unknown): boolean => value === undefined || value === null || isText(value);
const isBoolean = (value: unknown): boolean => typeof value === "boolean";

/** Text, bytes, a URL, a reference to a file kept elsewhere, or one of these under its name. */
function isData(data: unknown): boolean {
  if (typeof data === "string") return true;
  if (typeof data !== "object" || data === null) return false;
  if (!("type" in data)) return true;
  if (data.type === "data" && "data" in data) return isBytes(data.data);
  return data.type !== "url" || !("url" in data) || isBytes(data.url);
}

const isBytes = (data: unknown): boolean => typeof data === "string" || (typeof data === "object" && data !== null);

function isOutput(output: unknown): boolean {
  if (!isObject(output)) return false;
  const { type, value, reason } = output;
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

type Fields = Readonly<Record<string, (value: unknown) => boolean>>;

const TEXT: Fields = { text: isText };
const CALL: Fields = { toolCallId: isText, toolName: isText };
const FILE: Fields = { data: isData, mediaType: isText, filename: isOptionalText };
/** What the parts of a type must have. */
const FIELDS: ReadonlyMap<unknown, Fields> = new Map<unknown, Fields>([
  ["text", TEXT],
  ["reasoning", TEXT],
  ["image", { image: isData, mediaType: isOptionalText }],
  ["file", FILE],
  ["reasoning-file", FILE],
  ["custom", {}],
  ["tool-call", CALL],
  ["tool-result", { ...CALL, output: isOutput }],
  ["tool-approval-request", { approvalId: isText, toolCallId: isText }],
  ["tool-approval-response", { approvalId: isText, approved: isBoolean, reason: isOptionalText }],
]);
