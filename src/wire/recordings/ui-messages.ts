/**
 * The AI SDK's `UIMessage`, as its `convertToModelMessages` reads it: steps apart at `step-start`, calls with their
 * results in one part whose `state` tells how far it came. Version 4 has `tool-invocation` parts, `toolInvocations`
 * beside the content, and `experimental_attachments`.
 */
import { copyValue } from "../../message/plain-value.js";
import type { FilePart, Message, ToolOutput, UserPart } from "../../message/types.js";
import { isObject, listField, objectField, textField, type WireObject } from "./fields.js";
import type { Notes } from "./notes.js";
import { optionsOf } from "./provider-options.js";
import { StepBuilder } from "./step-builder.js";

/** Parts for the screen. */
const SILENT = /^(?:data-|source)/;

export function fromUIMessage(message: WireObject, notes: Notes): Message[] {
  const parts = partsOf(message);
  if (message.role === "assistant") return assistantMessages(parts, notes);
  if (message.role === "system") return [{ role: "system", content: textOf(parts), ...optionsOf(message.metadata) }];
  if (message.role !== "user") {
    notes.unknown(message.role);
    return [];
  }
  const content = parts.flatMap((part) => userParts(part, notes));
  return content.length > 0 ? [{ role: "user", content }] : [];
}

function partsOf({ parts, content, toolInvocations, experimental_attachments: attachments }: WireObject): WireObject[] {
  const files = listField(attachments).map((file) => ({ type: "file", ...objectField(file) }));
  const spoken = Array.isArray(parts) ? parts : [{ type: "text", text: content }];
  const calls = Array.isArray(parts)
    ? []
    : listField(toolInvocations).map((toolInvocation) => ({ type: "tool-invocation", toolInvocation }));
  return [...spoken, ...files, ...calls].filter(isObject);
}

const textOf = (parts: readonly WireObject[]): string =>
  parts.map(({ type, text }) => (type === "text" && typeof text === "string" ? text : "")).join("");

function userParts(part: WireObject, notes: Notes): UserPart[] {
  if (part.type === "text" && typeof part.text === "string")
    return part.text === "" ? [] : [{ type: "text", text: part.text, ...optionsOf(part.providerMetadata) }];
  if (part.type === "file") return fileParts(part);
  skip(part, notes);
  return [];
}

function fileParts(part: WireObject): FilePart[] {
  const data = textField(part.url) ?? textField(part.data);
  if (data === undefined) return [];
  const mediaType = textField(part.mediaType) ?? textField(part.mimeType) ?? textField(part.contentType);
  const filename = textField(part.filename) ?? textField(part.name);
  return [
    {
      type: "file",
      data,
      mediaType: mediaType ?? "application/octet-stream",
      ...(filename !== undefined && { filename }),
      ...optionsOf(part.providerMetadata),
    },
  ];
}

function skip({ type }: WireObject, notes: Notes): void {
  if (typeof type !== "string" || !SILENT.test(type)) notes.unknown(type);
}

function assistantMessages(parts: readonly WireObject[], notes: Notes): Message[] {
  const steps = new StepBuilder();
  for (const part of parts) addPart(steps, part, notes);
  return steps.finish();
}

function addPart(steps: StepBuilder, part: WireObject, notes: Notes): void {
  const type = textField(part.type) ?? "";
  if (type === "step-start") steps.endStep();
  else if (type === "text" && typeof part.text === "string") {
    if (part.text !== "") steps.add({ type, text: part.text, ...optionsOf(part.providerMetadata) });
  } else if (type === "reasoning") addReasoning(steps, part);
  else if (type === "file") steps.add(...fileParts(part));
  else if (type === "tool-invocation") addInvocation(steps, objectField(part.toolInvocation));
  else if (type === "dynamic-tool") addTool(steps, part, textField(part.toolName) ?? "");
  else if (type.startsWith("tool-")) addTool(steps, part, type.slice("tool-".length));
  else skip(part, notes);
}

/** Version 4 keeps the text in `reasoning`, and signed paragraphs of it in `details`. */
function addReasoning(steps: StepBuilder, part: WireObject): void {
  const details = listField(part.details).filter(isObject);
  for (const { type, text, signature, data } of details) {
    const anthropic = type === "redacted" ? { redactedData: data } : { signature };
    const signed = typeof (data ?? signature) === "string" ? optionsOf({ anthropic }) : {};
    steps.add({ type: "reasoning", text: textField(text) ?? "", ...signed });
  }
  const text = part.text ?? part.reasoning;
  if (details.length === 0 && typeof text === "string")
    steps.add({ type: "reasoning", text, ...optionsOf(part.providerMetadata) });
}

function addTool(steps: StepBuilder, part: WireObject, toolName: string): void {
  if (part.state === "input-streaming") return;
  const call = { toolCallId: textField(part.toolCallId) ?? "", toolName };
  const executed = part.providerExecuted === true;
  steps.add({
    type: "tool-call",
    ...call,
    input: copyValue(part.input ?? part.rawInput ?? {}),
    ...(executed && { providerExecuted: true }),
    ...optionsOf(part.callProviderMetadata),
  });
  const output = outputOf(part);
  if (output === undefined) return;
  if (executed) steps.add({ type: "tool-result", ...call, output, ...optionsOf(part.resultProviderMetadata) });
  else steps.answer({ type: "tool-result", ...call, output, ...optionsOf(part.callProviderMetadata) });
}

function outputOf(part: WireObject): ToolOutput | undefined {
  switch (part.state) {
    case "output-available":
      return valueOutput(part.output);
    case "output-error":
      return { type: "error-text", value: textField(part.errorText) ?? "" };
    case "output-denied":
      return { type: "error-text", value: textField(objectField(part.approval).reason) ?? "Tool execution denied." };
    default:
      return undefined;
  }
}

const valueOutput = (value: unknown): ToolOutput =>
  typeof value === "string" ? { type: "text", value } : { type: "json", value: copyValue(value ?? null) };

function addInvocation(steps: StepBuilder, { state, toolCallId, toolName, args, result }: WireObject): void {
  if (state === "partial-call") return;
  const call = { toolCallId: textField(toolCallId) ?? "", toolName: textField(toolName) ?? "" };
  steps.add({ type: "tool-call", ...call, input: copyValue(args ?? {}) });
  if (state === "result") steps.answer({ type: "tool-result", ...call, output: valueOutput(result) });
}
