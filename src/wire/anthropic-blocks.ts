/** Text, images and documents: the blocks that stand in messages and in tool results alike. */
import { customWords } from "../message/carried-words.js";
import { isObject } from "../message/plain-value.js";
import type {
  FilePart,
  ImagePart,
  JSONValue,
  ProviderOptions,
  TextPart,
  ToolContentPart,
  UserPart,
} from "../message/types.js";
import { isCommonImage, isWebURL, plainType } from "./accepted-media.js";
import type { AnthropicContentBlock, AnthropicDocumentSource, AnthropicImageSource } from "./anthropic-types.js";
import { carried, carry, customPart, customValue, faithful, layOver, unknownFields } from "./carried.js";
import {
  filenameOf,
  imageType,
  isImage,
  type Media,
  mediaInWords,
  mediaToolContent,
  mediaTypeOfURL,
  readMedia,
  toolContentMedia,
  UNKNOWN_MEDIA,
} from "./media.js";
import type { WireObject } from "./value.js";

const TEXT_FIELDS: ReadonlySet<string> = new Set(["type", "text"]);
const IMAGE_FIELDS: ReadonlySet<string> = new Set(["type", "source"]);
const DOCUMENT_FIELDS: ReadonlySet<string> = new Set(["type", "source", "title"]);
const TITLE: ReadonlySet<string> = new Set(["title"]);

interface Holder {
  readonly providerOptions?: ProviderOptions;
}

/** What every block may hold beside its own fields: what varve does not know. */
export const blockOptions = (
  wire: WireObject,
  known: ReadonlySet<string>,
  own?: { [key: string]: JSONValue },
): Holder => carry("anthropic", unknownFields(wire, known), own && { anthropic: own });

export function decodeBlock(wire: unknown): UserPart {
  const part = isObject(wire) ? decodeKnown(wire) : undefined;
  const plain = faithful(part, encodeBlock, wire);
  return plain ?? faithful(part && ownMedia(part), encodeBlock, wire) ?? customPart("anthropic", wire);
}

/** Media with the mark of the block that it came as: it goes back as that, be it one that Anthropic itself refuses. */
function ownMedia(part: UserPart): UserPart | undefined {
  if (part.type !== "image" && part.type !== "file") return undefined;
  const fields = { ...carried(part, "anthropic"), type: part.type === "image" ? "image" : "document" };
  return { ...part, ...carry("anthropic", fields, part.providerOptions) };
}

function decodeKnown(wire: WireObject): UserPart | undefined {
  if (wire.type === "text") return decodeText(wire);
  if (wire.type === "image" && isObject(wire.source)) return decodeImage(wire, wire.source);
  if (wire.type === "document" && isObject(wire.source)) return decodeDocument(wire, wire.source);
  return undefined;
}

export function decodeText(wire: WireObject): TextPart | undefined {
  if (typeof wire.text !== "string") return undefined;
  return { type: "text", text: wire.text, ...blockOptions(wire, TEXT_FIELDS) };
}

function decodeImage(wire: WireObject, source: WireObject): ImagePart | undefined {
  const options = blockOptions(wire, IMAGE_FIELDS);
  const { data, media_type: mediaType, url, file_id: id } = source;
  if (typeof data === "string" && typeof mediaType === "string")
    return { type: "image", image: data, mediaType, ...options };
  if (typeof url === "string") return { type: "image", image: url, ...options };
  return typeof id === "string" ? { type: "image", image: { anthropic: id }, ...options } : undefined;
}

function decodeDocument(wire: WireObject, source: WireObject): FilePart | undefined {
  const data = documentData(source);
  if (data === undefined) return undefined;
  const mediaType = typeof source.media_type === "string" ? source.media_type : "application/pdf";
  const filename = typeof wire.title === "string" ? { filename: wire.title } : {};
  return { type: "file", data, mediaType, ...filename, ...blockOptions(wire, DOCUMENT_FIELDS) };
}

function documentData({ type, data, url, file_id: id }: WireObject): FilePart["data"] | undefined {
  if (type === "text" && typeof data === "string") return { type: "text", text: data };
  if (type === "base64" && typeof data === "string") return data;
  if (type === "url" && typeof url === "string") return url;
  return type === "file" && typeof id === "string" ? { anthropic: id } : undefined;
}

