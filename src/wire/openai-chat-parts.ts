/** The content parts of Chat Completions: text, images, audio, files. */
import { customWords } from "../message/carried-words.js";
import { isObject } from "../message/plain-value.js";
import type { CustomPart, FilePart, ImagePart, TextPart, ToolContentPart, UserPart } from "../message/types.js";
import { isOpenAIImage, isRecording, openAIAudio, plainType } from "./accepted-media.js";
import { carried, carry, customPart, customValue, type Fields, faithful, layOver, unknownFields } from "./carried.js";
import {
  dataURLMediaType,
  filenameOf,
  imageType,
  isDataURL,
  isImage,
  isURL,
  type Media,
  mediaInWords,
  mediaToolContent,
  readMedia,
  sourceURL,
  standInName,
  toolContentMedia,
} from "./media.js";
import type { OpenAIAssistantPart, OpenAIContentPart } from "./openai-chat-types.js";
import type { WireObject } from "./value.js";

const TEXT_FIELDS: ReadonlySet<string> = new Set(["type", "text"]);
const MEDIA_FIELDS: ReadonlySet<string> = new Set(["type", "image_url", "input_audio", "file"]);

export function decodePart(wire: unknown): UserPart {
  if (!isObject(wire)) return customPart("openaiChat", wire);
  const part = wire.type === "text" ? decodeText(wire) : decodeMedia(wire);
  return faithful(part, encodePart, wire) ?? customPart("openaiChat", wire);
}

function decodeText(wire: WireObject): TextPart | undefined {
  if (typeof wire.text !== "string") return undefined;
  return { type: "text", text: wire.text, ...carry("openaiChat", unknownFields(wire, TEXT_FIELDS)) };
}

function decodeMedia(wire: WireObject): ImagePart | FilePart | undefined {
  const fields = unknownFields(wire, MEDIA_FIELDS);
  if (wire.type === "image_url" && isObject(wire.image_url)) return decodeImage(wire.image_url, fields);
  if (wire.type === "input_audio" && isObject(wire.input_audio)) return decodeAudio(wire.input_audio, fields);
  if (wire.type === "file" && isObject(wire.file)) return decodeFile(wire.file, fields);
  return undefined;
}

function decodeImage({ url, detail }: WireObject, fields: Fields | undefined): ImagePart | undefined {
  if (typeof url !== "string" || !(isURL(url) || isDataURL(url))) return undefined;
  const options = typeof detail === "string" ? { openai: { imageDetail: detail } } : undefined;
  const mediaType = isDataURL(url) ? { mediaType: dataURLMediaType(url) } : {};
  const image: ImagePart = { type: "image", image: url, ...mediaType };
  const own = isOpenAIImage(readMedia(image)) ? fields : { ...fields, type: "image_url" };
  return { ...image, ...carry("openaiChat", own, options) };
}

function decodeAudio({ data, format }: WireObject, fields: Fields | undefined): FilePart | undefined {
  if (typeof data !== "string" || typeof format !== "string") return undefined;
  const mediaType = format === "mp3" ? "audio/mpeg" : `audio/${format}`;
  const own = openAIAudio(mediaType) === format ? fields : { ...fields, type: "input_audio" };
  return { type: "file", data, mediaType, ...carry("openaiChat", own) };
}

function decodeFile(file: WireObject, fields: Fields | undefined): FilePart | undefined {
  const { file_data: data, file_id: id, filename } = file;
  const name = typeof filename === "string" ? { filename } : {};
  const options = carry("openaiChat", { ...fields, type: "file" });
  if (typeof data === "string" && isDataURL(data))
    return { type: "file", data, mediaType: dataURLMediaType(data), ...name, ...options };
  if (typeof id !== "string") return undefined;
  return { type: "file", data: { openai: id }, mediaType: "application/octet-stream", ...name, ...options };
}

/** Undefined for a custom part of another format. */
export function encodePart(part: UserPart): OpenAIContentPart | undefined {
  if (part.type === "custom") return encodeCustom(part);
  const fields = carried(part, "openaiChat");
  if (part.type === "text") return layOver({ type: "text", text: part.text }, fields);
  return layOver(encodeMedia(part, fields?.type), fields, MEDIA_FIELDS);
}

const encodeCustom = <T>(part: CustomPart): T | undefined => customValue<T>(part, "openaiChat");

/**
 * `own` is the type that the part came as from here: it stays that, be it one that OpenAI itself would refuse, and a
 * file has no name where it had none.
 */
