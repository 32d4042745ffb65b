import { isObject, type UnknownFields } from "../../message/plain-value.js";
import { isOpenAIName, OPENAI_IDS } from "../openai-calls.js";
import { doubledItems, isEmptyList, isInput, leadsNowhere } from "../openai-responses-mend.js";
import { isNativeCall } from "../openai-responses-native.js";
import { type PairEvent, pairFaults } from "./pairing.js";
import type { Fault } from "./violation.js";

/**
 * What OpenAI's Responses refuse, in the words of the API where it has some for it:
 *
 * - `no-messages`: "One of "input" or "previous_response_id" or … must be provided."
 * - `unanswered-call`: "No tool output found for function call call_1."
 * - `orphan-result`: "No tool call found for function call output with call_id call_1."
 * - `reasoning-alone`: "Item 'rs_1' of type 'reasoning' was provided without its required following item."
 * - `duplicate-item-id`: "Duplicate item found with id rs_1. Remove duplicate items from your input and try again."
 * - `empty-output`, `blank-message`: "Invalid 'input[2].output': empty array. Expected an array with minimum length 1"
 * - `call-id`: "Invalid 'input[1].call_id': string too long. Expected a string with maximum length 64"
 * - `tool-name`: "Invalid 'input[1].name': string does not match pattern. … '^[a-zA-Z0-9_-]+$'", 64 characters at most
 */
export function openaiResponsesFaults(list: readonly unknown[]): Fault[] {
  const items = list.filter(isObject);
  const where = (rule: string, breaks: (item: UnknownFields) => boolean): Fault[] =>
    items.filter(breaks).map((item) => ({ rule, at: [item] }));
  return [
    ...(items.some(({ role }) => role !== "system" && role !== "developer") ? [] : [{ rule: "no-messages", at: [] }]),
    ...pairFaults(events(items)),
    ...items.flatMap((item, at) => (leadsNowhere(items, at) ? [{ rule: "reasoning-alone", at: [item] }] : [])),
    ...doubledItems(items).map((item) => ({ rule: "duplicate-item-id", at: [item] })),
    ...where("empty-output", ({ output }) => isEmptyList(output)),
    ...where("blank-message", ({ role, content }) => role !== undefined && isEmptyList(content)),
    ...where("call-id", ({ call_id: id }) => typeof id === "string" && id.length > OPENAI_IDS.longest),
    ...where("tool-name", (item) => typeof item.name === "string" && isCall(item) && !isOpenAIName(item.name)),
  ];
}

const isCall = ({ type }: UnknownFields): boolean =>
  type === "function_call" || type === "custom_tool_call" || isNativeCall(type);

/** The provider itself may yet answer calls of other types. */
function events(items: readonly UnknownFields[]): PairEvent[] {
  const shells = new Map(
    items.filter(({ type }) => type === "local_shell_call").map((item) => [item.id, item.call_id]),
  );
  return items.flatMap((item): PairEvent[] => {
    const { type, id } = item;
    // The local shell's own field for the call that an output answers is its id.
    const call = item.call_id ?? (type === "local_shell_call_output" ? (shells.get(id) ?? id) : undefined);
    const at = [item];
    if (type === "mcp_approval_request" && typeof id === "string")
      return [{ call: `${type} ${id}`, at, mayWait: true }];
    const { approval_request_id: request } = item;
    if (type === "mcp_approval_response" && typeof request === "string")
      return [{ result: `mcp_approval_request ${request}`, at }];
    if (typeof call !== "string") return [];
    return isInput(item) ? [{ result: call, at }] : [{ call, at, mayWait: !isCall(item) }];
  });
}
