/** What providers refuse in a message of the assistant whatever stands around it, and what is shown instead. */
import { endsInReasoning, isOutput, isSignedReasoning } from "./content.js";
import { customLink } from "./custom-calls.js";
import type { Exchange } from "./exchanges.js";
import type { AssistantPart, Message } from "./types.js";

/** A message without answers to nobody and without signed reasoning that led to nothing; the very message where it has none. */
export function legalSpeech(message: Message, { strays }: Exchange): Message {
  if (message.role !== "assistant" || typeof message.content === "string") return message;
  const { content } = message;
  const asked = strays === undefined ? content : content.filter((part) => !strays.has(part));
  const legal = endsInReasoning(asked) ? withoutTrailing(asked) : asked;
  return legal.length === content.length ? message : { ...message, content: legal };
}

function withoutTrailing(parts: AssistantPart[]): AssistantPart[] {
  const last = parts.findLastIndex(isOutput);
  return parts.filter((part, at) => at <= last || !isSignedReasoning(part));
}

export interface SpeechRepair {
  readonly kind: "orphan-result" | "trailing-reasoning";
  readonly call?: string;
}

const NONE: readonly SpeechRepair[] = [];

/** What `legalSpeech` changes about a message. */
export function speechRepairs(message: Message, exchange: Exchange): readonly SpeechRepair[] {
  const legal = legalSpeech(message, exchange);
  if (legal === message || message.role !== "assistant" || typeof message.content === "string") return NONE;
  const { content } = message;
  const strays = content.filter((part) => exchange.strays?.has(part));
  const repairs: SpeechRepair[] = strays.map((part) => ({ kind: "orphan-result", ...callOf(part) }));
  if (legal.content.length < content.length - strays.length) repairs.push({ kind: "trailing-reasoning" });
  return repairs;
}

function callOf(part: AssistantPart): { call?: string } {
  const link = part.type === "custom" ? customLink(part) : undefined;
  return link === undefined ? {} : { call: link.id };
}
