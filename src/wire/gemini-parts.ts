/** The parts of Gemini but for calls and responses: text, thoughts, inline and referenced media. */
import { isObject } from "../message/plain-value.js";
import type {
  CustomPart,
  FilePart,
  ImagePart,
  JSONValue,
  ReasoningFilePart,
  ReasoningPart,
  TextPart,
} from "../message/types.js";
import { isGeminiMedia, plainType } from "./accepted-media.js";
import {
  carried,
  carry,
  customPart,
  customValue,
  type Fields,
  faithful,
  layOver,
  optionText,
  unknownFields,
} from "./carried.js";
import { camelCased, SPELLING, spelledAsCarried } from "./gemini-spelling.js";
import type { GeminiPart } from "./gemini-types.js";
import { imageType, isURL, mediaInWords, mediaTypeOfURL, readMedia, UNKNOWN_MEDIA } from "./media.js";
import type { WireObject } from "./value.js";

export type SimplePart = TextPart | ReasoningPart | ReasoningFilePart | FilePart | ImagePart | CustomPart;

const PART_FIELDS: ReadonlySet<string> = new Set(["text", "inlineData", "fileData", "thoughtSignature", "thought"]);
const INLINE_FIELDS: ReadonlySet<string> = new Set(["mimeType", "data"]);
const FILE_FIELDS: ReadonlySet<string> = new Set(["mimeType", "fileUri"]);
const NESTED: ReadonlySet<string> = new Set(["inlineData", "fileData"]);

/** `role` decides the form of an image: an assistant's message holds files only. */
export function decodePart(wire: unknown, role: "user" | "model"): SimplePart {
  const part = isObject(wire) ? decodeKnown(camelCased(wire), role) : undefined;
  return faithful(part, encodePart, wire) ?? customPart("gemini", wire);
}

function decodeKnown(wire: WireObject, role: "user" | "model"): SimplePart | undefined {
  if (typeof wire.text === "string") return decodeText(wire, wire.text, role);
  if (isObject(wire.inlineData)) return decodeInline(wire, wire.inlineData, role);
  return isObject(wire.fileData) ? decodeFile(wire, wire.fileData) : undefined;
}

function decodeText(wire: WireObject, text: string, role: "user" | "model"): SimplePart {
  const thought = role === "model" && wire.thought === true;
  return { type: thought ? "reasoning" : "text", text, ...partOptions(wire) };
}

function decodeInline(wire: WireObject, inline: WireObject, role: "user" | "model"): SimplePart | undefined {
  const { mimeType, data } = inline;
  if (typeof mimeType !== "string" || typeof data !== "string") return undefined;
  const options = partOptions(wire, { inlineData: unknownFields(inline, INLINE_FIELDS) });
  if (role === "model")
    return { type: wire.thought === true ? "reasoning-file" : "file", data, mediaType: mimeType, ...options };
  const image = mimeType.startsWith("image/") && mimeType !== "image/*";
  return image
    ? { type: "image", image: data, mediaType: mimeType, ...options }
    : { type: "file", data, mediaType: mimeType, ...options };
}

function decodeFile(wire: WireObject, file: WireObject): SimplePart | undefined {
  const { fileUri, mimeType } = file;
  if (typeof fileUri !== "string" || !isURL(fileUri)) return undefined;
  const fields = { ...unknownFields(file, FILE_FIELDS), ...(typeof mimeType !== "string" && { mimeType: false }) };
  const options = partOptions(wire, { fileData: Object.keys(fields).length > 0 ? fields : undefined });
  const mediaType = typeof mimeType === "string" ? mimeType : (mediaTypeOfURL(fileUri) ?? UNKNOWN_MEDIA);
  return { type: "file", data: fileUri, mediaType, ...options };
}

/** The signature, and the fields that varve does not know, of the part and of what is nested in it. */
export function partOptions(wire: WireObject, inner: Fields = {}, known = PART_FIELDS): ReturnType<typeof carry> {
  const fields: Fields = { ...unknownFields(wire, known) };
  for (const name in inner) if (inner[name] !== undefined) fields[name] = inner[name];
  if (wire.thought !== undefined) fields.thought = wire.thought as JSONValue;
  const signature = wire.thoughtSignature;
  const options = typeof signature === "string" ? { google: { thoughtSignature: signature } } : undefined;
  return carry("gemini", Object.keys(fields).length > 0 ? fields : undefined, options);
}

/** Undefined for what Gemini has no place for: foreign reasoning and foreign custom parts. */
export function encodePart(part: SimplePart): GeminiPart | undefined {
  if (part.type === "custom") return customValue(part, "gemini");
  const fields = carried(part, "gemini");
  const signature = optionText(part, "google", "thoughtSignature");
  const isThought = part.type === "reasoning" || part.type === "reasoning-file";
  if (isThought && signature === undefined && fields?.thought !== true) return undefined;
  const encoded = part.type === "text" || part.type === "reasoning" ? { text: part.text } : encodeMedia(part, fields);
  return encoded && finishPart(isThought ? { thought: true, ...encoded } : encoded, part, fields);
}

export function finishPart<T extends object>(encoded: T, part: object, fields: Fields | undefined): T {
  const signature = optionText(part, "google", "thoughtSignature");
  const signed = signature === undefined ? encoded : { ...encoded, thoughtSignature: signature };
  return spelledAsCarried(layOver(signed, fields, NESTED_ALL), fields);
}
const NESTED_ALL: ReadonlySet<string> = new Set([
  ...NESTED,
  "functionCall",
  "functionResponse",
  "thoughtSignature",
  SPELLING,
]);

function encodeMedia(
  part: ImagePart | FilePart | ReasoningFilePart,
  fields: Fields | undefined,
): GeminiPart | undefined {
  const media = readMedia(part.type === "reasoning-file" ? { ...part, type: "file" } : part);
  switch (media.kind) {
    case "text":
      return { text: media.text };
    case "reference":
      return inWords(part);
    case "base64": {
      const mimeType = plainType(part.type === "image" ? imageType(media.mediaType) : media.mediaType);
      if (!isGeminiMedia(mimeType)) return inWords(part);
      return { inlineData: layOver({ mimeType, data: media.data }, nested(fields?.inlineData)) };
    }
    case "url":
      return {
        fileData: layOver(
          { mimeType: urlType(media.url, media.mediaType), fileUri: media.url },
          nested(fields?.fileData),
        ),
      };
  }
}

const inWords = (part: ImagePart | FilePart | ReasoningFilePart): GeminiPart | undefined =>
  part.type === "reasoning-file" ? undefined : { text: mediaInWords(part) };

export const nested = (value: unknown): Fields | undefined => (isObject(value) ? (value as Fields) : undefined);

const urlType = (url: string, mediaType: string | undefined): string =>
  mediaType === undefined || mediaType === "image/*" || mediaType === "image"
    ? (mediaTypeOfURL(url) ?? "image/png")
    : mediaType;
