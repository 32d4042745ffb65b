/**
 * Images and files as strings: a URL, a data URL or bare base64, kept byte for byte. `URL` objects and byte arrays of
 * other programs are read too.
 */
import { toBase64 } from "../message/base64.js";
import { isObject } from "../message/plain-value.js";
import type { FilePart, ImagePart, ToolContentPart } from "../message/types.js";

export type Media =
  | { kind: "base64"; data: string; mediaType: string }
  | { kind: "url"; url: string; mediaType: string | undefined }
  | { kind: "reference"; reference: Readonly<Record<string, unknown>>; mediaType: string | undefined }
  | { kind: "text"; text: string; mediaType: string };

export const UNKNOWN_MEDIA = "application/octet-stream";
const DATA_URL = /^data:([^;,]*)(?:;[^,]*)?;base64,/i;
const SCHEME = /^[a-z][a-z0-9+.-]*:\/\//i;

export const isURL = (text: string): boolean => SCHEME.test(text);
export const isDataURL = (text: string): boolean => DATA_URL.test(text);
export const dataURLMediaType = (url: string): string => DATA_URL.exec(url)?.[1] || UNKNOWN_MEDIA;

export function readMedia(part: ImagePart | FilePart): Media {
  const image = part.type === "image";
  return readData(image ? part.image : part.data, part.mediaType ?? (image ? "image/*" : UNKNOWN_MEDIA));
}

function readData(data: ImagePart["image"] | FilePart["data"], mediaType: string): Media {
  if (typeof data === "string") return readText(data, mediaType);
  if (data instanceof URL) return readText(data.href, mediaType);
  if (data instanceof Uint8Array) return inline(toBase64(data), mediaType);
  if (data instanceof ArrayBuffer) return inline(toBase64(new Uint8Array(data)), mediaType);
  if (data.type === "data" && "data" in data) return readData(data.data, mediaType);
  if (data.type === "url" && "url" in data) return readData(data.url, mediaType);
  if (data.type === "text" && typeof data.text === "string") return { kind: "text", text: data.text, mediaType };
  if (data.type === "reference" && isObject(data.reference))
    return { kind: "reference", reference: data.reference, mediaType };
  return { kind: "reference", reference: isObject(data) ? data : {}, mediaType };
}

function readText(text: string, mediaType: string): Media {
  const header = DATA_URL.exec(text);
  if (header) return inline(text.slice(header[0].length), header[1] || mediaType);
  return isURL(text) ? { kind: "url", url: text, mediaType } : inline(text, mediaType);
}

/** Media without a byte are refused everywhere: all that can be said of them is what they should have been. */
const inline = (data: string, mediaType: string): Media =>
  data === "" ? { kind: "reference", reference: {}, mediaType } : { kind: "base64", data, mediaType };

/** Base64 data as a data URL; one that the part already holds stays byte for byte, parameters and all. */
export function sourceURL(part: ImagePart | FilePart, mediaType: string, data: string): string {
  const source = part.type === "image" ? part.image : part.data;
  return typeof source === "string" && isDataURL(source) ? source : `data:${mediaType};base64,${data}`;
}

/** Providers want a full type for an image; `image/*` says only that it is one. */
export const imageType = (mediaType: string | undefined): string =>
  mediaType === undefined || mediaType === "image/*" || mediaType === "image" ? "image/png" : mediaType;

const EXTENSIONS: Readonly<Record<string, string>> = {
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  gif: "image/gif",
  webp: "image/webp",
  pdf: "application/pdf",
  mp3: "audio/mpeg",
  wav: "audio/wav",
  mp4: "video/mp4",
  txt: "text/plain",
};

const MORE_ENDINGS: Readonly<Record<string, string>> = {
  "application/json": "json",
  "application/msword": "doc",
  "application/rtf": "rtf",
  "application/vnd.ms-excel": "xls",
  "application/vnd.ms-powerpoint": "ppt",
  "application/vnd.openxmlformats-officedocument.presentationml.presentation": "pptx",
  "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": "xlsx",
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "docx",
  "application/xml": "xml",
  "text/csv": "csv",
  "text/html": "html",
  "text/markdown": "md",
  "text/xml": "xml",
};

