import { outputText } from "../message/content.js";
import { argumentsText } from "../message/tool-call.js";
import type {
  FilePart,
  ImagePart,
  Message,
  Part,
  ProviderOptions,
  ReasoningFilePart,
  ToolContentPart,
  ToolOutput,
} from "../message/types.js";
import { countMedia, type ImageDetail, type ImageRule } from "./media.js";
import { readText } from "./media-source.js";

/** Overheads of the chat format: role and separators of a message, frame of a call. */
const PER_MESSAGE = 4;
export const PER_CALL = 8;

/** What counting a message needs of a tokenizer. */
export interface Meter {
  text(text: string): number;
  readonly image: ImageRule;
}

/**
 * Tokens of a message. Its texts count as one, joined by line breaks; every result of a tool message is a message of its
 * own, as providers of the chat format send it.
 */
export function countMessage(message: Message, meter: Meter): number {
  const { content } = message;
  if (typeof content === "string") return PER_MESSAGE + meter.text(content);
  let texts: string | undefined;
  let results = 0;
  let count = 0;
  for (const part of content) {
    if (part.type === "text") texts = texts === undefined ? part.text : `${texts}\n${part.text}`;
    else if (part.type === "tool-result") results++;
    count += countPart(part, meter);
  }
  const messages = message.role === "tool" ? Math.max(1, results) : 1;
  return PER_MESSAGE * messages + count + (texts ? meter.text(texts) : 0);
}

/** A part but for its text, which counts with that of its neighbours. */
function countPart(part: Part, meter: Meter): number {
  switch (part.type) {
    case "reasoning":
      return Math.max(meter.text(part.text), sealedTokens(part.providerOptions));
    case "tool-call":
      return PER_CALL + meter.text(part.toolName) + meter.text(argumentsText(part));
    case "tool-result":
      return countOutput(part.output, meter);
    case "image":
      return countImagePart(part, meter);
    case "file":
    case "reasoning-file":
      return countFile(part, meter);
    case "custom":
      return meter.text(json(part.providerOptions));
    default:
      return 0;
  }
}

/**
 * Characters of sealed reasoning for a token, at the least: base64 writes three bytes in four characters, and a token
 * of prose is rarely shorter than three bytes.
 */
const SEALED_CHARACTERS = 4;
/** Keys and marks around what is sealed. */
const SEALED_FRAME = 200;

/**
 * What reasoning costs that its provider sealed: it is read again in full, while its text is empty or a summary. Only
 * its length is known, so this is an upper bound.
 */
function sealedTokens(options: ProviderOptions | undefined): number {
  if (options === undefined) return 0;
  const { anthropic, openai, google } = options;
  const sealed = [
    anthropic?.signature,
    anthropic?.redactedData,
    openai?.reasoningEncryptedContent,
    google?.thoughtSignature,
  ];
  const length = Math.max(...sealed.map((text) => (typeof text === "string" ? text.length : 0)));
  return Math.ceil(Math.max(0, length - SEALED_FRAME) / SEALED_CHARACTERS);
}

function countImagePart({ image, mediaType = "image/*", providerOptions }: ImagePart, meter: Meter): number {
  return countMedia({ data: image, mediaType, ...detailOf(providerOptions) }, meter.image);
}

function countFile({ data, mediaType, providerOptions }: FilePart | ReasoningFilePart, meter: Meter): number {
  const text = isText(mediaType) || isTextData(data) ? readText(data) : undefined;
  if (text !== undefined) return meter.text(text);
  return countMedia({ data, mediaType, ...detailOf(providerOptions) }, meter.image);
}

function countOutput(output: ToolOutput, meter: Meter): number {
  switch (output.type) {
    case "text":
    case "error-text":
      return meter.text(output.value);
    case "content":
      return countContent(output.value, meter);
    default:
      return meter.text(outputText(output));
  }
}

function countContent(parts: readonly ToolContentPart[], meter: Meter): number {
  const texts = parts.flatMap((part) => (typeof part.text === "string" ? [part.text] : []));
  const media = parts.reduce((sum, part) => sum + countContentMedia(part, meter), 0);
  return meter.text(texts.join("\n")) + media;
}

/** Media in a result goes by many names; its kind tells what it is where no media type does. */
function countContentMedia(part: ToolContentPart, meter: Meter): number {
  if (part.type === "text") return 0;
  const isImage = part.type.includes("image");
  const mediaType = typeof part.mediaType === "string" ? part.mediaType : isImage ? "image/*" : undefined;
  if (mediaType === undefined) return part.type === "custom" ? meter.text(json(part.providerOptions)) : 0;
  const data = part.data ?? part.image ?? part.url;
  if (isText(mediaType)) return meter.text(readText(data) ?? "");
  return countMedia({ data, mediaType, ...detailOf(part.providerOptions) }, meter.image);
}

const isText = (mediaType: string): boolean => mediaType.startsWith("text/") || mediaType === "application/json";

const isTextData = (data: unknown): boolean =>
  typeof data === "object" && data !== null && "type" in data && data.type === "text";

const DETAILS: readonly unknown[] = ["low", "high", "original", "auto"] satisfies ImageDetail[];

function detailOf(options: ProviderOptions | undefined): { detail?: ImageDetail } {
  const detail = options?.openai?.imageDetail;
  return isDetail(detail) ? { detail } : {};
}

const isDetail = (value: unknown): value is ImageDetail => DETAILS.includes(value);

const json = (value: unknown): string => JSON.stringify(value) ?? "";
