/** Text, images and documents: the blocks that stand in messages and in tool results alike. */
import { copyValue, isObject } from "../message/plain-value.js";
import type {
  FilePart,
  ImagePart,
  JSONValue,
  ProviderOptions,
  TextPart,
  ToolContentPart,
  UserPart,
} from "../message/types.js";
import type { AnthropicContentBlock, AnthropicSource } from "./anthropic-types.js";
import { carried, carry, customPart, customValue, faithful, layOver, unknownFields } from "./carried.js";
import { filenameOf, imageType, isImage, type Media, mediaToolContent, readMedia, toolContentMedia } from "./media.js";
import type { WireObject } from "./value.js";

const TEXT_FIELDS: ReadonlySet<string> = new Set(["type", "text", "cache_control"]);
const IMAGE_FIELDS: ReadonlySet<string> = new Set(["type", "source", "cache_control"]);
const DOCUMENT_FIELDS: ReadonlySet<string> = new Set(["type", "source", "title", "cache_control"]);
const TITLE: ReadonlySet<string> = new Set(["title"]);

interface Holder {
  readonly providerOptions?: ProviderOptions;
}

/** What every block may hold beside its own fields: the cache mark, and what varve does not know. */
export function blockOptions(wire: WireObject, known: ReadonlySet<string>, own?: { [key: string]: JSONValue }): Holder {
  const marked = wire.cache_control !== undefined;
  if (!marked && own === undefined) return carry("anthropic", unknownFields(wire, known));
  const anthropic = marked ? { ...own, cacheControl: copyValue(wire.cache_control) } : { ...own };
  return carry("anthropic", unknownFields(wire, known), { anthropic });
}

/** The cache mark of a part or message, ready to be spread into its block. */
export function cacheMark(holder: Holder): Record<string, never> {
  const mark = holder.providerOptions?.anthropic?.cacheControl;
  return (mark === undefined ? {} : { cache_control: copyValue(mark) }) as Record<string, never>;
}

export function decodeBlock(wire: unknown): UserPart {
  const part = isObject(wire) ? decodeKnown(wire) : undefined;
  return faithful(part, encodeBlock, wire) ?? customPart("anthropic", wire);
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
  if (part.type === "text") return layOver({ type: "text", text: part.text, ...cacheMark(part) }, fields);
  const media = readMedia(part);
  const source = encodeSource(media, isImage(part));
  if (source === undefined) return undescribed(part, media);
  if (isImage(part)) return layOver({ type: "image", source, ...cacheMark(part) }, fields);
  const title = part.type === "file" && part.filename !== undefined ? { title: part.filename } : {};
  return layOver({ type: "document", source, ...title, ...cacheMark(part) }, fields, TITLE);
}

function encodeSource(media: Media, image: boolean): AnthropicSource | undefined {
  switch (media.kind) {
    case "url":
      return { type: "url", url: media.url };
    case "text":
      return { type: "text", media_type: "text/plain", data: media.text };
    case "reference":
      return typeof media.reference.anthropic === "string"
        ? { type: "file", file_id: media.reference.anthropic }
        : undefined;
    case "base64":
      return encodeBase64(media.data, image ? imageType(media.mediaType) : media.mediaType);
  }
}

function encodeBase64(data: string, mediaType: string): AnthropicSource | undefined {
  if (mediaType.startsWith("text/")) return { type: "text", media_type: "text/plain", data: textOf(data) };
  if (!mediaType.startsWith("image/") && mediaType !== "application/pdf") return undefined;
  return { type: "base64", media_type: mediaType, data };
}

function textOf(base64: string): string {
  try {
    return new TextDecoder().decode(Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)));
  } catch {
    return base64;
  }
}

const undescribed = (part: ImagePart | FilePart, media: Media): AnthropicContentBlock => ({
  type: "text",
  text: `[file: ${filenameOf(part).filename ?? media.mediaType}]`,
});

export function decodeToolBlock(wire: unknown): ToolContentPart {
  const part = decodeBlock(wire);
  if (part.type === "text") return { ...part };
  const content = part.type === "custom" ? undefined : faithful(mediaToolContent(part), encodeToolBlock, wire);
  return content ?? { type: "custom", providerOptions: customPart("anthropic", wire).providerOptions };
}

export function encodeToolBlock(part: ToolContentPart): AnthropicContentBlock | undefined {
  if (part.type === "custom") return customValue(part, "anthropic");
  const { providerOptions } = part;
  if (part.type === "text" && typeof part.text === "string")
    return encodeBlock({ type: "text", text: part.text, providerOptions });
  const media = toolContentMedia(part);
  return media && encodeBlock({ ...media, providerOptions });
}
