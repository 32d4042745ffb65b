/** The content parts of the Responses API: what a user sends, what a tool returns, what the assistant said. */
import { customWords } from "../message/carried-words.js";
import { isObject } from "../message/plain-value.js";
import type { CustomPart, FilePart, ImagePart, TextPart, ToolContentPart, UserPart } from "../message/types.js";
import { isOpenAIImage, isRecording, isWebURL, plainType } from "./accepted-media.js";
import { carried, carry, customPart, customValue, type Fields, faithful, layOver, unknownFields } from "./carried.js";
import {
  dataURLMediaType,
  filenameOf,
  imageType,
  isDataURL,
  isImage,
  type Media,
  mediaInWords,
  mediaToolContent,
  mediaTypeOfURL,
  readMedia,
  sourceURL,
  standInName,
  toolContentMedia,
  UNKNOWN_MEDIA,
} from "./media.js";
import type { ResponsesInputPart, ResponsesOutputPart } from "./openai-responses-types.js";
import type { WireObject } from "./value.js";

const TEXT_FIELDS: ReadonlySet<string> = new Set(["type", "text"]);
const URL_FIELDS: ReadonlySet<string> = new Set(["type", "image_url", "detail"]);
const ID_FIELDS: ReadonlySet<string> = new Set(["type", "file_id", "detail"]);
const REFUSAL_FIELDS: ReadonlySet<string> = new Set(["type", "refusal"]);
const ITEM: ReadonlySet<string> = new Set(["item"]);

export function decodeInput(wire: unknown): UserPart {
  const part = isObject(wire) ? decodeKnown(wire) : undefined;
  return faithful(part, encodeInput, wire) ?? customPart("openaiResponses", wire);
}

function decodeKnown(wire: WireObject): UserPart | undefined {
  if (wire.type === "input_image") return decodeImage(wire);
  if (wire.type === "input_file") return decodeFile(wire);
  if (wire.type !== "input_text" || typeof wire.text !== "string") return undefined;
  return { type: "text", text: wire.text, ...carry("openaiResponses", unknownFields(wire, TEXT_FIELDS)) };
}

function decodeImage(wire: WireObject): ImagePart | undefined {
  const { image_url: url, file_id: id, detail } = wire;
  const options = typeof detail === "string" ? { openai: { imageDetail: detail } } : undefined;
  if (typeof url === "string") {
    const mediaType = isDataURL(url) ? { mediaType: dataURLMediaType(url) } : {};
    const image: ImagePart = { type: "image", image: url, ...mediaType };
    const fields = unknownFields(wire, URL_FIELDS);
    const own = isOpenAIImage(readMedia(image)) ? fields : { ...fields, type: "input_image" };
    return { ...image, ...carry("openaiResponses", own, options) };
  }
  if (typeof id !== "string") return undefined;
  return { type: "image", image: { openai: id }, ...carry("openaiResponses", unknownFields(wire, ID_FIELDS), options) };
}

function decodeFile(wire: WireObject): FilePart | undefined {
  const { filename } = wire;
  const source = fileSource(wire);
  if (source === undefined) return undefined;
  const fields = unknownFields(wire, new Set(["type", "filename", source.field]));
  const options = carry("openaiResponses", { ...fields, type: "input_file" });
  const name = typeof filename === "string" ? { filename } : {};
  return { type: "file", data: source.data, mediaType: source.mediaType, ...name, ...options };
}

interface Source {
  field: string;
  data: FilePart["data"];
  mediaType: string;
}

function fileSource({ file_data: data, file_url: url, file_id: id }: WireObject): Source | undefined {
  if (typeof data === "string") return { field: "file_data", data, mediaType: dataURLMediaType(data) };
  if (typeof url === "string") return { field: "file_url", data: url, mediaType: mediaTypeOfURL(url) ?? UNKNOWN_MEDIA };
  return typeof id === "string" ? { field: "file_id", data: { openai: id }, mediaType: UNKNOWN_MEDIA } : undefined;
}

/** Undefined for a custom part of another format. */
export function encodeInput(part: UserPart): ResponsesInputPart | undefined {
  if (part.type === "custom") return customValue(part, "openaiResponses");
  const fields = carried(part, "openaiResponses");
  if (part.type === "text") return layOver({ type: "input_text", text: part.text }, fields);
  const media = readMedia(part);
  const asImage = isImage(part) && fields?.type !== "input_file";
  const isOwn = fields?.type === "input_file" || fields?.type === "input_image";
  if (media.kind === "text" || isForeign(media) || !(isOwn || (asImage ? isOpenAIImage(media) : isFile(media))))
    return { type: "input_text", text: mediaInWords(part) };
  return layOver(asImage ? encodeImage(part, media) : encodeFile(part, media, isOwn), fields);
}

