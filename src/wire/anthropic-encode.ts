import { answerApprovals } from "../message/approvals.js";
import { customWords } from "../message/carried-words.js";
import { outputText } from "../message/content.js";
import { systemNote } from "../message/foreign-text.js";
import { copyValue, isObject } from "../message/plain-value.js";
import type {
  AssistantMessage,
  AssistantPart,
  CustomPart,
  Message,
  ReasoningPart,
  SystemMessage,
  ToolCallPart,
  ToolMessage,
  ToolOutput,
  ToolResultPart,
  UserMessage,
} from "../message/types.js";
import { encodeBlock, encodeToolBlock } from "./anthropic-blocks.js";
import { type CacheMarks, removeCacheMarks, setCacheMarks } from "./anthropic-cache-marks.js";
import { limitMedia } from "./anthropic-media.js";
import { isThinking, withoutDeadCalls } from "./anthropic-server-calls.js";
import type {
  AnthropicBlock,
  AnthropicMessage,
  AnthropicPrompt,
  AnthropicTextBlock,
  AnthropicToolResultBlock,
} from "./anthropic-types.js";
import { CallIds } from "./call-ids.js";
import { carried, customValue, type Fields, layOver, optionText } from "./carried.js";
import { note, type Origins } from "./origins.js";
import { plainNames, type SendableTexts, type TextForm } from "./sendable-text.js";
import { toolNames } from "./tool-names.js";
import { isError, outputOf } from "./tool-output.js";
import { unposed } from "./unposed.js";
import { encodeUserParts, type PartsForm, unsaidInWords } from "./user-parts.js";
import { type WellFormed, wellFormed, wellFormedOf } from "./well-formed.js";

/** Messages that are known to be well-formed as this format writes them. */
const WELL_FORMED: WellFormed = new WeakSet();

const CONTENT: ReadonlySet<string> = new Set(["content"]);
const INPUT: ReadonlySet<string> = new Set(["input"]);

/** Ids and names as they were written so far. */
interface Known {
  readonly ids: CallIds;
  readonly names: SendableTexts;
}

export function encodePrompt(messages: readonly Message[], origins?: Origins, marks?: CacheMarks): AnthropicPrompt {
  const start = messages.findIndex((message) => message.role !== "system" || inPlace(message));
  const leading = start < 0 ? messages : messages.slice(0, start);
  const system = encodeSystem(leading.filter((message) => message.role === "system"));
  const conversation = answerApprovals(start < 0 ? [] : messages.slice(start));
  const known = { ids: new CallIds(IDS), names: toolNames(conversation, NAMES) };
  const encoded = encodeMessages(conversation, known, origins);
  const prompt = system === undefined ? { messages: encoded } : { system, messages: encoded };
  limitMedia(prompt);
  removeCacheMarks(prompt);
  if (marks !== undefined) setCacheMarks(prompt, marks);
  return prompt;
}

const inPlace = (message: Message): boolean => carried(message, "anthropic")?.role === "system";

function encodeSystem(messages: readonly SystemMessage[]): AnthropicPrompt["system"] {
  const blocks = wellFormed(messages.map(encodeSystemBlock)).filter(isSendable);
  const [only] = messages;
  if (blocks.length === 0 || only === undefined) return undefined;
  return messages.length === 1 && isPlain(only) ? blocks[0]?.text : blocks;
}

const isPlain = (message: SystemMessage): boolean => carried(message, "anthropic") === undefined;

function encodeSystemBlock(message: SystemMessage): AnthropicTextBlock {
  const own = customValue<AnthropicTextBlock>(message, "anthropic");
  if (own !== undefined && message.content === "") return own;
  return layOver({ type: "text", text: message.content }, carried(message, "anthropic"));
}

function encodeMessages(messages: readonly Message[], known: Known, origins?: Origins): AnthropicMessage[] {
  const encoded = joined(
    messages.map((message) =>
      note(origins, message, wellFormedOf(message, unposed(message, encodeMessage(message, known)), WELL_FORMED)),
    ),
  );
  const left = joined(withoutDeadCalls(encoded).map(withoutLastThoughts));
  const placed = left.map((message, at) => (isPlaced(left, at) ? message : asNote(message, origins)));
  const finished = joined(placed).map(resultsFirst);
  const last = finished.at(-1);
  if (last?.role === "assistant") endInText(last);
  return finished;
}

