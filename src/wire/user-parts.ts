import type { AssistantPart, FilePart, ImagePart, UserPart } from "../message/types.js";
import { filenameOf, readMedia } from "./media.js";

/** How a format writes the parts of a user message. */
export interface PartsForm<Out> {
  /** Undefined for what the format has no place for. */
  encode(part: UserPart): Out | undefined;
  isSendable(encoded: Out): boolean;
  say(text: string): Out;
}

/** The parts as a format writes them; what it has no place for is said in words where the message would say nothing else. */
export function encodeUserParts<Out>(parts: readonly UserPart[], form: PartsForm<Out>): Out[] {
  const encoded = parts.map(form.encode);
  const sendable = encoded.filter((part) => part !== undefined).filter(form.isSendable);
  if (sendable.length > 0) return sendable;
  const unsaid = parts.filter((_, at) => encoded[at] === undefined);
  return unsaid.length === 0 ? [] : [form.say(unsaid.map(inWords).join("\n"))];
}

function inWords(part: UserPart): string {
  if (part.type === "text") return part.text;
  if (part.type === "custom") return `[part: ${part.kind}]`;
  return mediaInWords(part);
}

const mediaInWords = (part: ImagePart | FilePart): string =>
  `[file: ${filenameOf(part).filename ?? readMedia(part).mediaType ?? part.type}]`;

/** The files of an assistant in words, for formats where it can only speak; empty where it has none. */
export const filesInWords = (parts: readonly AssistantPart[]): string =>
  parts
    .filter((part) => part.type === "file")
    .map(mediaInWords)
    .join("\n");
