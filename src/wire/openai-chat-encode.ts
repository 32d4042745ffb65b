import { answerApprovals } from "../message/approvals.js";
import { outputText } from "../message/content.js";
import type {
  AssistantMessage,
  AssistantPart,
  Message,
  TextPart,
  ToolMessage,
  ToolOutput,
  ToolResultPart,
  UserMessage,
  UserPart,
} from "../message/types.js";
import { carried, customValue, type Fields, layOver } from "./carried.js";
import { ChatCalls } from "./openai-calls.js";
import { encodeCall, isFunctionCall } from "./openai-chat-calls.js";
import { mendMessages } from "./openai-chat-mend.js";
import { encodeAssistantPart, encodePart, encodeToolPart, listText } from "./openai-chat-parts.js";
import type {
  OpenAIAssistantMessage,
  OpenAIAssistantPart,
  OpenAIContentPart,
  OpenAIMessage,
  OpenAIToolCall,
  OpenAIToolMessage,
  OpenAIUserMessage,
} from "./openai-chat-types.js";
import { note, type Origins } from "./origins.js";
import { outputMedia, outputOf } from "./tool-output.js";
import { encodeUserParts, type PartsForm, unsaidInWords } from "./user-parts.js";
import { type WellFormed, wellFormed, wellFormedOf } from "./well-formed.js";

/** Messages that are known to be well-formed as this format writes them. */
const WELL_FORMED: WellFormed = new WeakSet();

/** Fields that hold only while the message has nothing in their place. */
const FALLBACKS: ReadonlySet<string> = new Set(["content", "tool_calls", "function_call"]);

interface State {
  readonly encoded: OpenAIMessage[];
  readonly calls: ChatCalls;
  /** What waits for the results to end. */
  media: UserPart[];
}

export function encodeMessages(messages: readonly Message[], origins?: Origins): OpenAIMessage[] {
  const state: State = { encoded: [], calls: new ChatCalls(messages), media: [] };
  for (const message of answerApprovals(messages)) {
    const from = state.encoded.length;
    if (message.role === "tool") encodeTool(message, state);
    else {
      if (state.media.length > 0) flush(state);
      state.encoded.push(wellFormedOf(message, encodeMessage(message, state.calls), WELL_FORMED));
    }
    if (origins !== undefined) note(origins, message, state.encoded.slice(from));
  }
  if (state.media.length > 0) flush(state);
  return mendMessages(state.encoded);
}

function flush(state: State): void {
  state.encoded.push(wellFormed(encodeUser({ role: "user", content: state.media })));
  state.media = [];
}

function encodeMessage(message: Exclude<Message, ToolMessage>, calls: ChatCalls): OpenAIMessage {
  switch (message.role) {
    case "system":
      return lay({ role: "system", content: message.content }, carried(message, "openaiChat"));
    case "user":
      return encodeUser(message);
    case "assistant":
      return encodeAssistant(message, calls);
  }
}

/** Lays carried fields over; a mark on the content holds only while the content still is what it was. */
function lay<T extends OpenAIMessage>(wire: T, fields: Fields | undefined): T {
  if (fields === undefined) return wire;
  layOver(wire, fields, FALLBACKS);
  for (const name of FALLBACKS) {
    if (fields[name] !== undefined && holds(wire, name, fields[name])) layOver(wire, { [name]: fields[name] });
  }
  return wire;
}

function holds(wire: OpenAIMessage, name: string, mark: unknown): boolean {
  if (name !== "content") return !(name in wire);
  if (Array.isArray(mark)) return wire.role !== "assistant" && wire.role !== "tool" && listText(mark) === wire.content;
  return wire.content === "" || wire.content === null;
}

const PARTS: PartsForm<OpenAIContentPart> = {
  encode: encodePart,
  isSendable: () => true,
  say: (text) => ({ type: "text", text }),
};

function encodeUser(message: UserMessage): OpenAIUserMessage {
  const content = typeof message.content === "string" ? message.content : encodeUserParts(message.content, PARTS);
  return lay({ role: "user", content }, carried(message, "openaiChat"));
}

function encodeAssistant(message: AssistantMessage, calls: ChatCalls): OpenAIAssistantMessage {
  const fields = carried(message, "openaiChat");
  const asList = Array.isArray(fields?.content);
  const { content } = message;
  if (typeof content === "string" && !asList) return lay({ role: "assistant", content }, fields);
  const parts = typeof content === "string" ? textParts(content) : content;
  const wire: OpenAIAssistantMessage = { role: "assistant", content: asList ? encodeList(parts) : joinTexts(parts) };
  addCalls(wire, parts, calls);
  if (wire.content === "")
    wire.content = wire.tool_calls || wire.function_call ? null : unsaidInWords(parts, "openaiChat");
  return lay(wire, fields);
}

