import { answerApprovals } from "../message/approvals.js";
import { systemNote } from "../message/foreign-text.js";
import { isObject } from "../message/plain-value.js";
import type { AssistantPart, Message, SystemMessage } from "../message/types.js";
import { carried, customValue, type Fields, layOver } from "./carried.js";
import { CalledNames, encodeCall, encodeResponse } from "./gemini-calls.js";
import { encodePart } from "./gemini-parts.js";
import { Steps } from "./gemini-steps.js";
import type { GeminiContent, GeminiPart, GeminiPrompt } from "./gemini-types.js";
import { note, type Origins } from "./origins.js";
import { unposed } from "./unposed.js";
import { encodeUserParts, type PartsForm, unsaidInWords } from "./user-parts.js";
import { type WellFormed, wellFormed, wellFormedOf } from "./well-formed.js";

/** Messages that are known to be well-formed as this format writes them. */
const WELL_FORMED: WellFormed = new WeakSet();

type Instruction = NonNullable<GeminiPrompt["systemInstruction"]>;
const FORM: ReadonlySet<string> = new Set(["systemInstruction", "system_instruction"]);

interface Known {
  readonly names: CalledNames;
  readonly steps: Steps;
}

export function encodePrompt(messages: readonly Message[], origins?: Origins): GeminiPrompt {
  const start = messages.findIndex((message) => message.role !== "system");
  const leading = start < 0 ? messages : messages.slice(0, start);
  const systemInstruction = encodeInstruction(leading.filter((message) => message.role === "system"));
  const contents = encodeContents(answerApprovals(start < 0 ? [] : messages.slice(start)), origins);
  if (systemInstruction === undefined) return { contents };
  const snake = carried(messages[0]!, "gemini")?.system_instruction === true;
  return (
    snake ? { system_instruction: systemInstruction, contents } : { systemInstruction, contents }
  ) as GeminiPrompt;
}

function encodeInstruction(messages: readonly SystemMessage[]): Instruction | undefined {
  const parts = wellFormed(messages.map(encodeInstructionPart)).filter(isSendable);
  const [first] = messages;
  if (first === undefined || parts.length === 0) return undefined;
  const form = carried(first, "gemini")?.systemInstruction;
  if (form === "" && parts.length === 1) return parts[0]?.text as unknown as Instruction;
  if (Array.isArray(form)) return parts as unknown as Instruction;
  return layOver({ parts }, isObject(form) ? (form as Fields) : undefined);
}

function encodeInstructionPart(message: SystemMessage): { text: string } {
  const own = customValue<{ text: string }>(message, "gemini");
  if (own !== undefined && message.content === "") return own;
  return layOver({ text: message.content }, carried(message, "gemini"), FORM);
}

function encodeContents(messages: readonly Message[], origins: Origins | undefined): GeminiContent[] {
  const contents: GeminiContent[] = [];
  const known: Known = { names: new CalledNames(messages), steps: new Steps() };
  for (const message of messages) {
    known.steps.enter(message);
    const next = note(
      origins,
      message,
      wellFormedOf(message, unposed(message, encodeContent(message, known)), WELL_FORMED),
    );
    if (next.parts.length === 0) continue;
    const last = contents[contents.length - 1];
    if (last !== undefined && last.role === next.role) append(last, next);
    else contents.push(next);
  }
  return contents;
}

/** The first is this module's own: it grows in place. */
function append(first: GeminiContent, second: GeminiContent): void {
  const { parts } = first;
  for (const part of second.parts) parts.push(part);
  Object.assign(first, second, { parts });
}

function encodeContent(message: Message, known: Known): GeminiContent {
  const role = message.role === "assistant" ? "model" : "user";
  return layOver({ role, parts: encodeParts(message, known).filter(isSendable) }, carried(message, "gemini"));
}

function encodeParts(message: Message, known: Known): GeminiPart[] {
  if (message.role === "system") return message.content === "" ? [] : [{ text: systemNote(message.content) }];
  if (typeof message.content === "string") return [{ text: message.content }];
  if (message.role === "tool")
    return message.content.flatMap((part) => (part.type === "tool-result" ? encodeResponse(part, known.names) : []));
  if (message.role === "user") return encodeUserParts(message.content, PARTS);
  const parts = message.content.map((part) => encodeAnyPart(part, known)).filter((part) => part !== undefined);
  return parts.every(isSilent) ? [...parts, { text: unsaidInWords(message.content, "gemini") }] : parts;
}

const isSilent = (part: GeminiPart): boolean => !isSendable(part) || part.thought === true;

const PARTS: PartsForm<GeminiPart> = {
  encode: encodePart,
  isSendable: (part) => isSendable(part),
  say: (text) => ({ text }),
};

/** Empty text is refused, unless it carries a signature; so is a part that is no object. */
const isSendable = (part: GeminiPart): boolean =>
  isObject(part) && !("text" in part && part.text === "" && Object.keys(part).length === 1);

function encodeAnyPart(part: AssistantPart, known: Known): GeminiPart | undefined {
  switch (part.type) {
    case "tool-call":
      return part.providerExecuted ? undefined : encodeCall(part, known.names, known.steps.takeFirst());
    case "tool-result":
    case "tool-approval-request":
      return undefined;
    default:
      return encodePart(part);
  }
}
