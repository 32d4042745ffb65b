import { isObject, type UnknownFields } from "../../message/plain-value.js";
import { isGeminiName } from "../gemini-calls.js";
import { camelCased } from "../gemini-spelling.js";
import type { GeminiPrompt } from "../gemini-types.js";
import { type PairEvent, pairFaults } from "./pairing.js";
import type { Fault } from "./violation.js";

/**
 * What Gemini refuses, in the words of the API where it has some for it:
 *
 * - `no-messages`: "GenerateContentRequest.contents: contents is not specified"
 * - `first-not-user`, `call-out-of-turn`: "Please ensure that function call turn comes immediately after a user turn or
 *   after a function response turn.", "Please ensure that multiturn requests alternate between user and model"
 * - `unanswered-call`, `orphan-result`: "Please ensure that the number of function response parts is equal to the number of
 *   function call parts of the function call turn.", "… that function response turn comes immediately after a function
 *   call turn."
 * - `blank-message`: "Unable to submit request because it must include at least one parts field"
 * - `blank-text`: "Unable to submit request because it has an empty text parameter."
 * - `tool-name`: "Invalid function name. Must start with a letter or an underscore. Must be a-z, A-Z, 0-9, or contain
 *   underscores (_), dots (.), colons (:), or dashes (-), with a maximum length of 64."
 */
export function geminiFaults({ contents }: GeminiPrompt): Fault[] {
  const turns = contents.map((content) => ({ content, parts: partsOf(content.parts) }));
  return [
    ...(contents.length === 0 ? [{ rule: "no-messages", at: [] }] : []),
    ...turns
      .slice(0, 1)
      .flatMap(({ content, parts }) => [
        ...(content.role === "model" ? [{ rule: "first-not-user", at: [content, ...content.parts] }] : []),
        ...(content.role === "model" && parts.some(isCall)
          ? [{ rule: "call-out-of-turn", at: [content, ...content.parts] }]
          : []),
      ]),
    ...pairFaults(turns.flatMap(({ content, parts }) => events(content.parts, parts))),
    ...turns.flatMap(({ content, parts }) => [
      ...(parts.length === 0 ? [{ rule: "blank-message", at: [content] }] : []),
      ...parts.flatMap((part, at) => partRules(part).map((rule) => ({ rule, at: [content.parts[at], content] }))),
    ]),
  ];
}

const partsOf = (parts: readonly unknown[]): UnknownFields[] => parts.filter(isObject).map(camelCased);
const isCall = ({ functionCall }: UnknownFields): boolean => isObject(functionCall);

/** Responses answer the calls of the turn before in their order. */
function events(wire: readonly unknown[], parts: readonly UnknownFields[]): PairEvent[] {
  const responses = wire.filter((_, at) => isObject(parts[at]?.functionResponse));
  const calls = wire.filter((_, at) => isCall(parts[at]!));
  return [
    ...responses.map((part, at) => ({ result: `call ${at}`, at: [part] })),
    "settle",
    ...calls.map((part, at) => ({ call: `call ${at}`, at: [part] })),
  ];
}

function partRules({ text, functionCall, functionResponse, ...rest }: UnknownFields): string[] {
  const names = [functionCall, functionResponse].filter(isObject).map(({ name }) => name);
  return [
    ...(text === "" && Object.keys(rest).length === 0 ? ["blank-text"] : []),
    ...(names.some((name) => typeof name === "string" && !isGeminiName(name)) ? ["tool-name"] : []),
  ];
}
