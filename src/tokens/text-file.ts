/** Files that are text: a model reads their text, so they are counted and shortened as text, whatever they are called. */
import { isObject } from "../message/plain-value.js";
import type { ToolContentPart } from "../message/types.js";
import { readSource } from "./media-source.js";

export interface FileData {
  readonly data: unknown;
  readonly mediaType: string;
}

const TEXT_TYPE =
  /^text(?:\/|$)|[/+](?:x-)?(?:xml|json|jsonl|json5|ndjson|yaml|toml|javascript|ecmascript|typescript|sql|sh|csv|graphql|markdown)$/;

/** Whether a file is text that the message holds; links and references are not at hand. */
export function isTextFile({ data, mediaType }: FileData): boolean {
  if (isObject(data) && typeof data.text === "string") return true;
  const [type = ""] = mediaType.split(";", 1);
  return TEXT_TYPE.test(type.trim().toLowerCase()) && readSource(data) !== undefined;
}

/** The text of a file that is text; undefined for any other. */
export function fileText(file: FileData): string | undefined {
  if (!isTextFile(file)) return undefined;
  const { data } = file;
  if (isObject(data) && typeof data.text === "string") return data.text;
  const source = readSource(data);
  return source && new TextDecoder().decode(source.head(source.byteLength));
}

/** The file in a tool's output. Media goes by many names there; its kind tells what it is where no media type does. */
export function contentFile(part: ToolContentPart): FileData | undefined {
  if (part.type === "text") return undefined;
  const mediaType = typeof part.mediaType === "string" ? part.mediaType : typeByName(part.type);
  return mediaType === undefined ? undefined : { data: part.data ?? part.image ?? part.url, mediaType };
}

function typeByName(name: string): string | undefined {
  if (name.includes("image")) return "image/*";
  return name.startsWith("file") || name === "media" ? "application/pdf" : undefined;
}
