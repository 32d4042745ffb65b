import { customWords } from "../message/carried-words.js";
import { isSignedReasoning, outputText } from "../message/content.js";
import { argumentsText, parseArguments, toolCallFromText } from "../message/tool-call.js";
import type {
  FilePart,
  JSONValue,
  Message,
  Part,
  ProviderOptions,
  TextPart,
  ToolCallPart,
  ToolContentPart,
  ToolOutput,
  ToolResultPart,
} from "../message/types.js";
import { reduceObservation } from "../reduce/reduce-observation.js";
import { shortenText } from "../reduce/shorten-text.js";
import type { TokenCounter } from "../tokens/counter.js";
import { contentFile, fileText, isTextFile } from "../tokens/text-file.js";

/** How far a piece is cut, and how its text is counted. */
export interface Cut {
  readonly level: number;
  readonly counter: TokenCounter;
  /** A text of so few tokens keeps its head alone: the user's words say what is wanted at their start. */
  readonly headBelow?: number;
}

/** Stands for so many images and files. */
export const mediaMark = (count: number): string => (count === 1 ? "[media left out]" : `[${count} media left out]`);

/** Tokens of a part that cutting it can save; 0 where it must not be changed. */
function pieceSize(part: Part, counter: TokenCounter): number {
  switch (part.type) {
    case "text":
      return counter.text(part.text);
    case "reasoning":
      return isSignedReasoning(part) ? 0 : counter.text(part.text);
    case "tool-call":
      return part.providerExecuted ? 0 : counter.text(argumentsText(part));
    case "tool-result":
      return counter.message({ role: "tool", content: [part] });
    case "image":
    case "file":
      return counter.message({ role: "user", content: [part] });
    default:
      return 0;
  }
}

/** A part cut to a level; media cannot be. */
export function cutPart(part: Part, cut: Cut): Part {
  switch (part.type) {
    case "text":
    case "reasoning":
      return { ...part, text: cutText(part.text, cut) };
    case "tool-call":
      return cutCall(part, cut);
    case "tool-result":
      return cutResult(part, cut);
    case "file":
      return cutFile(part, cut);
    default:
      return part;
  }
}

/** Share of the room of a file that its name may take. */
const TITLE_SHARE = 0.5;

export const isMedia = (part: Part): boolean => part.type === "image" || (part.type === "file" && !isTextFile(part));

/** A file that is text becomes the text that is left of it, below its name. */
function cutFile(part: FilePart, { level, counter }: Cut): TextPart {
  const title = fileTitles(part).find((each) => counter.text(each) <= level * TITLE_SHARE) ?? "";
  const maxTokens = Math.max(0, level - counter.text(title));
  const { text } = reduceObservation(fileText(part) ?? "", { maxTokens, counter: (piece) => counter.text(piece) });
  return { type: "text", text: `${title}${text || "…"}` };
}

function fileTitles({ filename = "" }: FilePart): string[] {
  const names = [filename, filename.slice(Math.max(filename.lastIndexOf("/"), filename.lastIndexOf("\\")) + 1)];
  return names.filter((name) => name !== "").map((name) => `[file: ${name}]\n`);
}

export function cutText(text: string, { level, counter, headBelow = 0 }: Cut): string {
  const headShare = level < headBelow ? { headShare: 1 } : {};
  return shortenText(text, { maxTokens: level, counter: (piece) => counter.text(piece), ...headShare }) || "…";
}

/** A result keeps its kind of outcome; its text is reduced by what it looks like. */
export function cutResult(part: ToolResultPart, cut: Cut): ToolResultPart {
  return { ...part, output: cutOutput(part.output, cut) };
}

function cutOutput(output: ToolOutput, { level, counter }: Cut): ToolOutput {
  const reduce = (text: string) =>
    reduceObservation(text, { maxTokens: level, counter: (piece) => counter.text(piece) }).text;
  if (output.type === "content") return { ...output, value: cutContent(output.value, reduce) };
  if (output.type === "execution-denied") return cutReason(output, reduce);
  const failed = output.type === "error-text" || output.type === "error-json";
  return { ...optionsOf(output), type: failed ? "error-text" : "text", value: reduce(outputText(output)) };
}

