/** Function calls and responses. Gemini matches them by name and order where they carry no id. */
import { outputText } from "../message/content.js";
import { copyValue, isObject } from "../message/plain-value.js";
import type { JSONValue, Message, ToolCallPart, ToolResultPart } from "../message/types.js";
import type { CallTracker } from "./call-tracker.js";
import { carried, type Fields, layOver, oddField, unknownFields } from "./carried.js";
import { encodePart, finishPart, nested, partOptions } from "./gemini-parts.js";
import type { GeminiPart } from "./gemini-types.js";
import type { SendableTexts, TextForm } from "./sendable-text.js";
import { toolNames } from "./tool-names.js";
import { hasFailed, outputMedia } from "./tool-output.js";
import type { WireObject } from "./value.js";

const CALL_PART: ReadonlySet<string> = new Set(["functionCall", "thoughtSignature", "thought"]);
const RESPONSE_PART: ReadonlySet<string> = new Set(["functionResponse", "thoughtSignature", "thought"]);
const CALL_FIELDS: ReadonlySet<string> = new Set(["id", "name", "args"]);
const RESPONSE_FIELDS: ReadonlySet<string> = new Set(["id", "name", "response"]);

interface CallPlace {
  /** Where the call stands: content and part. */
  readonly index: number;
  readonly at: number;
  /** Whether it is the first of its content: the one that a model signs. */
  readonly isFirst: boolean;
}

export function decodeCall(wire: WireObject, called: WireObject, { index, at, isFirst }: CallPlace): ToolCallPart {
  const { id, name, args } = called;
  const toolCallId = typeof id === "string" ? id : `call_${index}_${at}`;
  const toolName = typeof name === "string" ? name : "";
  let fields = namedFields(called, CALL_FIELDS);
  if (!isObject(args)) fields = oddField(fields, "args", args);
  const input = isObject(args) ? copyValue(args) : {};
  const unsigned = isFirst && typeof wire.thoughtSignature !== "string" ? { thoughtSignature: false } : {};
  const options = partOptions(wire, { functionCall: fields, ...unsigned }, CALL_PART);
  return { type: "tool-call", toolCallId, toolName, input, ...options };
}

function namedFields(wire: WireObject, known: ReadonlySet<string>): Fields | undefined {
  let fields = unknownFields(wire, known);
  if (typeof wire.id !== "string") fields = oddField(fields, "id", wire.id);
  return typeof wire.name === "string" ? fields : oddField(fields, "name", wire.name);
}

export function decodeResponse(wire: WireObject, answered: WireObject, calls: CallTracker): ToolResultPart {
  const { id, name, response } = answered;
  const named = typeof name === "string" ? name : undefined;
  const toolCallId = typeof id === "string" ? id : (calls.answer(named) ?? "");
  const called = typeof id === "string" ? calls.answered(id) : calls.nameOf(toolCallId);
  let fields = namedFields(answered, RESPONSE_FIELDS);
  if (called !== undefined && named !== called) fields = oddField(fields, "name", name);
  if (!isObject(response)) fields = oddField(fields, "response", response);
  const value: JSONValue = isObject(response) ? copyValue(response) : {};
  const options = partOptions(wire, { functionResponse: fields }, RESPONSE_PART);
  const toolName = named ?? called ?? "";
  return { type: "tool-result", toolCallId, toolName, output: { type: "json", value }, ...options };
}

/** What the API takes in place of a signature for a call that its model did not make, or not like this. */
const UNSIGNED = "skip_thought_signature_validator";

/** `isFirst` says that the call stands first in a step of the turn, where Gemini 3 wants a signature. */
export function encodeCall(part: ToolCallPart, names: CalledNames, isFirst: boolean): GeminiPart {
  const fields = carried(part, "gemini");
  const input = copyValue(part.input);
  const args = isObject(input) ? input : { input };
  const own = nested(fields?.functionCall);
  const functionCall = { id: part.toolCallId, name: names.called(part, own?.id === undefined), args };
  layOver(functionCall, own, ARGS);
  if (own?.args !== undefined && Object.keys(args).length === 0) layOver(functionCall, { args: own.args });
  const signed = isFirst && fields?.thoughtSignature !== false ? { thoughtSignature: UNSIGNED } : {};
  return finishPart({ functionCall, ...signed }, part, fields);
}
const ARGS: ReadonlySet<string> = new Set(["args"]);
const RESPONSE: ReadonlySet<string> = new Set(["response"]);

/** Names of functions have 64 letters, digits and `_`, `.`, `:`, `-`, and begin with a letter or `_`. */
export const isGeminiName = (name: string): boolean => /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/.test(name);
const NAMES: TextForm = {
  longest: 64,
  mend: (name) =>
    isGeminiName(name)
      ? name
      : name
          .replace(/[^a-zA-Z0-9_.:-]/g, "_")
          .replace(/^(?![a-zA-Z_])/, "_")
          .slice(0, 64),
};

interface Called {
  readonly name: string;
  /** Whether the call is sent with its id; its response must be as well, or neither. */
  readonly hasId: boolean;
}

/** The names to write for calls and for their responses. */
export class CalledNames {
  readonly #names: SendableTexts;
  readonly #byId = new Map<string, Called>();

  constructor(messages: readonly Message[]) {
    this.#names = toolNames(messages, NAMES);
  }

  called({ toolCallId, toolName }: ToolCallPart, hasId: boolean): string {
    this.#byId.set(toolCallId, { name: toolName, hasId });
    return this.#names.written(toolName);
  }

  /** A response has the name of its call. */
  answered({ toolCallId, toolName }: ToolResultPart): string {
    return this.#names.written(this.#byId.get(toolCallId)?.name ?? toolName);
  }

  /** What is laid over a response to a call that was sent without its id. */
  withoutId({ toolCallId }: ToolResultPart): Fields | undefined {
    return this.#byId.get(toolCallId)?.hasId === false ? { id: false } : undefined;
  }
}

/** The response, and after it the media of the output, unless they stand inside it as Gemini has them. */
export function encodeResponse(part: ToolResultPart, names: CalledNames): GeminiPart[] {
  const fields = carried(part, "gemini");
  const response = encodeOutput(part);
  const functionResponse = { id: part.toolCallId, name: names.answered(part), response };
  const own = nested(fields?.functionResponse);
  layOver(functionResponse, own, RESPONSE);
  if (own?.id === undefined) layOver(functionResponse, names.withoutId(part));
  if (own?.response !== undefined && Object.keys(response).length === 0)
    layOver(functionResponse, { response: own.response });
  const media = own?.parts === undefined ? outputMedia(part.output).map(encodePart) : [];
  return [finishPart({ functionResponse }, part, fields), ...media.filter((item) => item !== undefined)];
}

function encodeJson(type: "json" | "error-json", value: JSONValue): Record<string, unknown> {
  if (type === "error-json") return { error: value };
  return isObject(value) ? value : { output: value };
}

/** Gemini wants an object: `output` and `error` are the names it knows. */
function encodeOutput(part: ToolResultPart): Record<string, unknown> {
  const { output } = part;
  if (output.type === "json" || output.type === "error-json") return encodeJson(output.type, copyValue(output.value));
  return hasFailed(part) || output.type === "execution-denied"
    ? { error: outputText(output) }
    : { output: outputText(output) };
}
