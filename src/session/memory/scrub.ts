import { areNearlyEqual } from "../../memory/facts/duplicates.js";
import { isObject } from "../../message/plain-value.js";
import { FORGOTTEN } from "./redacted-message.js";

/** What is shorter than this says too little to be known again in a longer text. */
const TELLING = 12;

/** A value of JSON in which no text holds one of these; the same object where none did. */
export function scrubbed(value: unknown, texts: readonly string[]): unknown {
  if (typeof value === "string") return texts.some((text) => holds(value, text)) ? FORGOTTEN : value;
  if (Array.isArray(value)) {
    const items = value.map((item) => scrubbed(item, texts));
    return items.some((item, at) => item !== value[at]) ? items : value;
  }
  if (!isObject(value)) return value;
  const fields = Object.entries(value).map(([name, field]) => [name, scrubbed(field, texts)] as const);
  return fields.some(([name, field]) => field !== value[name]) ? Object.fromEntries(fields) : value;
}

/** A list of notes without those that tell what one of these texts does, or part of it. */
export const scrubbedList = (values: readonly unknown[], texts: readonly string[]): unknown[] =>
  values.filter((value) => !(typeof value === "string" && texts.some((text) => tells(value, text))));

const holds = (value: string, text: string): boolean => (text.length < TELLING ? value === text : value.includes(text));

const tells = (value: string, text: string): boolean =>
  value === FORGOTTEN || holds(value, text) || (value.length >= TELLING && text.includes(value)) || isSame(value, text);

const isSame = (value: string, text: string): boolean => value.length >= TELLING && areNearlyEqual(value, text);