/** A name for a file without one, for formats that refuse it so. */
export function standInName(mediaType: string): string {
  const type = mediaType.replace(/;.*/s, "").trim().toLowerCase();
  const ending = Object.keys(EXTENSIONS).find((known) => EXTENSIONS[known] === type) ?? MORE_ENDINGS[type];
  return `file.${ending ?? "bin"}`;
}

/** The media type a URL's ending suggests. */
export function mediaTypeOfURL(url: string): string | undefined {
  const ending = /\.([a-z0-9]+)(?:[?#].*)?$/i.exec(url)?.[1];
  return ending === undefined ? undefined : EXTENSIONS[ending.toLowerCase()];
}

export const isImage = (part: ImagePart | FilePart): boolean =>
  part.type === "image" || part.mediaType.startsWith("image/") || part.mediaType === "image";

/** A media part of a tool's output as an image or file part; undefined for text, custom parts and the unknown. */
export function toolContentMedia(part: ToolContentPart): ImagePart | FilePart | undefined {
  const { type, data, url, mediaType } = part;
  const media = typeof mediaType === "string" ? mediaType : undefined;
  const filename = typeof part.filename === "string" ? { filename: part.filename } : {};
  if (type === "image-data" && typeof data === "string") return { type: "image", image: data, mediaType: media };
  if (type === "image-url" && typeof url === "string") return { type: "image", image: url };
  if (type === "file-url" && typeof url === "string")
    return { type: "file", data: url, mediaType: media ?? mediaTypeOfURL(url) ?? UNKNOWN_MEDIA };
  if ((type === "file-data" || type === "media") && typeof data === "string")
    return { type: "file", data, mediaType: media ?? UNKNOWN_MEDIA, ...filename };
  if (type === "file" && (typeof data === "string" || isObject(data)))
    return { type: "file", data: data as FilePart["data"], mediaType: media ?? UNKNOWN_MEDIA, ...filename };
  return toolContentReference(part);
}

function toolContentReference(part: ToolContentPart): ImagePart | FilePart | undefined {
  const { type, providerReference, fileId } = part;
  // An id alone does not say whose it is.
  const reference = typeof fileId === "string" ? { unknown: fileId } : (providerReference ?? fileId);
  if (!isReference(reference)) return undefined;
  if (type === "image-file-reference" || type === "image-file-id") return { type: "image", image: reference };
  const isFile = type === "file-reference" || type === "file-id";
  return isFile ? { type: "file", data: reference, mediaType: UNKNOWN_MEDIA } : undefined;
}

const isReference = (value: unknown): value is Record<string, string> =>
  isObject(value) && Object.values(value).every((id) => typeof id === "string");

/** An image or file part as it stands in a tool's output. */
export function mediaToolContent(part: ImagePart | FilePart): ToolContentPart {
  const media = readMedia(part);
  const options = part.providerOptions && { providerOptions: part.providerOptions };
  const image = isImage(part);
  if (media.kind === "url")
    return {
      type: image ? "image-url" : "file-url",
      url: media.url,
      ...(!image && { mediaType: media.mediaType }),
      ...options,
    };
  if (media.kind === "base64")
    return {
      type: image ? "image-data" : "file-data",
      data: media.data,
      mediaType: media.mediaType,
      ...filenameOf(part),
      ...options,
    };
  if (media.kind === "text") return { type: "text", text: media.text, ...options };
  return { type: image ? "image-file-reference" : "file-reference", providerReference: media.reference, ...options };
}

export const filenameOf = (part: ImagePart | FilePart): { filename?: string } =>
  part.type === "file" && typeof part.filename === "string" ? { filename: part.filename } : {};

/** That there was an image or a file, for formats that refuse it: its place, its name, or at least its kind. */
export function mediaInWords(part: ImagePart | FilePart): string {
  const media = readMedia(part);
  const { filename } = filenameOf(part);
  if (media.kind === "text" && /\S/.test(media.text)) return media.text;
  if (media.kind === "url") return `[${filename ?? "file"}: ${media.url}]`;
  return `[file: ${filename ?? media.mediaType ?? part.type}]`;
}
