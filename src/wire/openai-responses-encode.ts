import { answerApprovals } from "../message/approvals.js";
import { carriesAudio } from "../message/content.js";
import { isObject } from "../message/plain-value.js";
import type {
  AssistantPart,
  CustomPart,
  Message,
  ReasoningPart,
  SystemMessage,
  TextPart,
  UserMessage,
} from "../message/types.js";
import { CallIds } from "./call-ids.js";
import { carried, customValue, type Fields, layOver, optionText } from "./carried.js";
import { OPENAI_IDS, openAINames } from "./openai-calls.js";
import { encodeCall, encodeCallOutput, type KnownCalls } from "./openai-responses-calls.js";
import { mendItems } from "./openai-responses-mend.js";
import { encodeInput, encodeOutput, textOf } from "./openai-responses-parts.js";
import type {
  ResponsesInputPart,
  ResponsesItem,
  ResponsesMessage,
  ResponsesOutputPart,
  ResponsesReasoning,
} from "./openai-responses-types.js";
import { note, type Origins } from "./origins.js";
import { encodeUserParts, type PartsForm, unsaidInWords } from "./user-parts.js";
import { type WellFormed, wellFormedOf } from "./well-formed.js";

/** Messages that are known to be well-formed as this format writes them. */
const WELL_FORMED: WellFormed = new WeakSet();

const CONTENT: ReadonlySet<string> = new Set(["content"]);

export function encodeItems(messages: readonly Message[], origins?: Origins): ResponsesItem[] {
  const calls: KnownCalls = {
    ids: new CallIds(OPENAI_IDS),
    names: openAINames(messages),
    types: new Map(),
    natives: new Map(),
  };
  const items = answerApprovals(messages).flatMap((message) =>
    note(origins, message, wellFormedOf(message, encodeMessage(message, calls), WELL_FORMED)),
  );
  return mendItems(items);
}

function encodeMessage(message: Message, calls: KnownCalls): ResponsesItem[] {
  switch (message.role) {
    case "system":
    case "user":
      return [encodeInputMessage(message)];
    case "tool":
      return message.content.filter((part) => part.type === "tool-result").map((part) => encodeCallOutput(part, calls));
    case "assistant":
      if (message.content === "" && carriesAudio(message)) return [];
      return typeof message.content === "string"
        ? [{ role: "assistant", content: message.content }]
        : encodeAssistant(message.content, calls);
  }
}

const PARTS: PartsForm<ResponsesInputPart> = {
  encode: encodeInput,
  isSendable: () => true,
  say: (text) => ({ type: "input_text", text }),
};

function encodeInputMessage(message: SystemMessage | UserMessage): ResponsesMessage {
  const fields = carried(message, "openaiResponses");
  const content = typeof message.content === "string" ? message.content : encodeUserParts(message.content, PARTS);
  const item: ResponsesMessage = { role: message.role, content };
  layOver(item, fields, CONTENT);
  const mark = fields?.content;
  if (mark === undefined) return item;
  return textOf(mark) === item.content ? layOver(item, { content: mark }) : item;
}

/** Parts that belong to one item find it last in the list. */
function encodeAssistant(parts: readonly AssistantPart[], calls: KnownCalls): ResponsesItem[] {
  const items: ResponsesItem[] = [];
  calls.ids.start();
  for (const part of parts) {
    if (parts.length > 1 && saysNothing(part)) continue;
    if (part.type === "text" || (part.type === "custom" && hasItem(part))) addSpoken(items, part);
    else if (part.type === "reasoning") addReasoning(items, part);
    else if (part.type === "custom") addCustom(items, part);
    else if (part.type === "tool-call" && !part.providerExecuted) items.push(encodeCall(part, calls));
  }
  if (items.every(isReasoning)) addUnsaid(items, parts);
  return items;
}

/** Blank text that was no item of its own: beside calls it would be an empty message. */
const saysNothing = (part: AssistantPart): boolean =>
  part.type === "text" &&
  part.text.trim() === "" &&
  itemOf(part) === undefined &&
  optionText(part, "openai", "itemId") === undefined;

const isReasoning = (item: ResponsesItem): boolean => "summary" in item;

/** The assistant can only speak here: its files and foreign parts are said in words where it has nothing else to say. */
function addUnsaid(items: ResponsesItem[], parts: readonly AssistantPart[]): void {
  const content = unsaidInWords(parts, "openaiResponses");
  if (content !== "") items.push({ role: "assistant", content });
}

const itemOf = (part: AssistantPart): Fields | "same" | undefined => {
  if (part.type === "tool-approval-request") return undefined;
  const item = carried(part, "openaiResponses")?.item;
  return item === "same" ? item : isObject(item) ? (item as Fields) : undefined;
};
const hasItem = (part: CustomPart): boolean => itemOf(part) !== undefined;

function addCustom(items: ResponsesItem[], part: CustomPart): void {
  const item = customValue<ResponsesItem>(part, "openaiResponses");
  if (item !== undefined) items.push(item);
}

function addSpoken(items: ResponsesItem[], part: TextPart | CustomPart): void {
  const item = itemOf(part);
  const spoken = encodeOutput(part);
  if (spoken === undefined) return;
  const last = items[items.length - 1];
  if (item === "same" && last !== undefined && isOpen(last)) last.content.push(spoken);
  else items.push(encodeSpoken(part, spoken, item));
}

const isOpen = (item: ResponsesItem): item is ResponsesMessage & { content: ResponsesOutputPart[] } =>
  "role" in item && Array.isArray(item.content);

function encodeSpoken(part: TextPart | CustomPart, spoken: ResponsesOutputPart, item: Fields | "same" | undefined) {
  const id = optionText(part, "openai", "itemId");
  const asText =
    part.type === "text" && (item === undefined ? id === undefined : isObject(item) && item.content === "");
  const message: ResponsesMessage = { role: "assistant", content: asText ? part.text : [spoken] };
  if (id !== undefined) message.id = id;
  return layOver(message, isObject(item) ? (item as Fields) : undefined, CONTENT);
}

/** Only what OpenAI itself reasoned may go back: it has an id, or came from this format. */
function addReasoning(items: ResponsesItem[], part: ReasoningPart): void {
  const item = itemOf(part);
  const id = optionText(part, "openai", "itemId");
  if (item === undefined && id === undefined) return;
  const last = items[items.length - 1];
  const summary = part.text === "" ? [] : [{ type: "summary_text" as const, text: part.text }];
  const continues = item === "same" || (item === undefined && last !== undefined && "id" in last && last.id === id);
  if (continues && last !== undefined && "summary" in last) {
    last.summary.push(...summary);
    layOver(last, encrypted(part));
  } else items.push(encodeReasoning({ summary, id }, encrypted(part), isObject(item) ? (item as Fields) : undefined));
}

function encodeReasoning(
  { summary, id }: Pick<ResponsesReasoning, "summary" | "id">,
  content: Fields,
  item: Fields | undefined,
): ResponsesReasoning {
  const reasoning: ResponsesReasoning = { type: "reasoning", ...(id !== undefined && { id }), summary };
  return layOver(layOver(reasoning, content), item);
}

function encrypted(part: ReasoningPart): Fields {
  const content = part.providerOptions?.openai?.reasoningEncryptedContent;
  return content === undefined ? {} : { encrypted_content: content };
}
