import { z } from "zod";
import type { Message } from "../message/types.js";

/**
 * Messages that have been through JSON. What every reader relies on is checked; other fields are taken along as they
 * are, and the addresses of files become URLs again.
 */
const carried = { providerOptions: z.record(z.string(), z.record(z.string(), z.json().optional())).optional() };
const part = <T extends string, S extends z.ZodRawShape>(type: T, shape: S) =>
  z.looseObject({ type: z.literal(type), ...shape, ...carried });
const named = { toolCallId: z.string(), toolName: z.string() };

const bytes = z.object({ type: z.literal("data"), data: z.string() });
const reference = z.record(z.string(), z.string());
const url = z.url().transform((address) => new URL(address));
const fileData = z.union([
  z.string(),
  bytes,
  z.object({ type: z.literal("url"), url }),
  z.object({ type: z.literal("reference"), reference }),
  z.object({ type: z.literal("text"), text: z.string() }),
  reference,
]);
const output = z.discriminatedUnion("type", [
  z.looseObject({ type: z.enum(["text", "error-text"]), value: z.string() }),
  z.looseObject({ type: z.enum(["json", "error-json"]), value: z.json() }),
  z.looseObject({ type: z.literal("execution-denied") }),
  z.looseObject({ type: z.literal("content"), value: z.array(z.looseObject({ type: z.string() })) }),
]);

const text = part("text", { text: z.string() });
const file = part("file", { data: fileData, mediaType: z.string() });
const custom = part("custom", { kind: z.templateLiteral([z.string(), ".", z.string()]) });
const result = part("tool-result", { ...named, output });
const userPart = z.discriminatedUnion("type", [
  text,
  part("image", { image: z.union([z.string(), reference]) }),
  file,
  custom,
]);
const assistantPart = z.discriminatedUnion("type", [
  text,
  custom,
  file,
  part("reasoning", { text: z.string() }),
  part("reasoning-file", { data: z.union([z.string(), bytes]), mediaType: z.string() }),
  part("tool-call", { ...named, input: z.unknown().default({}) }),
  result,
  part("tool-approval-request", { approvalId: z.string(), toolCallId: z.string() }),
]);
const toolPart = z.discriminatedUnion("type", [
  result,
  part("tool-approval-response", { approvalId: z.string(), approved: z.boolean() }),
]);

export const messageSchema: z.ZodType<Message> = z.discriminatedUnion("role", [
  z.looseObject({ role: z.literal("system"), content: z.string(), ...carried }),
  z.looseObject({ role: z.literal("user"), content: z.union([z.string(), z.array(userPart)]), ...carried }),
  z.looseObject({ role: z.literal("assistant"), content: z.union([z.string(), z.array(assistantPart)]), ...carried }),
  z.looseObject({ role: z.literal("tool"), content: z.array(toolPart), ...carried }),
]);
