import type { Message } from "../message/types.js";
import { SendableTexts, type TextForm } from "./sendable-text.js";

/** The names of the tools that are called, as a format takes them. */
export const toolNames = (messages: readonly Message[], form: TextForm): SendableTexts =>
  new SendableTexts(form, () => fromCalls(messages));

const fromCalls = (messages: readonly Message[]): string[] =>
  messages.flatMap(({ role, content }) =>
    role === "assistant" && typeof content !== "string"
      ? content.flatMap((part) => (part.type === "tool-call" ? [part.toolName] : []))
      : [],
  );