const textParts = (text: string): AssistantPart[] => (text === "" ? [] : [{ type: "text", text }]);

/** Neighbouring texts are one text; a refusal, and texts with something between them, are paragraphs. */
function joinTexts(parts: readonly AssistantPart[]): string {
  let text = "";
  let gap = false;
  for (const part of parts) {
    if (part.type === "text" && fieldOf(part) === undefined) {
      const apart = isRefusal(part);
      text += (gap || apart) && text !== "" ? `\n\n${part.text}` : part.text;
      gap = apart;
    } else gap = true;
  }
  return text;
}

const isRefusal = (part: TextPart): boolean =>
  part.providerOptions !== undefined &&
  (carried(part, "openaiResponses")?.type === "refusal" || carried(part, "openaiChat")?.type === "refusal");

/** The message field that a part was on the wire, such as `refusal`. */
function fieldOf(part: AssistantPart): string | undefined {
  if (part.type !== "text" && part.type !== "reasoning") return undefined;
  if (part.providerOptions === undefined) return undefined;
  const type = carried(part, "openaiChat")?.type;
  return typeof type === "string" && type.startsWith("message.") ? type.slice("message.".length) : undefined;
}

function encodeList(parts: readonly AssistantPart[]): OpenAIAssistantPart[] {
  const list: OpenAIAssistantPart[] = [];
  for (const part of parts) {
    if (part.type !== "text" && part.type !== "custom") continue;
    if (fieldOf(part) !== undefined || isOddCall(part)) continue;
    const encoded = encodeAssistantPart(part);
    if (encoded !== undefined) list.push(encoded);
  }
  return list;
}

const isOddCall = (part: AssistantPart): boolean =>
  part.type === "custom" && carried(part, "openaiChat")?.type === "tool_call";

function addCalls(wire: OpenAIAssistantMessage, parts: readonly AssistantPart[], calls: ChatCalls): void {
  const list: OpenAIToolCall[] = [];
  for (const part of parts) {
    if (part.type === "custom") addOddCall(list, part);
    else if (part.type === "text" || part.type === "reasoning") addField(wire, part);
    if (part.type !== "tool-call" || part.providerExecuted) continue;
    const call = encodeCall(part, calls);
    if (isFunctionCall(part) && "function" in call) wire.function_call = call.function;
    else list.push(call);
  }
  if (list.length > 0) wire.tool_calls = list;
}

function addOddCall(calls: OpenAIToolCall[], part: AssistantPart & { type: "custom" }): void {
  const call = isOddCall(part) ? customValue<OpenAIToolCall>(part, "openaiChat") : undefined;
  if (call !== undefined) calls.push(call);
}

function addField(wire: OpenAIAssistantMessage, part: AssistantPart & { type: "text" | "reasoning" }): void {
  const name = fieldOf(part);
  if (name !== undefined) layOver(wire, { [name]: part.text });
}

function encodeTool(message: ToolMessage, { encoded, calls, media }: State): void {
  const from = encoded.length;
  for (const part of message.content) {
    if (part.type !== "tool-result") continue;
    const fields = carried(part, "openaiChat");
    const output = outputOf(part);
    encoded.push(encodeResult(part, encodeOutput(output, fields), { fields, calls }));
    if (output.type === "content" && !Array.isArray(fields?.content))
      for (const item of outputMedia(output)) media.push(item);
  }
  if (!WELL_FORMED.has(message)) wellFormedOf(message, encoded.slice(from), WELL_FORMED);
}

function encodeResult(
  { toolCallId }: ToolResultPart,
  content: OpenAIToolMessage["content"],
  { fields, calls }: { fields: Fields | undefined; calls: ChatCalls },
): OpenAIToolMessage {
  const wire: OpenAIToolMessage = { role: "tool", tool_call_id: calls.id(toolCallId), content };
  const named = fields?.tool_call_id === undefined ? calls.withoutId(toolCallId) : undefined;
  return lay(layOver(wire, named), fields);
}

function encodeOutput(output: ToolOutput, fields: Fields | undefined): OpenAIToolMessage["content"] {
  if (output.type !== "content" || !Array.isArray(fields?.content)) return outputText(output);
  const content = output.value.map(encodeToolPart).filter((item) => item !== undefined);
  return content as OpenAIToolMessage["content"];
}
