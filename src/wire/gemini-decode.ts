import { describeValue } from "../errors.js";
import { isObject } from "../message/plain-value.js";
import { simplified } from "../message/same-message.js";
import type { AssistantMessage, AssistantPart, Message, SystemMessage, UserPart } from "../message/types.js";
import { CallTracker } from "./call-tracker.js";
import { carry, customPart, type Fields, oddField, unknownFields } from "./carried.js";
import { decodeCall, decodeResponse } from "./gemini-calls.js";
import { decodePart } from "./gemini-parts.js";
import { camelCased } from "./gemini-spelling.js";
import { expectList, expectObject, invalidMessage, unknownRole, type WireObject } from "./value.js";

const FORMAT = "Gemini";
const CONTENT_FIELDS: ReadonlySet<string> = new Set(["role", "parts"]);
const INSTRUCTION_FIELDS: ReadonlySet<string> = new Set(["parts"]);
const TEXT_FIELDS: ReadonlySet<string> = new Set(["text"]);

export function decodePrompt(prompt: unknown): Message[] {
  if (Array.isArray(prompt) || !isObject(prompt)) return decodeContents(expectList(prompt, FORMAT));
  const contents = decodeContents(expectList(prompt.contents, FORMAT));
  const { systemInstruction, system_instruction: snake } = prompt;
  if (systemInstruction !== undefined || snake === undefined)
    return [...decodeInstruction(systemInstruction, {}), ...contents];
  return [...decodeInstruction(snake, { system_instruction: true }), ...contents];
}

/** Each part is a system message; the first one carries the form of the whole. */
function decodeInstruction(instruction: unknown, spelling: Fields): Message[] {
  if (instruction === undefined || instruction === null) return [];
  const parts = instructionParts(instruction);
  const form = instructionForm(instruction);
  const whole = form === undefined ? spelling : { ...spelling, systemInstruction: form };
  return parts.map((part, index) => decodeInstructionPart(part, index === 0 ? whole : {}));
}

function instructionParts(instruction: unknown): readonly unknown[] {
  if (typeof instruction === "string") return [{ text: instruction }];
  return expectList(isObject(instruction) ? instruction.parts : instruction, `${FORMAT} systemInstruction`);
}

/** `""` for a string, `[]` for bare parts, the unknown fields for an object. */
function instructionForm(instruction: unknown): Fields | "" | [] | undefined {
  if (typeof instruction === "string") return "";
  return isObject(instruction) ? unknownFields(instruction, INSTRUCTION_FIELDS) : [];
}

function decodeInstructionPart(part: unknown, more: Fields): SystemMessage {
  if (!isObject(part) || typeof part.text !== "string")
    return { role: "system", content: "", providerOptions: customPart("gemini", part, more).providerOptions };
  const fields = { ...unknownFields(part, TEXT_FIELDS), ...more };
  return {
    role: "system",
    content: part.text,
    ...carry("gemini", Object.keys(fields).length > 0 ? fields : undefined),
  };
}

function decodeContents(contents: readonly unknown[]): Message[] {
  const calls = new CallTracker(() => contents.flatMap(responseIds));
  const decoded: Message[] = [];
  for (let index = 0; index < contents.length; index++) {
    const wire = expectObject(contents[index], FORMAT, index);
    for (const message of decodeContent(wire, index, calls)) decoded.push(message);
  }
  return decoded;
}

function responseIds(wire: unknown): string[] {
  if (!isObject(wire) || !Array.isArray(wire.parts)) return [];
  return wire.parts.map(responseIn).flatMap((response) => (typeof response?.id === "string" ? [response.id] : []));
}

function responseIn(part: unknown): WireObject | undefined {
  const response = isObject(part) ? (part.functionResponse ?? part.function_response) : undefined;
  return isObject(response) ? response : undefined;
}

function decodeContent(wire: WireObject, index: number, calls: CallTracker): Message[] {
  const parts = partsOf(wire, index);
  const fields = unknownFields(wire, CONTENT_FIELDS);
  switch (wire.role) {
    case "model":
      return [decodeModel(parts, { index, calls }, fields)];
    case "user":
      return decodeUser(parts, { index, calls }, fields);
    case undefined:
    case "function":
    case "tool":
      return decodeUser(parts, { index, calls }, oddField(fields, "role", wire.role));
    default:
      throw unknownRole(wire.role, { format: FORMAT, index, hint: ROLES_HINT });
  }
}

const ROLES_HINT = "The role is user, model or function; the system instruction stands beside the contents.";

function partsOf({ parts }: WireObject, index: number): readonly unknown[] {
  if (parts === undefined || parts === null) return [];
  if (Array.isArray(parts)) return parts;
  throw invalidMessage({
    format: FORMAT,
    index,
    problem: `has parts that are ${describeValue(parts)}`,
    hint: "Parts is a list.",
  });
}

interface Place {
  readonly index: number;
  readonly calls: CallTracker;
}

function decodeModel(parts: readonly unknown[], place: Place, fields: Fields | undefined): AssistantMessage {
  let isFirst = true;
  const decoded = parts.map((wire, at) => {
    const part = decodeModelPart(wire, { ...place, at, isFirst });
    if (part.type === "tool-call") isFirst = false;
    return part;
  });
  place.calls.called(decoded);
  return simplified({ role: "assistant", content: decoded, ...carry("gemini", fields) });
}

function decodeModelPart(wire: unknown, place: Place & { at: number; isFirst: boolean }): AssistantPart {
  const named = isObject(wire) ? camelCased(wire) : {};
  if (isObject(named.functionCall) && isOnly(named, "functionCall"))
    return decodeCall(named, named.functionCall, place);
  const part = decodePart(wire, "model");
  return part.type === "image" ? customPart("gemini", wire) : part;
}

/** A part holds one kind of data; one that holds several is carried as it is. */
const DATA_FIELDS = ["text", "inlineData", "fileData", "functionCall", "functionResponse"];
const isOnly = (wire: WireObject, name: string): boolean =>
  DATA_FIELDS.every((field) => field === name || wire[field] === undefined);

/** Responses are messages of their own here; each run of responses and of other parts becomes one. */
function decodeUser(parts: readonly unknown[], place: Place, fields: Fields | undefined): Message[] {
  const messages: Message[] = [];
  if (!parts.some(responseIn)) place.calls.spoken();
  for (const part of parts) addUserPart(messages, part, place.calls);
  if (messages.length === 0) messages.push({ role: "user", content: [] });
  return messages.map((message) => ({ ...simplified(message), ...carry("gemini", fields && copyFields(fields)) }));
}

const copyFields = (fields: Fields): Fields => ({ ...fields });

function addUserPart(messages: Message[], wire: unknown, calls: CallTracker): void {
  const last = messages[messages.length - 1];
  const named = isObject(wire) ? camelCased(wire) : {};
  if (isObject(named.functionResponse) && isOnly(named, "functionResponse")) {
    const part = decodeResponse(named, named.functionResponse, calls);
    if (last?.role === "tool") last.content.push(part);
    else messages.push({ role: "tool", content: [part] });
    return;
  }
  const part = userPart(wire);
  if (last?.role === "user" && typeof last.content !== "string") last.content.push(part);
  else messages.push({ role: "user", content: [part] });
}

function userPart(wire: unknown): UserPart {
  const part = decodePart(wire, "user");
  return part.type === "reasoning" || part.type === "reasoning-file" ? customPart("gemini", wire) : part;
}
