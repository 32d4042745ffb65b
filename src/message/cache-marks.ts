/**
 * Marks of a provider's prompt cache say where one request is to be cached. They are no part of the conversation: clients
 * move them from request to request, so a log that kept them would take each move for another message.
 */
import { isObject } from "./plain-value.js";
import { copyTextCall, isTextCall } from "./tool-call.js";
import type { ProviderOptions } from "./types.js";

/** The AI SDK's names for them: of Anthropic and of gateways in front of it, and of Bedrock. */
const MARKS: ReadonlySet<string> = new Set(["cacheControl", "cache_control", "cachePoint"]);

/** A message without the marks on it, its parts, its outputs and what is in these; the very same where it has none. */
export function withoutCacheMarks<T>(holder: T): T {
  if (!isObject(holder)) return holder;
  const { providerOptions, content, output, value, type } = holder;
  const options = withoutMarks(providerOptions);
  const inner = {
    ...(options !== providerOptions && { providerOptions: options }),
    ...changed("content", content, eachUnmarked),
    ...changed("output", output, withoutCacheMarks),
    ...(type === "content" && changed("value", value, eachUnmarked)),
  };
  if (Object.keys(inner).length === 0) return holder;
  return (isTextCall(holder) ? copyTextCall(holder, options) : { ...holder, ...inner }) as T;
}

function changed(name: string, before: unknown, change: (value: unknown) => unknown): object {
  const after = change(before);
  return after === before ? {} : { [name]: after };
}

function eachUnmarked(list: unknown): unknown {
  if (!Array.isArray(list)) return list;
  const items = list.map(withoutCacheMarks);
  return items.some((item, at) => item !== list[at]) ? items : list;
}

/** The options without marks; undefined where there was nothing else. */
function withoutMarks(options: unknown): ProviderOptions | undefined {
  if (!isObject(options) || !Object.values(options).some(hasMark)) return options as ProviderOptions | undefined;
  const kept = Object.entries(options as ProviderOptions).flatMap(([provider, fields]) => {
    if (!hasMark(fields)) return [[provider, fields] as const];
    const others = Object.entries(fields).filter(([name]) => !MARKS.has(name));
    return others.length === 0 ? [] : [[provider, Object.fromEntries(others)] as const];
  });
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}

const hasMark = (fields: unknown): boolean => isObject(fields) && Object.keys(fields).some((name) => MARKS.has(name));
