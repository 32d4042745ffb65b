import { CarriedFields } from "./carried-fields.js";
import { customWords } from "./carried-words.js";
import { isObject } from "./plain-value.js";
import { argumentsText } from "./tool-call.js";
import type { AssistantPart, Message, Part, ToolCallPart, ToolContentPart, ToolOutput } from "./types.js";

/** The calls of an assistant message that expect a result from outside: not those the provider ran itself. */
export function callsOf(message: Message): ToolCallPart[] {
  if (message.role !== "assistant" || typeof message.content === "string") return [];
  return message.content.filter((part): part is ToolCallPart => part.type === "tool-call" && !part.providerExecuted);
}

/** A tool's output as the text that is sent to a model: what it says, its JSON, or why it was denied. Media have none. */
export function outputText(output: ToolOutput): string {
  switch (output.type) {
    case "text":
    case "error-text":
      return output.value;
    case "json":
    case "error-json":
      return JSON.stringify(output.value) ?? "null";
    case "execution-denied":
      return output.reason ?? "Tool execution denied.";
    case "content":
      return output.value.flatMap(contentText).join("\n");
  }
}

function contentText(part: ToolContentPart): string[] {
  if (part.type === "custom") return [customWords(part)];
  return part.type === "text" && typeof part.text === "string" ? [part.text] : [];
}

/** Everything a model would read of a message, as one text: its words, its calls and its results. */
export function messageText(message: Message): string {
  if (typeof message.content === "string") return message.content;
  return message.content.map(partText).filter(Boolean).join("\n");
}

function partText(part: Part): string {
  if (part.type === "text" || part.type === "reasoning") return part.text;
  if (part.type === "tool-call") return `${part.toolName} ${argumentsText(part)}`;
  return part.type === "tool-result" ? outputText(part.output) : "";
}

/** True where no provider would read anything in the message: blank text, no call, no result, no media. */
export function isBlank(message: Message): boolean {
  if (typeof message.content === "string") return !/\S/.test(message.content) && !carriesAudio(message);
  return message.content.every(isBlankPart) && !carriesAudio(message);
}

/** Whether the assistant spoke: Chat Completions name what was said by an id beside the content. */
export function carriesAudio({ role, providerOptions }: Message): boolean {
  return role === "assistant" && isAudible(providerOptions?.varve);
}

/** Whether audio is among the fields that a message carries. */
export function isAudible(carried: unknown): boolean {
  if (CarriedFields.is(carried)) return isObject(carried.of("openaiChat")?.audio);
  return isObject(carried) && isObject(carried.openaiChat) && isObject(carried.openaiChat.audio);
}

/** Reasoning alone is blank: providers refuse it without the words or calls that it led to. */
function isBlankPart(part: Part): boolean {
  if (part.type === "text") return !/\S/.test(part.text);
  return part.type === "reasoning" || part.type === "reasoning-file";
}

/** True where a provider signed the reasoning: changing a byte of it makes the request invalid. */
export function isSignedReasoning(part: Part): boolean {
  if (part.type !== "reasoning" && part.type !== "reasoning-file") return false;
  const { anthropic, openai, google } = part.providerOptions ?? {};
  return [
    anthropic?.signature,
    anthropic?.redactedData,
    openai?.itemId,
    openai?.reasoningEncryptedContent,
    google?.thoughtSignature,
  ].some((mark) => mark !== undefined && mark !== null);
}

/** Whether the assistant said nothing after it reasoned. */
export function endsInReasoning(parts: readonly AssistantPart[]): boolean {
  const last = parts[parts.length - 1];
  return last !== undefined && !isOutput(last);
}

export const isOutput = ({ type }: AssistantPart): boolean => type !== "reasoning" && type !== "reasoning-file";

/** How a text begins: so many letters at most, on one line. */
export function beginning(text: string, most: number): string {
  const start = text.slice(0, most * 4);
  const letters = [...start.replace(/\s+/g, " ").trim()];
  if (letters.length <= most && start === text) return letters.join("");
  return `${letters.slice(0, most).join("").trimEnd()}…`;
}
