/** How each kind of part is made shorter. */
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

/** How far a part is cut, and how its text is counted. */
export interface Cut {
  readonly level: number;
  readonly counter: TokenCounter;
  /** A text of so few tokens keeps its head alone. */
  readonly headBelow?: number;
}

/** A part of a message, or its text, as something that may give way. */
export interface Piece {
  readonly part: Part;
  /** Tokens that cutting it or leaving it out can save; 0 where it must not be changed. */
  readonly size: number;
  /** Media are shown or not; a file that is text is cut like one, or left out. */
  readonly kind: "text" | "file" | "media";
  readonly cut: (level: number) => Part;
}

/** A user's text that is cut to fewer tokens than these keeps its head alone, where it says what is wanted. */
const HEAD_BELOW = 40;

/** The pieces of a message, in their order. */
export function piecesIn({ role, content }: Message, counter: TokenCounter): Piece[] {
  if (role === "system") return [];
  const parts: readonly Part[] = typeof content === "string" ? [{ type: "text", text: content }] : content;
  const headBelow = role === "user" ? HEAD_BELOW : 0;
  return parts.map((part) => {
    const { size, kind = "text", cut } = pieceOf(part, counter, headBelow);
    return { part, size, kind, cut: (level) => (size <= level || cut === undefined ? part : cut(level)) };
  });
}

type Cuttable = Pick<Piece, "size"> & Partial<Pick<Piece, "kind" | "cut">>;

function pieceOf(part: Part, counter: TokenCounter, headBelow: number): Cuttable {
  switch (part.type) {
    case "text":
    case "reasoning": {
      const size = part.type === "reasoning" && isSignedReasoning(part) ? 0 : counter.text(part.text);
      return { size, cut: (level) => ({ ...part, text: cutText(part.text, { level, counter, headBelow }) }) };
    }
    case "tool-call": {
      const size = part.providerExecuted ? 0 : counter.text(argumentsText(part));
      return { size, cut: (level) => cutCall(part, { level, counter }) };
    }
    case "tool-result": {
      const size = counter.message({ role: "tool", content: [part] });
      return { size, cut: (level) => cutResult(part, { level, counter }) };
    }
    case "image":
    case "file": {
      const size = counter.message({ role: "user", content: [part] });
      if (isMedia(part)) return { size, kind: "media" };
      return { size, kind: "file", cut: (level) => cutFile(part as FilePart, { level, counter }) };
    }
    default:
      return { size: 0 };
  }
}

export const isMedia = (part: Part): boolean => part.type === "image" || (part.type === "file" && !isTextFile(part));

/** Stands for so many images and files. */
export const mediaMark = (count: number): string => (count === 1 ? "[media left out]" : `[${count} media left out]`);

export function cutText(text: string, { level, counter, headBelow = 0 }: Cut): string {
  const headShare = level < headBelow ? { headShare: 1 } : {};
  return shortenText(text, { maxTokens: level, counter: (piece) => counter.text(piece), ...headShare }) || "…";
}

/** By what the text looks like. */
const reduced = (text: string, { level, counter }: Cut): string =>
  reduceObservation(text, { maxTokens: level, counter: (piece) => counter.text(piece) }).text;

/** Share of the room of a file that its name may take. */
const TITLE_SHARE = 0.5;

/** A file that is text becomes the text that is left of it, below its name. */
function cutFile(part: FilePart, { level, counter }: Cut): TextPart {
  const title = fileTitles(part).find((each) => counter.text(each) <= level * TITLE_SHARE) ?? "";
  const text = reduced(fileText(part) ?? "", { level: Math.max(0, level - counter.text(title)), counter });
  return { type: "text", text: `${title}${text || "…"}` };
}

function fileTitles({ filename = "" }: FilePart): string[] {
  const names = [filename, filename.slice(Math.max(filename.lastIndexOf("/"), filename.lastIndexOf("\\")) + 1)];
  return names.filter((name) => name !== "").map((name) => `[file: ${name}]\n`);
}

/** A result keeps its kind of outcome. The texts of a list of contents are reduced as one, media are left out. */
export function cutResult(part: ToolResultPart, cut: Cut): ToolResultPart {
  const { output } = part;
  if (output.type === "execution-denied")
    return output.reason === undefined ? part : { ...part, output: { ...output, reason: reduced(output.reason, cut) } };
  const texts = textsOf(output);
  const media = output.type === "content" ? output.value.length - texts.length : 0;
  const lines = [reduced(texts.join("\n"), cut), ...(media > 0 ? [mediaMark(media)] : [])];
  return replaceOutput(part, lines.filter(Boolean).join("\n"));
}

/** A result with another text as its output; it still says whether the call failed. */
export function replaceOutput(part: ToolResultPart, text: string): ToolResultPart {
  const { output } = part;
  if (output.type === "content") return { ...part, output: { ...output, value: [{ type: "text", text }] } };
  const { providerOptions } = output;
  const type = output.type === "text" || output.type === "json" ? "text" : "error-text";
  return { ...part, output: { ...(providerOptions && { providerOptions }), type, value: text } };
}

/** All the text of an output, that of its files too. */
export const textsOf = (output: ToolOutput): string[] =>
  output.type === "content" ? output.value.flatMap((part) => contentWords(part) ?? []) : [outputText(output)];

function contentWords(part: ToolContentPart): string | undefined {
  if (typeof part.text === "string") return part.text;
  if (part.type === "custom") return customWords(part);
  const file = contentFile(part);
  return file && fileText(file);
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
function withoutSignature(options: ProviderOptions = {}): ProviderOptions | undefined {
  const kept = Object.entries(options).flatMap(([provider, { thoughtSignature: _signature, ...others }]) =>
    Object.keys(others).length === 0 ? [] : [[provider, others] as const],
  );
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}

function cutLeaves(value: JSONValue, cut: Cut): JSONValue {
  if (typeof value === "string") return value === "" ? value : cutText(value, cut);
  if (Array.isArray(value)) return value.map((item) => cutLeaves(item, cut));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, cutLeaves(item ?? null, cut)]));
}
