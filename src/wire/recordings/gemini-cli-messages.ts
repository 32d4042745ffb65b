import type { Message, ToolPart } from "../../message/types.js";
import { isObject, listField, objectField, promptText, textField, type WireObject } from "./fields.js";
import type { Notes } from "./notes.js";

/** Lines that the screen shows and the model does not see. */
const SILENT: ReadonlySet<unknown> = new Set(["info", "error", "warning"]);

/** A message of a chat as contents of Gemini's API: what was said, and after it the responses to its calls. */
export function geminiContents(message: WireObject, notes: Notes): WireObject[] {
  if (message.type === "user") return contentOf("user", partsOf(message.content));
  if (message.type === "gemini") return modelContents(message);
  if (!SILENT.has(message.type)) notes.unknown(message.type);
  return [];
}

const contentOf = (role: string, parts: readonly unknown[]): WireObject[] =>
  parts.length > 0 ? [{ role, parts }] : [];

/** Gemini's lists of parts may be a text, a part, or a list of both. */
function partsOf(content: unknown): unknown[] {
  const list = Array.isArray(content) ? content : [content];
  return list
    .map((part) => (typeof part === "string" ? { text: part } : part))
    .filter((part) => isObject(part) && part.text !== "");
}

function modelContents(message: WireObject): WireObject[] {
  const calls = listField(message.toolCalls).filter(isObject);
  const thoughts = listField(message.thoughts).filter(isObject).map(thoughtPart);
  const called = calls.map((call, at) => ({
    functionCall: { id: callId(message, call, at), name: call.name, args: objectField(call.args) },
  }));
  const responses = calls.flatMap((call, at) => responseParts(call, callId(message, call, at)));
  return [
    ...contentOf("model", [...thoughts, ...partsOf(message.content), ...called]),
    ...contentOf("user", responses),
  ];
}

const thoughtPart = ({ subject, description }: WireObject): WireObject => ({
  thought: true,
  text: [textField(subject), textField(description)].filter((text) => text !== undefined).join("\n"),
});

const callId = (message: WireObject, { id }: WireObject, at: number): string =>
  textField(id) ?? `${textField(message.id) ?? "call"}_${at}`;

/** Nothing for a call that got no answer; one that failed without saying more says what the screen showed. */
function responseParts(call: WireObject, id: string): unknown[] {
  const parts = partsOf(call.result ?? []);
  if (parts.some((part) => isObject(part) && isObject(part.functionResponse)))
    return parts.map((part) => respondTo(part, id));
  if (parts.length > 0)
    return [{ functionResponse: { id, name: call.name, response: { output: promptText(parts) ?? "" } } }];
  if (call.status !== "error" && call.status !== "cancelled") return [];
  const error =
    textField(call.resultDisplay) ?? `The call was ${call.status === "error" ? "not carried out" : "cancelled"}.`;
  return [{ functionResponse: { id, name: call.name, response: { error } } }];
}

function respondTo(part: unknown, id: string): unknown {
  if (!isObject(part) || !isObject(part.functionResponse)) return part;
  return { ...part, functionResponse: { ...part.functionResponse, id } };
}

/** A response that holds an `error` and nothing else is a failure. */
export function withErrors(messages: readonly Message[]): Message[] {
  return messages.map((message) =>
    message.role === "tool" ? { ...message, content: message.content.map(asError) } : message,
  );
}

function asError(part: ToolPart): ToolPart {
  if (part.type !== "tool-result" || part.output.type !== "json") return part;
  const { value } = part.output;
  if (!isObject(value) || typeof value.error !== "string" || Object.keys(value).length > 1) return part;
  return { ...part, output: { type: "error-text", value: value.error } };
}
