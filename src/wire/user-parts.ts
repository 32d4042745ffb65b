import { customText, customWords } from "../message/carried-words.js";
import type { AssistantPart, UserPart } from "../message/types.js";
import { customValue, type Format } from "./carried.js";
import { mediaInWords } from "./media.js";

/** How a format writes the parts of a user message. */
export interface PartsForm<Out> {
  /** Undefined for what the format has no place for. */
  encode(part: UserPart): Out | undefined;
  isSendable(encoded: Out): boolean;
  say(text: string): Out;
}

/**
 * The parts as a format writes them. Of what it has no place for, the texts are said; the rest is named in words where
 * the message would say nothing else.
 */
export function encodeUserParts<Out>(parts: readonly UserPart[], form: PartsForm<Out>): Out[] {
  const encoded = parts.map((part) => form.encode(part) ?? textOf(part, form));
  const sendable = encoded.filter((part) => part !== undefined).filter(form.isSendable);
  if (sendable.length > 0) return sendable;
  const unsaid = parts.filter(({ type }, at) => encoded[at] === undefined || type !== "text");
  return unsaid.length === 0 ? [] : [form.say(unsaid.map(inWords).join("\n"))];
}

function textOf<Out>(part: UserPart, form: PartsForm<Out>): Out | undefined {
  const text = part.type === "custom" ? customText(part) : "";
  return text === "" ? undefined : form.say(text);
}

function inWords(part: UserPart): string {
  if (part.type === "text") return part.text;
  return part.type === "custom" ? customWords(part) : mediaInWords(part);
}

/** An assistant's files, and its parts that are not of the format, in words; empty where it has none. */
export const unsaidInWords = (parts: readonly AssistantPart[], format: Format): string =>
  parts
    .filter((part) => part.type === "file" || part.type === "custom")
    .filter((part) => part.type === "file" || customValue(part, format) === undefined)
    .map(inWords)
    .join("\n");