/** A system message stands behind the user, and ends the request or is followed by the assistant. */
function isPlaced(messages: readonly AnthropicMessage[], at: number): boolean {
  const roles: (string | undefined)[] = [at - 1, at, at + 1].map((place) => messages[place]?.role);
  return roles[1] !== "system" || (roles[0] === "user" && roles[2] !== "user");
}

/** Elsewhere it becomes a marked note in its place. */
function asNote(message: AnthropicMessage, origins?: Origins): AnthropicMessage {
  const text = toBlocks(message.content).flatMap((block) => (block.type === "text" ? [block.text] : []));
  const written: AnthropicMessage = { role: "user", content: systemNote(text.join("\n")) };
  const origin = origins?.get(message);
  return origin === undefined ? written : note(origins, origin, written);
}

/** Neighbours of one role are one message; empty ones are left out. */
function joined(messages: readonly AnthropicMessage[]): AnthropicMessage[] {
  const encoded: AnthropicMessage[] = [];
  for (const next of messages) {
    if (typeof next.content === "string" ? isBlank(next.content) : next.content.length === 0) continue;
    const last = encoded[encoded.length - 1];
    if (last?.role === next.role) append(last, next);
    else encoded.push(next);
  }
  return encoded;
}

/**
 * The first is this module's own: it grows in place. A message that has thinking must begin with it, so thinking of the
 * second goes where the first begins with something else.
 */
function append(first: AnthropicMessage, second: AnthropicMessage): void {
  const content = toBlocks(first.content);
  const begins = content.slice(0, 1).every(isThinking);
  for (const block of toBlocks(second.content)) if (begins || !isThinking(block)) content.push(block);
  Object.assign(first, second, { content });
}

/** What was thought at the end led to nothing; the API refuses a message that ends in it. */
function withoutLastThoughts(message: AnthropicMessage): AnthropicMessage {
  if (message.role !== "assistant" || typeof message.content === "string") return message;
  const end = message.content.findLastIndex((block) => !isThinking(block)) + 1;
  if (end < message.content.length) message.content = message.content.slice(0, end);
  return message;
}

/** The API goes on with the last message where it is the assistant's, and refuses white space at its end. */
function endInText(message: AnthropicMessage): void {
  const { content } = message;
  const last = typeof content === "string" ? undefined : content.at(-1);
  if (typeof content === "string") message.content = content.trimEnd();
  else if (last?.type === "text" && typeof last.text === "string") last.text = last.text.trimEnd();
}

const toBlocks = (content: string | AnthropicBlock[]): AnthropicBlock[] =>
  typeof content === "string" ? [{ type: "text", text: content }] : content;

function resultsFirst(message: AnthropicMessage): AnthropicMessage {
  if (message.role !== "user" || typeof message.content === "string") return message;
  const results = message.content.filter((block) => block.type === "tool_result");
  if (results.length === 0) return message;
  return { ...message, content: [...results, ...message.content.filter((block) => block.type !== "tool_result")] };
}

function encodeMessage(message: Message, known: Known): AnthropicMessage {
  switch (message.role) {
    case "system":
      return encodeLaterSystem(message);
    case "user":
      return finish(message, "user", encodeUser(message));
    case "assistant":
      return finish(message, "assistant", encodeAssistant(message, known));
    case "tool":
      return finish(message, "user", encodeTool(message, known.ids));
  }
}

function encodeLaterSystem(message: SystemMessage): AnthropicMessage {
  const fields = carried(message, "anthropic");
  if (fields?.role === "system") return layOver({ role: "user", content: message.content }, fields);
  return { role: "user", content: isBlank(message.content) ? "" : systemNote(message.content) };
}

const finish = (message: Message, role: "user" | "assistant", content: string | AnthropicBlock[]): AnthropicMessage =>
  layOver({ role, content }, carried(message, "anthropic"));

const encodeUser = ({ content }: UserMessage): string | AnthropicBlock[] =>
  typeof content === "string" ? content : encodeUserParts(content, PARTS);

const PARTS: PartsForm<AnthropicBlock> = {
  encode: encodeBlock,
  isSendable: (block) => isSendable(block),
  say: (text) => ({ type: "text", text }),
};

function encodeAssistant({ content }: AssistantMessage, known: Known): string | AnthropicBlock[] {
  if (typeof content === "string") return content;
  known.ids.start();
  const blocks = content
    .map((part) => (part.type === "tool-call" ? encodeCall(part, known) : encodeAssistantBlock(part)))
    .filter(isSendable);
  return blocks.every(isThinking) ? [...blocks, ...inWords(content)] : blocks;
}

