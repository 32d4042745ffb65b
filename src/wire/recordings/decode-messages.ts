import type { Message } from "../../message/types.js";
import { fromAISDK } from "../ai-sdk.js";
import { fromAnthropic } from "../anthropic.js";
import { fromGemini } from "../gemini.js";
import { fromOpenAI } from "../openai-chat.js";
import { fromOpenAIResponses } from "../openai-responses.js";
import { attemptDecode } from "./conversation-builder.js";
import { isObject } from "./fields.js";
import type { Dialect } from "./message-dialect.js";
import type { Notes } from "./notes.js";
import { fromUIMessage } from "./ui-messages.js";

type Decode = (messages: readonly unknown[]) => Message[];

const DECODERS: Readonly<Record<Exclude<Dialect, "ai-sdk-ui">, Decode>> = {
  openai: fromOpenAI,
  anthropic: fromAnthropic,
  gemini: fromGemini,
  "ai-sdk": fromAISDK,
  "openai-responses": fromOpenAIResponses,
};

/** Reads a list in a known format. A message that it does not allow is left out with a warning, and the others stay. */
export function decodeMessages(messages: readonly unknown[], dialect: Dialect, notes: Notes): Message[] {
  const decode = decoderOf(dialect, notes);
  try {
    return decode(messages);
  } catch {
    const sound = messages.filter((message) => attemptDecode(() => decode([message]), notes) !== undefined);
    return attemptDecode(() => decode(sound), notes) ?? [];
  }
}

const decoderOf = (dialect: Dialect, notes: Notes): Decode =>
  dialect === "ai-sdk-ui"
    ? (messages) => messages.flatMap((message) => (isObject(message) ? fromUIMessage(message, notes) : []))
    : DECODERS[dialect];
