/**
 * What Anthropic takes of images and documents, and what stands in place of the others. From its page on vision
 * (build-with-claude/vision, "Request limits") and its refusals:
 *
 * - "too many images and documents: 104 + 1 > 100", for models with a window of 200,000 tokens; others take 600
 * - "image exceeds 5 MB maximum: 6275800 bytes > 5242880 bytes", which counts the base64 text
 * - "At least one of the image dimensions exceed max allowed size: 8000 pixels"
 * - "… max allowed size for many-image requests: 2000 pixels": of every image where there are more than 20
 */
import { imageSizeFrom } from "../message/image-size.js";
import { isObject, type UnknownFields } from "../message/plain-value.js";
import type { AnthropicPrompt } from "./anthropic-types.js";

const MOST_MEDIA = 100;
const MOST_BYTES = 5 * 1024 * 1024;
const MOST_PIXELS = 8000;
const MANY = 20;
const MOST_PIXELS_OF_MANY = 2000;

/** An image or document with the list that it stands in. */
interface Medium {
  readonly block: UnknownFields;
  readonly list: unknown[];
  readonly place: number;
  /** The block of the message that it stands in, or is. */
  readonly holder: unknown;
  /** Its longer side, where it can be seen. */
  readonly pixels: number;
}

/** The images and documents of a request in its order, those in results of tools too. */
export function imagesOf(messages: AnthropicPrompt["messages"]): Medium[] {
  const found: Medium[] = [];
  const search = (list: unknown, holder?: unknown): void => {
    if (!Array.isArray(list)) return;
    for (const [place, block] of list.entries()) {
      if (!isObject(block)) continue;
      if (block.type === "tool_result") search(block.content, block);
      if (isMedium(block)) found.push({ block, list, place, holder: holder ?? block, pixels: pixelsOf(block) });
    }
  };
  for (const { content } of messages) search(content);
  return found;
}

/** Documents of text are text. */
const isMedium = ({ type, source }: UnknownFields): boolean =>
  type === "image" || (type === "document" && isObject(source) && source.type !== "text" && source.type !== "content");

const dataOf = ({ type, source }: UnknownFields): string =>
  type === "image" && isObject(source) && typeof source.data === "string" ? source.data : "";

function pixelsOf(block: UnknownFields): number {
  const data = dataOf(block);
  if (data === "") return 0;
  const size = imageSizeFrom((length) => Buffer.from(data.slice(0, Math.ceil(length / 3) * 4), "base64"));
  return size === undefined ? 0 : Math.max(size.width, size.height);
}

/** Those that make the API refuse the request: each that is too large, the oldest where there are too many. */
export function refusedMedia(media: readonly Medium[]): Medium[] {
  const fitting = newest(media.filter(fits), MOST_MEDIA);
  const kept = new Set(fitting);
  const images = fitting.filter(({ block }) => block.type === "image");
  if (images.length > MANY && images.some(isWide)) {
    const recent = newest(images, MANY);
    const gone = recent.some(isWide) ? images.slice(0, -recent.length) : images.filter(isWide);
    for (const image of gone) kept.delete(image);
  }
  return media.filter((medium) => !kept.has(medium));
}

const fits = ({ block, pixels }: Medium): boolean => pixels <= MOST_PIXELS && dataOf(block).length <= MOST_BYTES;
const isWide = ({ pixels }: Medium): boolean => pixels > MOST_PIXELS_OF_MANY;

/** So many at most of the end of a list, which loses a fifth of them at once: what a cache holds stays for a while. */
function newest<T>(list: readonly T[], most: number): readonly T[] {
  const step = most / 5;
  return list.slice(Math.ceil(Math.max(0, list.length - most) / step) * step);
}

/** Says what the API would refuse in words. */
export function limitMedia({ messages }: AnthropicPrompt): void {
  for (const { block, list, place, pixels } of refusedMedia(imagesOf(messages))) {
    const { type, cache_control } = block;
    const size = pixels > MOST_PIXELS_OF_MANY ? ` of ${pixels} pixels` : "";
    const text = `[${type === "image" ? "An image" : "A document"}${size} is not shown: it is too large, or there are too many.]`;
    list[place] = { type: "text", text, ...(cache_control !== undefined && { cache_control }) };
  }
}