/** The assistant can only speak here: its files, and parts of other formats, are said where it says nothing else. */
function inWords(parts: readonly AssistantPart[]): AnthropicBlock[] {
  const text = unsaidInWords(parts, "anthropic");
  return isBlank(text) ? [] : [{ type: "text", text }];
}

/** The API refuses blank text, and blocks that are no object. */
const isBlank = (text: unknown): boolean => typeof text === "string" && text.trim() === "";
const isSendable = <Block extends AnthropicBlock>(block: Block | undefined): block is Block =>
  typeof block === "object" && block !== null && !(block.type === "text" && isBlank(block.text));

export type PlainAssistantPart = Exclude<AssistantPart, ToolCallPart>;

export function encodeAssistantBlock(part: PlainAssistantPart): AnthropicBlock | undefined {
  switch (part.type) {
    case "text":
      return encodeBlock(part);
    case "custom":
      return encodeCustom(part);
    case "reasoning":
      return encodeReasoning(part);
    default:
      return undefined;
  }
}

/** Images and documents are the user's: the API refuses them in the assistant's turn. */
function encodeCustom(part: CustomPart): AnthropicBlock | undefined {
  const block = encodeBlock(part);
  return block?.type === "image" || block?.type === "document" ? { type: "text", text: customWords(part) } : block;
}

/** Only what Anthropic itself signed, or sent without a signature, may go back. */
function encodeReasoning(part: ReasoningPart): AnthropicBlock | undefined {
  const fields = carried(part, "anthropic");
  const data = optionText(part, "anthropic", "redactedData");
  if (data !== undefined) return layOver({ type: "redacted_thinking", data }, fields);
  const signature = optionText(part, "anthropic", "signature");
  if (signature !== undefined) return layOver({ type: "thinking", thinking: part.text, signature }, fields);
  if (fields?.type !== "thinking") return undefined;
  return layOver({ type: "thinking", thinking: part.text } as AnthropicBlock, fields);
}

function encodeCall(part: ToolCallPart, { ids, names }: Known): AnthropicBlock | undefined {
  if (part.providerExecuted) return undefined;
  const fields = carried(part, "anthropic");
  const value = copyValue(part.input);
  const input = isObject(value) || fields?.input === true ? value : { input: value };
  const block: AnthropicBlock = {
    type: "tool_use",
    id: ids.call(part.toolCallId),
    name: names.written(part.toolName),
    input,
  };
  layOver(block, fields, INPUT);
  return fields?.input === false && isEmptyObject(part.input) ? layOver(block, { input: false }) : block;
}

/** Ids of calls have letters, digits, `_` and `-` only. */
const IDS: TextForm = {
  mend: (id) => id.replace(/[^a-zA-Z0-9_-]/g, "_") || "_",
  longest: Number.POSITIVE_INFINITY,
};

const NAMES = plainNames(128);

const isEmptyObject = (value: unknown): boolean => isObject(value) && Object.keys(value).length === 0;

const encodeTool = ({ content }: ToolMessage, ids: CallIds): AnthropicBlock[] =>
  content.filter((part) => part.type === "tool-result").map((part) => encodeResult(part, ids));

function encodeResult(part: ToolResultPart, ids: CallIds): AnthropicToolResultBlock {
  const fields = carried(part, "anthropic");
  const block: AnthropicToolResultBlock = {
    type: "tool_result",
    tool_use_id: ids.result(part.toolCallId),
    content: encodeOutput(outputOf(part), fields),
    ...(isError(part.output) && { is_error: true }),
  };
  layOver(block, fields, CONTENT);
  if (block.content === "" && fields?.content !== undefined) layOver(block, { content: fields.content });
  if (block.is_error === true && isSilent(block.content)) block.content = FAILED;
  return block;
}

/** The API wants a failed call to say something. */
const FAILED = "[The call failed and said nothing.]";
const isSilent = (content: unknown): boolean =>
  content === undefined || content === null || isBlank(content) || (Array.isArray(content) && content.length === 0);

function encodeOutput(output: ToolOutput, fields: Fields | undefined): AnthropicToolResultBlock["content"] {
  if (output.type === "content") return output.value.map(encodeToolBlock).filter(isSendable);
  return output.type === "json" && isObject(fields?.content) ? "" : outputText(output);
}
