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
import { type CountTokens, fitsWithin } from "../reduce/measure.js";
import { reduceObservation } from "../reduce/reduce-observation.js";
import { shortenText } from "../reduce/shorten-text.js";
import type { TokenCounter } from "../tokens/counter.js";
import { contentFile, fileText, isTextFile } from "../tokens/text-file.js";
import { countMessages } from "./count-messages.js";

/** Rounds of lowering the level: the tokens of a shortened piece are known only once it is made. */
const ROUNDS = 8;
/** From this round on the level falls by a share as well: what is over may be a matter of marks. */
const STEEP_ROUND = 4;
const STEEP = 0.7;
/** Share of the room that media may take from long texts. */
const MEDIA_SHARE = 0.5;
/** Of a file that is text at least so many tokens are shown, or it is left out as media are. */
const LEAST_FILE = 16;

export type Shrinker = ReturnType<typeof shrinkerOf>;

/**
 * Makes the messages of one exchange smaller without dropping any: long texts, results and arguments are shortened
 * with a mark, small ones stay whole, ids and pairs are untouched. Signed reasoning is never changed. What was counted
 * for one size is kept for the next.
 */
export function shrinkerOf(
  messages: readonly Message[],
  counter: TokenCounter,
  tokens = countMessages(messages, counter),
) {
  const pieces = once(() => messages.map((message) => piecesIn(message, counter)));
  const all = once(() => pieces().flat());
  const cutTo = (level: number, hidden: ReadonlySet<Piece>) => {
    const cut = messages.map((message, at) => cutMessage(message, pieces()[at]!, { level, hidden }));
    return { messages: cut, tokens: countMessages(cut, counter) };
  };
  const shortest = once(() => cutTo(0, new Set(all().filter(({ kind }) => kind !== "text"))));
  /** Without what is hidden; undefined where too little would be left of what can be cut. */
  const fitWithout = (hidden: ReadonlySet<Piece>, maxTokens: number): readonly Message[] | undefined => {
    const cuttable = all().filter((piece) => piece.kind !== "media" && !hidden.has(piece));
    const sizes = cuttable.map(({ size }) => size);
    const least = cuttable.some(({ kind, size }) => kind === "file" && size > LEAST_FILE) ? LEAST_FILE : 1;
    let level = fillLevel(sizes, maxTokens - tokens + totalOf(cuttable) + savedBy(hidden, pieces(), counter));
    for (let round = 0; round < ROUNDS && level >= least; round++) {
      const cut = cutTo(level, hidden);
      const over = cut.tokens - maxTokens;
      if (over <= 0) return cut.messages;
      const start = Math.min(level, Math.max(0, ...sizes));
      const longer = sizes.filter((size) => size > start).length;
      level = Math.floor(start * (round < STEEP_ROUND ? 1 : STEEP)) - Math.ceil(over / Math.max(1, longer));
    }
    return undefined;
  };
  return {
    tokens,
    /** Tokens of the shortest form. */
    get least(): number {
      return Math.min(tokens, shortest().tokens);
    },
    /** The messages shortened to at most `maxTokens`, or undefined where even the shortest form is larger. */
    fit: (maxTokens: number): readonly Message[] | undefined => {
      if (tokens <= maxTokens) return messages;
      for (const hidden of choices(all(), maxTokens - tokens)) {
        const fitted = fitWithout(hidden, maxTokens);
        if (fitted !== undefined) return fitted;
      }
      return shortest().tokens <= maxTokens ? shortest().messages : undefined;
    },
  };
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** What may be left out, the least first: media that have no room, all media, and the files as well. Texts never are. */
function choices(pieces: readonly Piece[], over: number): ReadonlySet<Piece>[] {
  const media = pieces.filter(({ kind }) => kind === "media");
  const files = pieces.filter(({ kind }) => kind === "file");
  const hidden = [mediaBeyond(pieces, over), media, [...media, ...files]];
  return hidden.filter(({ length }, at) => length !== hidden[at + 1]?.length).map((list) => new Set(list));
}

/** The media that have no room. The latest come first: they may take what the rest leaves, and half of all in any case. */
function mediaBeyond(pieces: readonly Piece[], over: number): Piece[] {
  const space = over + totalOf(pieces);
  const rest = totalOf(pieces.filter(({ kind }) => kind !== "media"));
  let room = Math.max(space - rest, space * MEDIA_SHARE);
  return pieces.toReversed().filter(({ kind, size }) => {
    const isBeyond = kind === "media" && size > room;
    if (kind === "media" && !isBeyond) room -= size;
    return isBeyond;
  });
}

/** Tokens of what is hidden, less those of the marks in its place: one a message. */
function savedBy(hidden: ReadonlySet<Piece>, pieces: readonly (readonly Piece[])[], counter: TokenCounter): number {
  const marked = pieces.filter((list) => list.some((piece) => hidden.has(piece))).length;
  return totalOf([...hidden]) - marked * counter.text(mediaMark(hidden.size));
}

const totalOf = (pieces: readonly Piece[]): number => pieces.reduce((sum, { size }) => sum + size, 0);

/**
 * Water-filling: the level L at which pieces of the given sizes, each cut to at most L, just fit into the space.
 * Small pieces stay whole and the large ones share what is left evenly.
 */
export function fillLevel(sizes: readonly number[], space: number): number {
  const ascending = [...sizes].sort((a, b) => a - b);
  let left = space;
  for (const [at, size] of ascending.entries()) {
    const share = Math.floor(left / (ascending.length - at));
    if (size > share) return Math.max(0, share);
    left -= size;
  }
  return Number.POSITIVE_INFINITY;
}

/** A message with each of its tool results, or the words of an instruction, cut to so many tokens; itself where none is longer. */
export function capMessage(message: Message, cut: Cut): Message {
  const isLong = (text: string) => !fitsWithin(text, cut.maxTokens, cut.counter);
  if (message.role === "system")
    return isLong(message.content) ? { ...message, content: cutText(message.content, cut) } : message;
  if (message.role !== "tool") return message;
  const content = message.content.map((part) =>
    part.type === "tool-result" && isLong(textsOf(part.output).join("\n")) ? cutResult(part, cut) : part,
  );
  return content.some((part, at) => part !== message.content[at]) ? { ...message, content } : message;
}

/** All that is left out of a message shares one mark. */
function cutMessage(
  message: Message,
  pieces: readonly Piece[],
  { level, hidden }: { readonly level: number; readonly hidden: ReadonlySet<Piece> },
): Message {
  const gone = pieces.filter((piece) => hidden.has(piece));
  const parts = pieces.flatMap((piece): Part[] => {
    if (!hidden.has(piece)) return [piece.cut(level)];
    return piece === gone[0] ? [{ type: "text", text: mediaMark(gone.length) }] : [];
  });
  if (parts.every((part, at) => part === pieces[at]!.part)) return message;
  const [first] = parts;
  const isText = typeof message.content === "string" && first?.type === "text";
  return { ...message, content: isText ? first.text : parts } as Message;
}

/** How far a text is cut, and how it is counted. */
interface Cut {
  readonly maxTokens: number;
  readonly counter: CountTokens;
  readonly headShare?: number;
}

/** A part of a message, or its text, as something that may give way. */
interface Piece {
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
function piecesIn({ role, content }: Message, counter: TokenCounter): Piece[] {
  if (role === "system") return [];
  const parts: readonly Part[] = typeof content === "string" ? [{ type: "text", text: content }] : content;
  const headOf = (cut: Cut) => (role === "user" && cut.maxTokens < HEAD_BELOW ? { ...cut, headShare: 1 } : cut);
  return parts.map((part) => {
    const piece = (size: number, cut?: (to: Cut) => Part, kind: Piece["kind"] = "text"): Piece => {
      const cutTo = (level: number) => cut!({ maxTokens: level, counter: (text) => counter.text(text) });
      return { part, size, kind, cut: (level) => (size <= level || cut === undefined ? part : cutTo(level)) };
    };
    switch (part.type) {
      case "text":
      case "reasoning": {
        const isFixed = part.type === "reasoning" && isSignedReasoning(part);
        return piece(isFixed ? 0 : counter.text(part.text), (cut) => ({
          ...part,
          text: cutText(part.text, headOf(cut)),
        }));
      }
      case "tool-call":
        return piece(part.providerExecuted ? 0 : counter.text(argumentsText(part)), (cut) => cutCall(part, cut));
      case "tool-result":
        return piece(counter.message({ role: "tool", content: [part] }), (cut) => cutResult(part, cut));
      case "image":
      case "file": {
        const size = counter.message({ role: "user", content: [part] });
        return isMedia(part)
          ? piece(size, undefined, "media")
          : piece(size, (cut) => cutFile(part as FilePart, cut), "file");
      }
      default:
        return piece(0);
    }
  });
}

export const isMedia = (part: Part): boolean => part.type === "image" || (part.type === "file" && !isTextFile(part));

/** Stands for so many images and files. */
const mediaMark = (count: number): string => (count === 1 ? "[media left out]" : `[${count} media left out]`);

const cutText = (text: string, cut: Cut): string => shortenText(text, cut) || "…";

/** By what the text looks like. */
const reduced = (text: string, cut: Cut): string => reduceObservation(text, cut).text;

/** Share of the room of a file that its name may take. */
const TITLE_SHARE = 0.5;

/** A file that is text becomes the text that is left of it, below its name. */
function cutFile(part: FilePart, { maxTokens, counter }: Cut): TextPart {
  const { filename = "" } = part;
  const names = [filename, filename.slice(Math.max(filename.lastIndexOf("/"), filename.lastIndexOf("\\")) + 1)];
  const titles = names.filter((name) => name !== "").map((name) => `[file: ${name}]\n`);
  const title = titles.find((each) => counter(each) <= maxTokens * TITLE_SHARE) ?? "";
  const text = reduced(fileText(part) ?? "", { maxTokens: Math.max(0, maxTokens - counter(title)), counter });
  return { type: "text", text: `${title}${text || "…"}` };
}

/** A result keeps its kind of outcome. The texts of a list of contents are reduced as one, media are left out. */
function cutResult(part: ToolResultPart, cut: Cut): ToolResultPart {
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
const textsOf = (output: ToolOutput): string[] =>
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
  const { maxTokens, counter } = cut;
  const text = argumentsText(part);
  for (let limit = maxTokens; limit >= 4; limit = Math.floor(limit / 2)) {
    const leaves = JSON.stringify(cutLeaves(parseArguments(text) as JSONValue, { maxTokens: limit, counter }));
    if (counter(leaves) <= maxTokens) return withArguments(part, leaves);
  }
  const whole = JSON.stringify({ shortened: cutText(text, { maxTokens: Math.max(1, maxTokens - 12), counter }) });
  return withArguments(part, counter(whole) <= maxTokens ? whole : "{}");
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