/** Undefined for what the API has no place for. */
export function encodeBlock(part: UserPart): AnthropicContentBlock | undefined {
  if (part.type === "custom") return customValue(part, "anthropic");
  const fields = carried(part, "anthropic");
  if (part.type === "text") return layOver({ type: "text", text: part.text }, fields);
  const media = readMedia(part);
  const own = fields?.type;
  const showsImage = own === undefined ? isImage(part) : own === "image";
  const image = showsImage ? imageSource(media, own !== undefined) : undefined;
  if (image !== undefined) return layOver({ type: "image", source: image }, fields);
  const source = showsImage ? undefined : documentSource(media, own !== undefined);
  if (source === undefined) return { type: "text", text: mediaInWords(part) };
  const { filename } = filenameOf(part);
  const title = filename === undefined ? {} : { title: filename };
  return layOver({ type: "document", source, ...title }, fields, TITLE);
}

/** Undefined for what the API refuses, unless it came from there. */
function imageSource(media: Media, isOwn: boolean): AnthropicImageSource | undefined {
  if (media.kind === "url") return isOwn || isWebURL(media.url) ? { type: "url", url: media.url } : undefined;
  if (media.kind === "reference") return storedFile(media.reference);
  if (media.kind !== "base64") return undefined;
  const type = imageType(media.mediaType);
  if (!isOwn && !isCommonImage(type)) return undefined;
  return { type: "base64", media_type: (isOwn ? media.mediaType : plainType(type)) as "image/png", data: media.data };
}

/** The same for documents. */
function documentSource(media: Media, isOwn: boolean): AnthropicDocumentSource | undefined {
  switch (media.kind) {
    case "url":
      return isOwn || (isWebURL(media.url) && isLinkedPDF(media)) ? { type: "url", url: media.url } : undefined;
    case "text":
      return { type: "text", media_type: (isOwn ? media.mediaType : "text/plain") as "text/plain", data: media.text };
    case "reference":
      return storedFile(media.reference);
    case "base64":
      return isOwn
        ? { type: "base64", media_type: media.mediaType as "application/pdf", data: media.data }
        : encodeDocument(media.data, media.mediaType);
  }
}

const storedFile = ({ anthropic: id }: { readonly [provider: string]: unknown }) =>
  typeof id === "string" ? ({ type: "file", file_id: id } as const) : undefined;

/** Documents behind links are PDFs; a link of no known type is taken for one. */
function isLinkedPDF({ url, mediaType = UNKNOWN_MEDIA }: Extract<Media, { kind: "url" }>): boolean {
  const type = plainType(mediaType);
  return (type === UNKNOWN_MEDIA ? (mediaTypeOfURL(url) ?? PDF) : type) === PDF;
}

const PDF = "application/pdf";

function encodeDocument(data: string, mediaType: string): AnthropicDocumentSource | undefined {
  const type = plainType(mediaType);
  if (type.startsWith("text/")) return { type: "text", media_type: "text/plain", data: textOf(data) };
  return type === PDF ? { type: "base64", media_type: type, data } : undefined;
}

function textOf(base64: string): string {
  try {
    return new TextDecoder().decode(Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)));
  } catch {
    return base64;
  }
}

export function decodeToolBlock(wire: unknown): ToolContentPart {
  const part = decodeBlock(wire);
  if (part.type === "text") return { ...part };
  const content = part.type === "custom" ? undefined : faithful(mediaToolContent(part), encodeToolBlock, wire);
  return content ?? { type: "custom", providerOptions: customPart("anthropic", wire).providerOptions };
}

export function encodeToolBlock(part: ToolContentPart): AnthropicContentBlock | undefined {
  if (part.type === "custom") return customValue(part, "anthropic") ?? { type: "text", text: customWords(part) };
  const { providerOptions } = part;
  if (part.type === "text" && typeof part.text === "string")
    return encodeBlock({ type: "text", text: part.text, providerOptions });
  const media = toolContentMedia(part);
  return media && encodeBlock({ ...media, providerOptions });
}
