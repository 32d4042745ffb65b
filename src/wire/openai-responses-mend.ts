/** What of encoded items Responses would refuse, and what is sent instead. */
import { isObject, type UnknownFields } from "../message/plain-value.js";
import type { ResponsesItem } from "./openai-responses-types.js";

/** Items that may stand without an id. */
const NEED_NO_ID = /^(?:message|function_call|custom_tool_call|.*_output)$/;

/** The items without doubled ids, empty lists and reasoning that leads nowhere. They are the encoder's own. */
export function mendItems(items: readonly ResponsesItem[]): ResponsesItem[] {
  const doubled = new Set<unknown>(doubledItems(items));
  for (const item of items) if (doubled.has(item) && mayLoseId(item)) delete item.id;
  const single = items.filter((item) => !doubled.has(item) || mayLoseId(item));
  const whole = single.filter((item) => !("role" in item) || !isEmptyList(item.content));
  for (const item of whole) if ("output" in item && isEmptyList(item.output)) item.output = "";
  return whole.filter((_, at) => !leadsNowhere(whole, at));
}

const mayLoseId = (item: ResponsesItem): item is ResponsesItem & { id?: string } =>
  NEED_NO_ID.test(item.type ?? ("role" in item ? "message" : ""));

/** Items whose id another before them has; the output of a local shell has the id of its call. */
export function doubledItems(items: readonly unknown[]): UnknownFields[] {
  const ids = new Set<unknown>();
  return items
    .filter(isObject)
    .filter(
      ({ id, type }) => type !== "local_shell_call_output" && typeof id === "string" && ids.size === ids.add(id).size,
    );
}

export const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

/** Whether an item is reasoning, and no item of the assistant comes after it. */
export function leadsNowhere(items: readonly unknown[], at: number): boolean {
  if (!isReasoning(items[at])) return false;
  let next = at + 1;
  while (isReasoning(items[next])) next++;
  const led = items[next];
  return !isObject(led) || isInput(led);
}

const isReasoning = (item: unknown): boolean => isObject(item) && item.type === "reasoning";

/** Whether an item comes from outside: what the user or a tool says. */
export const isInput = ({ type, role }: UnknownFields): boolean =>
  role === undefined ? /_(?:output|response)$/.test(String(type)) : role !== "assistant";
