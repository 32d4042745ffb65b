/**
 * What a wire format holds beyond the canonical message travels under `providerOptions.varve.<format>`: the fields as
 * they stood on the wire, to be laid over the encoded message again. A known field appears there only where the
 * canonical form does not give it back; `false` then says that it was absent. A part of no canonical form is a custom
 * part with the whole wire value under `value`.
 */
import { CarriedFields, type Fields } from "../message/carried-fields.js";
import { copyValue, isObject, sameValue } from "../message/plain-value.js";
import type { CustomPart, ProviderOptions } from "../message/types.js";
import type { WireObject } from "./value.js";

export type { Fields };
export type Format = "openaiChat" | "openaiResponses" | "anthropic" | "gemini";
interface Holder {
  readonly providerOptions?: ProviderOptions;
}

/**
 * What is not carried. Anthropic's mark for its prompt cache, which gateways take in other formats too, is transport. What a
 * client has read out of an answer is refused when it comes back: "Unknown parameter: 'input[2].parsed_arguments'"
 * (openai-python#2374), "messages.3.content.3.text.parsed: Extra inputs are not permitted" (anthropic-sdk-typescript#857).
 */
const MARKS: ReadonlySet<string> = new Set(["cache_control", "parsed", "parsed_arguments"]);

/** A block without its marks, and without those of what stands in a document; the very same where it has none. */
export function withoutMark(wire: unknown): unknown {
  if (!isObject(wire)) return wire;
  const { source } = wire;
  const inner = isObject(source) && Array.isArray(source.content) ? source.content.map(withoutMark) : undefined;
  const names = Object.keys(wire);
  const kept = names.filter((name) => !MARKS.has(name));
  if (kept.length === names.length && inner === undefined) return wire;
  const rest = Object.fromEntries(kept.map((name) => [name, wire[name]]));
  return inner === undefined ? rest : { ...rest, source: { ...(source as object), content: inner } };
}

/** The fields that `known` does not name, copied; undefined where there are none. */
export function unknownFields(wire: WireObject, known: ReadonlySet<string>): Fields | undefined {
  let fields: Fields | undefined;
  for (const key in wire) {
    if (known.has(key) || MARKS.has(key) || wire[key] === undefined || key === "__proto__") continue;
    const value = copyValue(wire[key]);
    if (fields === undefined) fields = { [key]: value };
    else fields[key] = value;
  }
  return fields;
}

/** One field more, whether there were any before or not. */
export function withField(fields: Fields | undefined, name: string, value: unknown): Fields {
  const extended = fields ?? {};
  extended[name] = copyValue(value);
  return extended;
}

/** Marks a known field of the wrong type, or one that was absent. */
export const oddField = (fields: Fields | undefined, name: string, value: unknown): Fields =>
  withField(fields, name, value ?? (value === null ? null : false));

export function carry(format: Format, fields: Fields | undefined, options?: ProviderOptions): Holder {
  if (fields === undefined) return options === undefined ? {} : { providerOptions: options };
  return { providerOptions: { ...options, varve: { [format]: fields } } };
}

export function carried(holder: Holder, format: Format): Fields | undefined {
  const varve = holder.providerOptions?.varve;
  if (CarriedFields.is(varve)) return varve.of(format);
  const fields = varve?.[format];
  return isObject(fields) ? (fields as Fields) : undefined;
}

/** What 0.1.0 carried beside calls that OpenAI would refuse. */
const MARK_OF_0_1 = "varve_own";

/** Lays carried fields over an encoded object; `false` takes a field away. Names in `except` are left to the caller. */
export function layOver<const T extends object>(
  target: T,
  fields: Fields | undefined,
  except?: ReadonlySet<string>,
): T {
  if (fields === undefined) return target;
  const open = target as Record<string, unknown>;
  for (const key in fields) {
    if (except?.has(key) || key === MARK_OF_0_1) continue;
    if (fields[key] === false && key in open) delete open[key];
    else open[key] = copyValue(fields[key]);
  }
  return target;
}

export function customPart(format: Format, value: unknown, more?: Fields): CustomPart {
  const type = isObject(value) && typeof value.type === "string" ? value.type : "part";
  return {
    type: "custom",
    kind: `${format}.${type}`,
    providerOptions: { varve: { [format]: { ...more, value: copyValue(withoutMark(value)) } } },
  };
}

/** A custom part's own wire value, or undefined where it belongs to another format. */
export function customValue<T>(part: CustomPart | Holder, format: Format): T | undefined {
  const value = carried(part, format)?.value;
  return value === undefined ? undefined : (copyValue(value) as T);
}

/** Keeps a decoded part only if encoding gives its wire value back; else the wire value itself is carried. */
export function faithful<T>(part: T | undefined, again: (part: T) => unknown, wire: unknown): T | undefined {
  return part !== undefined && sameValue(again(part), withoutMark(wire)) ? part : undefined;
}

/** One field of a provider's own options, where it is a string. */
export function optionText(holder: Holder, provider: string, name: string): string | undefined {
  const value = holder.providerOptions?.[provider]?.[name];
  return typeof value === "string" ? value : undefined;
}