function encodeMedia(part: ImagePart | FilePart, own: unknown): OpenAIContentPart {
  const media = readMedia(part);
  const { filename } = filenameOf(part);
  if (media.kind === "reference") return encodeReference(part, media.reference);
  if (isImage(part) && own !== "file") return encodeImage(part, media, own === "image_url");
  if (media.kind !== "base64") return inWords(part);
  const format = own === "file" ? undefined : audioFormat(media.mediaType, own === "input_audio");
  if (format !== undefined) return { type: "input_audio", input_audio: { data: media.data, format } };
  if (isRecording(media.mediaType) && own !== "file") return inWords(part);
  const name = filename ?? (own === "file" ? undefined : standInName(media.mediaType));
  return { type: "file", file: named({ file_data: sourceURL(part, media.mediaType, media.data) }, name) };
}

const inWords = (part: ImagePart | FilePart): OpenAIContentPart => ({ type: "text", text: mediaInWords(part) });

const named = <T extends object>(file: T, filename: string | undefined): T & { filename?: string } =>
  filename === undefined ? file : { ...file, filename };

function encodeImage(
  part: ImagePart | FilePart,
  media: Exclude<Media, { kind: "reference" }>,
  isOwn: boolean,
): OpenAIContentPart {
  if (media.kind === "text" || !(isOwn || isOpenAIImage(media))) return inWords(part);
  const url = media.kind === "url" ? media.url : sourceURL(part, plainType(imageType(media.mediaType)), media.data);
  const detail = part.providerOptions?.openai?.imageDetail;
  return { type: "image_url", image_url: { url, ...(isDetail(detail) && { detail }) } };
}

const isDetail = (value: unknown): value is "auto" | "low" | "high" => typeof value === "string";

const audioFormat = (mediaType: string, isOwn: boolean): "wav" | "mp3" | undefined =>
  isOwn ? (mediaType.slice("audio/".length) as "wav") : openAIAudio(mediaType);

/** A file kept by another provider cannot be named here; that it was there is said in words. */
function encodeReference(part: ImagePart | FilePart, { openai }: WireObject): OpenAIContentPart {
  if (typeof openai !== "string") return inWords(part);
  return { type: "file", file: named({ file_id: openai }, filenameOf(part).filename) };
}

const REFUSAL_FIELDS: ReadonlySet<string> = new Set(["type", "refusal"]);

/** A refusal is text that the assistant said; what it was on the wire is carried. */
export function decodeAssistantPart(wire: unknown): TextPart | CustomPart {
  if (!isObject(wire)) return customPart("openaiChat", wire);
  const part = wire.type === "text" ? decodeText(wire) : decodeRefusal(wire);
  return faithful(part, encodeAssistantPart, wire) ?? customPart("openaiChat", wire);
}

function decodeRefusal(wire: WireObject): TextPart | undefined {
  if (wire.type !== "refusal" || typeof wire.refusal !== "string") return undefined;
  const fields = { ...unknownFields(wire, REFUSAL_FIELDS), type: "refusal" };
  return { type: "text", text: wire.refusal, ...carry("openaiChat", fields) };
}

export function encodeAssistantPart(part: TextPart | CustomPart): OpenAIAssistantPart | undefined {
  if (part.type === "custom") return encodeCustom(part);
  const fields = carried(part, "openaiChat");
  if (fields?.type === "refusal") return layOver({ type: "refusal", refusal: part.text }, fields);
  return layOver({ type: "text", text: part.text }, fields);
}

export function decodeToolPart(wire: unknown): ToolContentPart {
  const part = decodePart(wire);
  if (part.type === "text") return { ...part };
  if (part.type === "custom") return { type: "custom", providerOptions: part.providerOptions };
  const content = faithful(mediaToolContent(part), encodeToolPart, wire);
  return content ?? { type: "custom", providerOptions: customPart("openaiChat", wire).providerOptions };
}

export function encodeToolPart(part: ToolContentPart): OpenAIContentPart | undefined {
  if (part.type === "custom") return customValue(part, "openaiChat") ?? { type: "text", text: customWords(part) };
  if (part.type === "text" && typeof part.text === "string")
    return encodePart({ type: "text", text: part.text, providerOptions: part.providerOptions });
  const media = toolContentMedia(part);
  return media && encodePart({ ...media, providerOptions: part.providerOptions });
}

/** The texts of a list of wire parts, for messages whose canonical content is a string. */
export const listText = (parts: readonly unknown[]): string =>
  parts.map((part) => (isObject(part) && typeof part.text === "string" ? part.text : "")).join("\n");
