import { isSignedReasoning, outputText } from "../message/content.js";
import { argumentsText, parseArguments, toolCallFromText } from "../message/tool-call.js";
import type {
  JSONValue,
  Message,
  Part,
  ToolCallPart,
  ToolContentPart,
  ToolOutput,
  ToolResultPart,
} from "../message/types.js";
import { reduceObservation } from "../reduce/reduce-observation.js";
import { shortenText } from "../reduce/shorten-text.js";
import type { TokenCounter } from "../tokens/counter.js";
import { fillLevel } from "./fill.js";

/**
 * Makes the messages of one exchange smaller without dropping any: long texts, results and arguments are shortened
 * with a mark, small ones stay whole, ids and pairs are untouched. Signed reasoning is never changed.
 */
export interface ShrinkOptions {
  readonly maxTokens: number;
  readonly counter: TokenCounter;
}

const MEDIA_MARK = "[media left out to fit the window]";
/** Rounds of lowering the level: the tokens of a shortened piece are known only once it is made. */
const ROUNDS = 6;

/** The messages shortened to at most `maxTokens`, or undefined where even the shortest form is larger. */
export function shrinkMessages(messages: readonly Message[], options: ShrinkOptions): Message[] | undefined {
  const { maxTokens, counter } = options;
  const sizes = messages.flatMap((message) => pieceSizes(message, counter));
  const total = countAll(messages, counter);
  if (total <= maxTokens) return [...messages];
  const fixed = total - sizes.reduce((sum, size) => sum + size, 0);
  let level = fillLevel(sizes, maxTokens - fixed);
  for (let round = 0; round < ROUNDS; round++) {
    const shrunk = messages.map((message) => cutTo(message, level, counter));
    const tokens = countAll(shrunk, counter);
    if (tokens <= maxTokens) return shrunk;
    level = Math.floor(level * 0.8) - 1;
    if (level < 0) break;
  }
  const smallest = messages.map((message) => cutTo(message, 0, counter));
  return countAll(smallest, counter) <= maxTokens ? smallest : undefined;
}

/** The tokens of the shortest form that `shrinkMessages` can make. */
export function smallestTokens(messages: readonly Message[], counter: TokenCounter): number {
  return countAll(
    messages.map((message) => cutTo(message, 0, counter)),
    counter,
  );
}

/** A message with each of its tool results cut to `maxTokens`; the message itself where none is longer. */
export function capResults(message: Message, { maxTokens, counter }: ShrinkOptions): Message {
  if (message.role !== "tool") return message;
  const content = message.content.map((part) =>
    part.type === "tool-result" && outputTokens(part.output, counter) > maxTokens
      ? cutResult(part, maxTokens, counter)
      : part,
  );
  return content.some((part, at) => part !== message.content[at]) ? { ...message, content } : message;
}

const countAll = (messages: readonly Message[], counter: TokenCounter): number =>
  messages.reduce((sum, message) => sum + counter.message(message), 0);

function pieceSizes(message: Message, counter: TokenCounter): number[] {
  if (typeof message.content === "string") return message.role === "system" ? [] : [counter.text(message.content)];
  return message.content.map((part) => pieceSize(part, counter));
}

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

const outputTokens = (output: ToolOutput, counter: TokenCounter): number => counter.text(outputText(output));

function cutTo(message: Message, level: number, counter: TokenCounter): Message {
  if (message.role === "system") return message;
  if (message.role === "tool" || typeof message.content !== "string") return cutParts(message, level, counter);
  if (counter.text(message.content) <= level) return message;
  return { ...message, content: shorten(message.content, level, counter) };
}

function cutParts(message: Message, level: number, counter: TokenCounter): Message {
  const parts = message.content as readonly Part[];
  const content = parts.map((part) => (pieceSize(part, counter) <= level ? part : cutPart(part, level, counter)));
  return { ...message, content } as Message;
}

function cutPart(part: Part, level: number, counter: TokenCounter): Part {
  switch (part.type) {
    case "text":
    case "reasoning":
      return { ...part, text: shorten(part.text, level, counter) };
    case "tool-call":
      return cutCall(part, level, counter);
    case "tool-result":
      return cutResult(part, level, counter);
    case "image":
    case "file":
      return { type: "text", text: MEDIA_MARK };
    default:
      return part;
  }
}

const shorten = (text: string, maxTokens: number, counter: TokenCounter): string =>
  shortenText(text, { maxTokens, counter: (piece) => counter.text(piece) }) || "…";

/** A result keeps its kind of outcome; its text is reduced by what it looks like. */
function cutResult(part: ToolResultPart, maxTokens: number, counter: TokenCounter): ToolResultPart {
  return { ...part, output: cutOutput(part.output, maxTokens, counter) };
}

function cutOutput(output: ToolOutput, maxTokens: number, counter: TokenCounter): ToolOutput {
  const reduce = (text: string) => reduceObservation(text, { maxTokens, counter: (piece) => counter.text(piece) }).text;
  if (output.type === "content") return { ...output, value: cutContent(output.value, reduce) };
  const failed = output.type === "error-text" || output.type === "error-json";
  if (output.type === "execution-denied") return output;
  return { ...withOptions(output), type: failed ? "error-text" : "text", value: reduce(outputText(output)) };
}

const withOptions = ({ providerOptions }: ToolOutput) => (providerOptions === undefined ? {} : { providerOptions });

/** The texts of a list of contents are reduced as one, media are left out. */
function cutContent(value: readonly ToolContentPart[], reduce: (text: string) => string): ToolContentPart[] {
  const texts = value.flatMap((part) => (typeof part.text === "string" ? [part.text] : []));
  const media = value.length - texts.length;
  const text = [reduce(texts.join("\n")), ...(media > 0 ? [MEDIA_MARK] : [])].filter(Boolean).join("\n");
  return [{ type: "text", text }];
}

/**
 * A call with long arguments keeps its name, its keys and its short values; long strings in it are shortened. Where
 * the arguments have too many values for that, their text is shortened as a whole.
 */
function cutCall(part: ToolCallPart, maxTokens: number, counter: TokenCounter): ToolCallPart {
  const text = argumentsText(part);
  for (let limit = maxTokens; limit >= 4; limit = Math.floor(limit / 2)) {
    const cut = JSON.stringify(cutLeaves(parseArguments(text) as JSONValue, limit, counter));
    if (counter.text(cut) <= maxTokens) return withArguments(part, cut);
  }
  const whole = JSON.stringify({ shortened: shorten(text, Math.max(1, maxTokens - 12), counter) });
  return withArguments(part, counter.text(whole) <= maxTokens ? whole : "{}");
}

const withArguments = (part: ToolCallPart, text: string): ToolCallPart =>
  toolCallFromText({ id: part.toolCallId, name: part.toolName, text }, part.providerOptions);

function cutLeaves(value: JSONValue, limit: number, counter: TokenCounter): JSONValue {
  if (typeof value === "string") return counter.text(value) <= limit ? value : shorten(value, limit, counter);
  if (Array.isArray(value)) return value.map((item) => cutLeaves(item, limit, counter));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, cutLeaves(item ?? null, limit, counter)]));
}
