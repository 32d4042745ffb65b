import { outputText } from "../message/content.js";
import { argumentsText } from "../message/tool-call.js";
import type { Message, Part } from "../message/types.js";
import type { TokenCounter } from "../tokens/counter.js";
import type { Summary } from "./summariser.js";

/** What a summary is held against. */
export interface VerifySource {
  readonly messages: readonly Message[];
  /** The summary that was carried on: it was checked when it was made. */
  readonly previous?: string;
  readonly counter: TokenCounter;
  /** Why the model stopped writing, where it said so. */
  readonly finish?: Summary["finish"];
  /** The most tokens that the summary may have. */
  readonly maxTokens?: number;
}

/** Who says a thing: a call is what the agent did, a result what the world answered. */
export type Speaker = "user" | "agent" | "system" | "call" | "result";

export interface Spoken {
  readonly speaker: Speaker;
  readonly text: string;
}

/** All that is said in the messages, in order. */
export function spokenIn(messages: readonly Message[]): Spoken[] {
  return messages.flatMap((message) => {
    const speaker = SPEAKERS[message.role];
    if (typeof message.content === "string") return [{ speaker, text: message.content }];
    return message.content.flatMap((part) => spokenPart(part, speaker));
  });
}

const SPEAKERS: Readonly<Record<Message["role"], Speaker>> = {
  user: "user",
  assistant: "agent",
  system: "system",
  tool: "result",
};

function spokenPart(part: Part, speaker: Speaker): Spoken[] {
  if (part.type === "text" || part.type === "reasoning") return [{ speaker, text: part.text }];
  if (part.type === "tool-call") return [{ speaker: "call", text: `${part.toolName} ${argumentsText(part)}` }];
  if (part.type === "tool-result") return [{ speaker: "result", text: outputText(part.output) }];
  return part.type === "file" && part.filename !== undefined ? [{ speaker, text: part.filename }] : [];
}
