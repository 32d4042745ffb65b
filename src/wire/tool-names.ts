import type { Message } from "../message/types.js";
import { SendableTexts, type TextForm } from "./sendable-text.js";

/** The names of the tools that are called, as a format takes them. */
export const toolNames = (messages: readonly Message[], form: TextForm): SendableTexts =>
  new SendableTexts(form, () => fromCalls(messages, "toolName"));

/** The ids of calls as a format takes them that lets one stand in several messages. */
export const repeatableIds = (messages: readonly Message[], form: TextForm): SendableTexts =>
  new SendableTexts(form, () => fromCalls(messages, "toolCallId"));

const fromCalls = (messages: readonly Message[], field: "toolName" | "toolCallId"): string[] =>
  messages.flatMap(({ role, content }) =>
    role === "assistant" && typeof content !== "string"
      ? content.flatMap((part) => (part.type === "tool-call" ? [part[field]] : []))
      : [],
  );
