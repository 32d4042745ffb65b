import { copyValue } from "../../message/plain-value.js";
import type {
  FilePart,
  ImagePart,
  Message,
  TextPart,
  ToolOutput,
  ToolResultPart,
  UserPart,
} from "../../message/types.js";
import { isObject, listField, objectField, textField, type WireObject } from "./fields.js";
import type { Notes } from "./notes.js";
import { toolOutput } from "./pi-messages.js";
import { optionsOf } from "./provider-options.js";
import { StepBuilder } from "./step-builder.js";

/** Parts that tell of the work and are not sent to the model. */
const SILENT: ReadonlySet<unknown> = new Set([
  ...["step-finish", "snapshot", "patch", "agent", "retry", "compaction", "file"],
]);

/** The messages of one message of opencode, whose parts hold the calls with their results. */
export function opencodeMessages(info: WireObject, parts: readonly unknown[], notes: Notes): Message[] {
  const objects = parts.filter(isObject);
  if (info.role === "assistant") return assistantMessages(objects, notes);
  if (info.role !== "user") {
    notes.unknown(info.role);
    return [];
  }
  const content = objects.flatMap(userParts);
  return content.length > 0 ? [{ role: "user", content }] : [];
}

/** Text files and folders stand in texts of their own already. */
function userParts(part: WireObject): UserPart[] {
  if (part.type === "text" && typeof part.text === "string") return part.ignored === true ? [] : [textPart(part.text)];
  if (part.type === "subtask" && typeof part.prompt === "string") return [textPart(part.prompt)];
  if (part.type !== "file" || part.mime === "text/plain" || part.mime === "application/x-directory") return [];
  return filePart(part);
}

const textPart = (text: string): TextPart => ({ type: "text", text });

function filePart({ url, mime, filename }: WireObject): (ImagePart | FilePart)[] {
  if (typeof url !== "string") return [];
  const mediaType = textField(mime) ?? "application/octet-stream";
  if (mediaType.startsWith("image/")) return [{ type: "image", image: url, mediaType }];
  const name = textField(filename);
  return [{ type: "file", data: url, mediaType, ...(name !== undefined && { filename: name }) }];
}

function assistantMessages(parts: readonly WireObject[], notes: Notes): Message[] {
  const steps = new StepBuilder();
  for (const part of parts) addPart(steps, part, notes);
  return steps.finish();
}

function addPart(steps: StepBuilder, part: WireObject, notes: Notes): void {
  const { type, text, metadata } = part;
  if (type === "step-start") steps.endStep();
  else if (type === "tool") addTool(steps, part);
  else if ((type === "text" || type === "reasoning") && typeof text === "string")
    steps.add({ type, text, ...optionsOf(metadata) });
  else if (!SILENT.has(type)) notes.unknown(type);
}

function addTool(steps: StepBuilder, { callID, tool, state: stored, metadata }: WireObject): void {
  const state = objectField(stored);
  const toolCallId = textField(callID) ?? "";
  const toolName = textField(tool) ?? "";
  steps.add({ type: "tool-call", toolCallId, toolName, input: copyValue(state.input ?? {}), ...optionsOf(metadata) });
  const output = toolResult(state);
  if (output !== undefined)
    steps.answer({ type: "tool-result", toolCallId, toolName, output } satisfies ToolResultPart);
}

/** Undefined for a call that was still waiting or running. */
function toolResult(state: WireObject): ToolOutput | undefined {
  if (state.status === "error") return { type: "error-text", value: textField(state.error) ?? "" };
  if (state.status !== "completed") return undefined;
  const attachments = listField(state.attachments).flatMap((part) => (isObject(part) ? filePart(part) : []));
  return toolOutput([textPart(textField(state.output) ?? ""), ...attachments], false);
}
