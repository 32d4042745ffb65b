import { z } from "zod";
import { messageText } from "../message/content.js";
import type { AssistantMessage, Message } from "../message/types.js";

/** Opens the text of every summary that stands in for earlier turns. */
const COMPACTED_MARK = "[COMPACTED_CONTEXT]";

/** What a summary stands in for, kept under `providerOptions.varve.compacted`. */
export interface Compacted {
  /** 1 for a summary of messages, one more for each summary that went into it. */
  readonly level: number;
  /** How many messages it stands in for, those of the summaries before it included. */
  readonly messages: number;
  /** Tokens of what it replaced, the summary before it included. */
  readonly tokensBefore: number;
}

/** The summary as an assistant's message, marked in its text and in its metadata. */
export const compactedMessage = (text: string, { level, messages, tokensBefore }: Compacted): AssistantMessage => ({
  role: "assistant",
  content: `${COMPACTED_MARK}\n${text}`,
  providerOptions: { varve: { compacted: { level, messages, tokensBefore } } },
});

/** Metadata may get lost: the mark in the text is enough. */
const metadata = z.object({ level: z.number(), messages: z.number() }).catch({ level: 1, messages: 0 });

/** Reads a message as a summary, its text without the mark; undefined where it is none. */
export function readCompacted(message: Message | undefined) {
  if (message?.role !== "assistant") return undefined;
  const text = messageText(message);
  if (!text.startsWith(COMPACTED_MARK)) return undefined;
  return { message, text: withoutMark(text), ...metadata.parse(message.providerOptions?.varve?.compacted) };
}

/** The words of a summary, whether it came with the mark or without. */
export function withoutMark(text: string): string {
  const trimmed = text.trim();
  return trimmed.startsWith(COMPACTED_MARK) ? trimmed.slice(COMPACTED_MARK.length).trim() : trimmed;
}
