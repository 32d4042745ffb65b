/**
 * Images, documents, audio and video inside a value that is kept as it stood on the wire: a screenshot of a computer
 * tool, a generated image, pictures in a document. The provider reads them as media, so they cost what media costs.
 */
import { isObject } from "../message/plain-value.js";
import type { MediaPart } from "./media.js";

/** Shorter ones cost next to nothing as text. */
const LEAST = 256;
const BASE64 = /^[\w+/=\r\n-]+$/;
const DATA_URL = /^data:([\w.+-]+\/[\w.+-]+)[^,]{0,80};base64,/;
/** How files of a kind begin in base64, for fields that name no media type. */
const BEGINNINGS: readonly (readonly [string, string])[] = [
  ["iVBORw0KGgo", "image/png"],
  ["/9j/", "image/jpeg"],
  ["R0lGOD", "image/gif"],
  ["UklGR", "image/webp"],
  ["JVBERi0", "application/pdf"],
];

/** The medium that a text is in base64; undefined for any other text. Its neighbours may name the media type. */
export function embeddedMedia(text: string, neighbours: unknown): MediaPart | undefined {
  if (text.length < LEAST) return undefined;
  const url = DATA_URL.exec(text);
  const mediaType = url?.[1] ?? namedType(neighbours) ?? typeByBeginning(text);
  if (mediaType === undefined || mediaType.startsWith("text/")) return undefined;
  return BASE64.test(url ? text.slice(url[0].length) : text) ? { data: text, mediaType } : undefined;
}

const TYPE_NAMES = ["media_type", "mediaType", "mime_type", "mimeType"];

function namedType(neighbours: unknown): string | undefined {
  if (!isObject(neighbours)) return undefined;
  const named = TYPE_NAMES.map((name) => neighbours[name]).find((type) => typeof type === "string");
  return typeof named === "string" && named.includes("/") ? named : undefined;
}

const typeByBeginning = (text: string): string | undefined =>
  BEGINNINGS.find(([beginning]) => text.startsWith(beginning))?.[1];