function cutReason(output: Extract<ToolOutput, { type: "execution-denied" }>, reduce: (text: string) => string) {
  return output.reason === undefined ? output : { ...output, reason: reduce(output.reason) };
}

/** A result with a line in place of its output; it still says whether the call failed. */
export function replaceOutput(part: ToolResultPart, text: string): ToolResultPart {
  const { output } = part;
  if (output.type === "content") return { ...part, output: { ...output, value: [{ type: "text", text }] } };
  const type = output.type === "text" || output.type === "json" ? "text" : "error-text";
  return { ...part, output: { ...optionsOf(output), type, value: text } };
}

const optionsOf = ({ providerOptions }: ToolOutput) => (providerOptions === undefined ? {} : { providerOptions });

/** All the text of an output, that of its files too. */
export const textIn = (output: ToolOutput): string =>
  output.type === "content" ? textsOf(output.value).join("\n") : outputText(output);

const textsOf = (value: readonly ToolContentPart[]): string[] => value.flatMap((part) => contentWords(part) ?? []);

function contentWords(part: ToolContentPart): string | undefined {
  if (typeof part.text === "string") return part.text;
  if (part.type === "custom") return customWords(part);
  const file = contentFile(part);
  return file && fileText(file);
}

/** The texts of a list of contents are reduced as one, media are left out. */
function cutContent(value: readonly ToolContentPart[], reduce: (text: string) => string): ToolContentPart[] {
  const texts = textsOf(value);
  const media = value.length - texts.length;
  const text = [reduce(texts.join("\n")), ...(media > 0 ? [mediaMark(media)] : [])].filter(Boolean).join("\n");
  return [{ type: "text", text }];
}

/**
 * A call with long arguments keeps its name, its keys and its short values; long strings in it are shortened. Where
 * the arguments have too many values for that, their text is shortened as a whole.
 */
function cutCall(part: ToolCallPart, cut: Cut): ToolCallPart {
  const { level, counter } = cut;
  const text = argumentsText(part);
  for (let limit = level; limit >= 4; limit = Math.floor(limit / 2)) {
    const leaves = JSON.stringify(cutLeaves(parseArguments(text) as JSONValue, { level: limit, counter }));
    if (counter.text(leaves) <= level) return withArguments(part, leaves);
  }
  const whole = JSON.stringify({ shortened: cutText(text, { level: Math.max(1, level - 12), counter }) });
  return withArguments(part, counter.text(whole) <= level ? whole : "{}");
}

function withArguments(part: ToolCallPart, text: string): ToolCallPart {
  return toolCallFromText({ id: part.toolCallId, name: part.toolName, text }, withoutSignature(part.providerOptions));
}

/** A signature vouches for the call as the model made it; on another it would be false. */
function withoutSignature(options: ProviderOptions | undefined): ProviderOptions | undefined {
  if (options === undefined) return undefined;
  const kept = Object.entries(options).map(([provider, fields]) => {
    const { thoughtSignature: _signature, ...others } = fields;
    return [provider, others] as const;
  });
  const left = kept.filter(([, fields]) => Object.keys(fields).length > 0);
  return left.length === 0 ? undefined : Object.fromEntries(left);
}

function cutLeaves(value: JSONValue, cut: Cut): JSONValue {
  if (typeof value === "string") return value === "" ? value : cutText(value, cut);
  if (Array.isArray(value)) return value.map((item) => cutLeaves(item, cut));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, cutLeaves(item ?? null, cut)]));
}

/** A text or a part of a message: how much cutting or leaving it out can save, and which of both it allows. */
export interface Piece {
  readonly size: number;
  /** Media are shown or not; a file that is text is cut like one, or left out. */
  readonly kind: "text" | "file" | "media";
}

/** The pieces of a message, in their order. */
export function piecesIn(message: Message, counter: TokenCounter): Piece[] {
  if (typeof message.content === "string")
    return [{ size: message.role === "system" ? 0 : counter.text(message.content), kind: "text" }];
  return message.content.map((part) => {
    const kind = isMedia(part) ? "media" : part.type === "file" ? "file" : "text";
    return { size: pieceSize(part, counter), kind };
  });
}
