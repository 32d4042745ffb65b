import { answerText } from "../message/approvals.js";
import { outputText } from "../message/content.js";
import { argumentsText } from "../message/tool-call.js";
import type {
  FilePart,
  ImagePart,
  Message,
  Part,
  ProviderOptions,
  ReasoningFilePart,
  ReasoningPart,
  ToolContentPart,
  ToolOutput,
} from "../message/types.js";
import { countCarried, isRecord, sealedTokens, valueTokens } from "./count-carried.js";
import { countMedia, type ImageDetail } from "./media.js";
import type { Meter } from "./meter.js";
import { contentFile, type FileData, fileText } from "./text-file.js";

/** Overheads of the chat format: role and separators of a message, frame of a call. */
const PER_MESSAGE = 4;
export const PER_CALL = 8;

/**
 * Tokens of a message. Its texts count as one, joined by line breaks; every result of a tool message is a message of its
 * own, as providers of the chat format send it.
 */
export function countMessage(message: Message, meter: Meter): number {
  const { content, providerOptions } = message;
  const isPlain = typeof content === "string";
  const count = isPlain ? PER_MESSAGE + meter.text(content) : countParts(message.role, content, meter);
  if (providerOptions === undefined) return count;
  // The parts of a system message are kept beside its text, which they repeat.
  const carried = countCarried(providerOptions, meter, message.role === "system" ? "content" : undefined);
  if (carried.reasoning === 0) return count + carried.other;
  const said = isPlain ? 0 : reasoningTokens(content, meter);
  return count + carried.other + Math.max(0, carried.reasoning - said);
}

function countParts(role: Message["role"], parts: readonly Part[], meter: Meter): number {
  let texts: string | undefined;
  let results = 0;
  let count = 0;
  for (const part of parts) {
    if (part.type === "text") texts = texts === undefined ? part.text : `${texts}\n${part.text}`;
    else if (part.type === "tool-result" || part.type === "tool-approval-response") results++;
    count += countPart(part, meter);
    if ("providerOptions" in part && part.type !== "custom") count += carriedTokens(part.providerOptions, meter);
  }
  const messages = role === "tool" ? Math.max(1, results) : 1;
  return PER_MESSAGE * messages + count + (texts ? meter.text(texts) : 0);
}

function carriedTokens(options: ProviderOptions | undefined, meter: Meter): number {
  if (options?.varve === undefined) return 0;
  const { reasoning, other } = countCarried(options, meter);
  return reasoning + other;
}

const reasoningTokens = (parts: readonly Part[], meter: Meter): number =>
  parts.reduce((sum, part) => sum + (part.type === "reasoning" ? countReasoning(part, meter) : 0), 0);

/** A part but for its text, which counts with that of its neighbours. */
function countPart(part: Part, meter: Meter): number {
  switch (part.type) {
    case "reasoning":
      return countReasoning(part, meter);
    case "tool-call":
      return PER_CALL + meter.text(part.toolName) + meter.text(argumentsText(part));
    case "tool-result":
      return countOutput(part.output, meter);
    case "tool-approval-response":
      return meter.text(answerText(part));
    case "image":
      return countImagePart(part, meter);
    case "file":
    case "reasoning-file":
      return countFile(part, meter);
    case "custom":
      return customTokens(part, meter);
    default:
      return 0;
  }
}

const countReasoning = ({ text, providerOptions }: ReasoningPart, meter: Meter): number =>
  Math.max(meter.text(text), sealedReasoning(providerOptions));

/**
 * What reasoning costs that its provider sealed: it is read again in full, while its text is empty or a summary. Only
 * its length is known.
 */
function sealedReasoning(options: ProviderOptions | undefined): number {
  if (!options) return 0;
  const { anthropic, openai, google } = options;
  const sealed = [
    anthropic?.signature,
    anthropic?.redactedData,
    openai?.reasoningEncryptedContent,
    google?.thoughtSignature,
  ];
  const length = Math.max(...sealed.map((text) => (typeof text === "string" ? text.length : 0)));
  return sealedTokens(length);
}

function countImagePart({ image, mediaType = "image/*", providerOptions }: ImagePart, meter: Meter): number {
  return countMedia({ data: image, mediaType, ...detailOf(providerOptions) }, meter.image);
}

function countFile(part: FilePart | ReasoningFilePart, meter: Meter): number {
  const title = "filename" in part && part.filename ? meter.text(part.filename) : 0;
  return title + countData(part, meter);
}

interface Data extends FileData {
  readonly providerOptions?: ProviderOptions;
}

/** A file that is text is read as text, whatever it is called. */
function countData({ data, mediaType, providerOptions }: Data, meter: Meter): number {
  const text = fileText({ data, mediaType });
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
  const carried = parts.reduce((sum, part) => sum + contentCarried(part, meter), 0);
  return meter.text(texts.join("\n")) + media + carried;
}

const contentCarried = (part: ToolContentPart, meter: Meter): number =>
  part.type === "custom" ? 0 : carriedTokens(part.providerOptions, meter);

function countContentMedia(part: ToolContentPart, meter: Meter): number {
  const file = contentFile(part);
  if (file === undefined) return part.type === "custom" ? customTokens(part, meter) : 0;
  const { providerOptions } = part;
  return countData({ ...file, ...(providerOptions && { providerOptions }) }, meter);
}

const DETAILS: readonly unknown[] = ["low", "high", "original", "auto"] satisfies ImageDetail[];

function detailOf(options: ProviderOptions | undefined): { detail?: ImageDetail } {
  const detail = options?.openai?.imageDetail;
  return isDetail(detail) ? { detail } : {};
}

const isDetail = (value: unknown): value is ImageDetail => DETAILS.includes(value);

/** A part that only its own format knows, as it is written there; nothing where it is a record, as of a stream's start. */
const customTokens = ({ providerOptions }: { readonly providerOptions?: ProviderOptions }, meter: Meter): number =>
  providerOptions === undefined || isRecord(providerOptions) ? 0 : valueTokens("custom", providerOptions, meter);