/** A file kept by another provider cannot be named here; that it was there is said in words. */
const isForeign = (media: Media): boolean => media.kind === "reference" && typeof media.reference.openai !== "string";

/** Whether the API takes a file that is no image. */
const isFile = (media: Media): boolean =>
  !isRecording(media.mediaType) && (media.kind !== "url" || isWebURL(media.url));

type Binary = Exclude<Media, { kind: "text" }>;

function encodeImage(part: ImagePart | FilePart, media: Binary): ResponsesInputPart {
  const detail = part.providerOptions?.openai?.imageDetail;
  const more = isDetail(detail) ? { detail } : {};
  if (media.kind === "reference") return { type: "input_image", file_id: referenceOf(media.reference), ...more };
  const url = media.kind === "url" ? media.url : sourceURL(part, plainType(imageType(media.mediaType)), media.data);
  return { type: "input_image", image_url: url, ...more };
}

const isDetail = (value: unknown): value is "auto" | "low" | "high" => typeof value === "string";
const referenceOf = (reference: WireObject): string => (typeof reference.openai === "string" ? reference.openai : "");

/** The API refuses data without a name. `isOwn` says that the part came from here: it has none where it had none. */
function encodeFile(part: ImagePart | FilePart, media: Binary, isOwn: boolean): ResponsesInputPart {
  const needsName = media.kind === "base64" && !isOwn;
  const filename = filenameOf(part).filename ?? (needsName ? standInName(media.mediaType) : undefined);
  const name = filename === undefined ? {} : { filename };
  if (media.kind === "reference") return { type: "input_file", file_id: referenceOf(media.reference), ...name };
  if (media.kind === "url") return { type: "input_file", file_url: media.url, ...name };
  return { type: "input_file", file_data: sourceURL(part, media.mediaType, media.data), ...name };
}

export function decodeToolInput(wire: unknown): ToolContentPart {
  const part = decodeInput(wire);
  if (part.type === "text") return { ...part };
  const content = part.type === "custom" ? undefined : faithful(mediaToolContent(part), encodeToolInput, wire);
  return content ?? { type: "custom", providerOptions: customPart("openaiResponses", wire).providerOptions };
}

export function encodeToolInput(part: ToolContentPart): ResponsesInputPart | undefined {
  if (part.type === "custom")
    return customValue(part, "openaiResponses") ?? { type: "input_text", text: customWords(part) };
  const { providerOptions } = part;
  if (part.type === "text" && typeof part.text === "string")
    return encodeInput({ type: "text", text: part.text, providerOptions });
  const media = toolContentMedia(part);
  return media && encodeInput({ ...media, providerOptions });
}

/** `item` says which message item the part belongs to, and travels with the part's own fields. */
export function decodeOutput(wire: unknown, item: Fields | "same"): TextPart | CustomPart {
  const part = isObject(wire) ? decodeSpoken(wire, item) : undefined;
  return faithful(part, encodeOutput, wire) ?? customPart("openaiResponses", wire, { item });
}

function decodeSpoken(wire: WireObject, item: Fields | "same"): TextPart | undefined {
  if (wire.type === "output_text" && typeof wire.text === "string") {
    const fields = { ...unknownFields(wire, TEXT_FIELDS), item };
    return { type: "text", text: wire.text, ...carry("openaiResponses", fields) };
  }
  if (wire.type !== "refusal" || typeof wire.refusal !== "string") return undefined;
  const fields = { ...unknownFields(wire, REFUSAL_FIELDS), type: "refusal", item };
  return { type: "text", text: wire.refusal, ...carry("openaiResponses", fields) };
}

export function encodeOutput(part: TextPart | CustomPart): ResponsesOutputPart | undefined {
  if (part.type === "custom") return customValue(part, "openaiResponses");
  const fields = carried(part, "openaiResponses");
  if (fields?.type === "refusal") return layOver({ type: "refusal", refusal: part.text }, fields, ITEM);
  return layOver({ type: "output_text", text: part.text }, fields, ITEM);
}

/** The texts of a wire content, for messages whose canonical content is a string. */
export function textOf(content: unknown): string {
  if (!Array.isArray(content)) return typeof content === "string" ? content : "";
  return content.map((part) => (isObject(part) && typeof part.text === "string" ? part.text : "")).join("\n");
}
