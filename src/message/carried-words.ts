/**
 * A part that only its own format has a place for, in words: what can be read in its carried value goes to every
 * provider. Sealed values, base64 and reasoning are not read.
 */
import { CarriedFields } from "./carried-fields.js";
import { isObject } from "./plain-value.js";
import type { ProviderOptions } from "./types.js";

/** Fields that say something themselves or hold others that do. */
const SAID: ReadonlySet<string> = new Set([
  "code",
  "codeExecutionResult",
  "content",
  "context",
  "executableCode",
  "output",
  "query",
  "results",
  "source",
  "stderr",
  "stdout",
  "text",
  "title",
  "url",
]);

interface Custom {
  readonly type: string;
  readonly kind?: unknown;
  readonly providerOptions?: ProviderOptions;
}

/** The texts of a custom part; empty where it has none that a model could read. */
export function customText(part: Custom): string {
  const texts: string[] = [];
  for (const { value } of carriedValues(part)) addTexts(value, texts);
  return texts.join("\n");
}

/** The texts of a custom part, or else that there was one. */
export const customWords = (part: Custom): string => customText(part) || `[part: ${kindOf(part)}]`;

/** Whether a part carries a value of a wire format, whichever it is. */
export const carriesValue = (part: Custom): boolean => carriedValues(part).length > 0;

interface CarriedValue {
  readonly format: string;
  readonly value: unknown;
}

function carriedValues({ providerOptions }: Custom): CarriedValue[] {
  const varve = providerOptions?.varve;
  const formats = CarriedFields.is(varve) ? varve.toJSON() : varve;
  return Object.entries(formats ?? {}).flatMap(([format, fields]) =>
    isObject(fields) && fields.value !== undefined ? [{ format, value: fields.value }] : [],
  );
}

function kindOf(part: Custom): string {
  if (typeof part.kind === "string") return part.kind;
  const [carried] = carriedValues(part);
  if (carried === undefined) return part.type;
  const { format, value } = carried;
  return `${format}.${isObject(value) && typeof value.type === "string" ? value.type : "part"}`;
}

function addTexts(value: unknown, texts: string[]): void {
  if (typeof value === "string") {
    if (value.trim() !== "" && !value.startsWith("data:")) texts.push(value);
  } else if (Array.isArray(value)) for (const item of value) addTexts(item, texts);
  else if (isObject(value) && !isReasoning(value.type)) {
    for (const name in value) if (SAID.has(name) || isTextSource(name, value)) addTexts(value[name], texts);
  }
}

const isReasoning = (type: unknown): boolean => typeof type === "string" && /reasoning|thinking/.test(type);

/** `data` is text where its source says so, and base64 everywhere else. */
const isTextSource = (name: string, { type }: { readonly [key: string]: unknown }): boolean =>
  name === "data" && type === "text";
