import { z } from "zod";
import type { Message } from "../message/types.js";

/**
 * Messages that have been through JSON. What every reader relies on is checked; other fields are taken along as they
 * are, and the addresses of files become URLs again.
 */
const providerOptions = z.record(z.string(), z.record(z.string(), z.json().optional())).optional();
const reference = z.record(z.string(), z.string());
const url = z.url().transform((address) => new URL(address));
const fileData = z.union([
  z.string(),
  z.object({ type: z.literal("data"), data: z.string() }),
  z.object({ type: z.literal("url"), url }),
  z.object({ type: z.literal("reference"), reference }),
  z.object({ type: z.literal("text"), text: z.string() }),
  reference,
]);

const text = z.looseObject({ type: z.literal("text"), text: z.string(), providerOptions });
const image = z.looseObject({ type: z.literal("image"), image: z.union([z.string(), reference]), providerOptions });
const file = z.looseObject({ type: z.literal("file"), data: fileData, mediaType: z.string(), providerOptions });
const custom = z.looseObject({
  type: z.literal("custom"),
  kind: z.templateLiteral([z.string(), ".", z.string()]),
  providerOptions,
});
const reasoning = z.looseObject({ type: z.literal("reasoning"), text: z.string(), providerOptions });
const reasoningFile = z.looseObject({
  type: z.literal("reasoning-file"),
  data: z.union([z.string(), z.object({ type: z.literal("data"), data: z.string() })]),
  mediaType: z.string(),
  providerOptions,
});
const toolCall = z.looseObject({
  type: z.literal("tool-call"),
  toolCallId: z.string(),
  toolName: z.string(),
  input: z.unknown().default({}),
  providerOptions,
});
const output = z.discriminatedUnion("type", [
  z.looseObject({ type: z.enum(["text", "error-text"]), value: z.string() }),
  z.looseObject({ type: z.enum(["json", "error-json"]), value: z.json() }),
  z.looseObject({ type: z.literal("execution-denied") }),
  z.looseObject({ type: z.literal("content"), value: z.array(z.looseObject({ type: z.string() })) }),
]);
const toolResult = z.looseObject({
  type: z.literal("tool-result"),
  toolCallId: z.string(),
  toolName: z.string(),
  output,
  providerOptions,
});
const approvalRequest = z.looseObject({
  type: z.literal("tool-approval-request"),
  approvalId: z.string(),
  toolCallId: z.string(),
});
const approvalResponse = z.looseObject({
  type: z.literal("tool-approval-response"),
  approvalId: z.string(),
  approved: z.boolean(),
});

const userPart = z.discriminatedUnion("type", [text, image, file, custom]);
const assistantPart = z.discriminatedUnion("type", [
  text,
  custom,
  file,
  reasoning,
  reasoningFile,
  toolCall,
  toolResult,
  approvalRequest,
]);
const toolPart = z.discriminatedUnion("type", [toolResult, approvalResponse]);

export const messageSchema: z.ZodType<Message> = z.discriminatedUnion("role", [
  z.looseObject({ role: z.literal("system"), content: z.string(), providerOptions }),
  z.looseObject({ role: z.literal("user"), content: z.union([z.string(), z.array(userPart)]), providerOptions }),
  z.looseObject({
    role: z.literal("assistant"),
    content: z.union([z.string(), z.array(assistantPart)]),
    providerOptions,
  }),
  z.looseObject({ role: z.literal("tool"), content: z.array(toolPart), providerOptions }),
]);
