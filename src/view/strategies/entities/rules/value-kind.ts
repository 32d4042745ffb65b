import type { EntityProperty, JSONSchema } from "../entity-schema.js";

/** What kind of value a property takes, as far as the rules tell kinds apart. */
export type ValueKind =
  | "choice"
  | "boolean"
  | "number"
  | "email"
  | "phone"
  | "url"
  | "date"
  | "time"
  | "target"
  | "source"
  | "place"
  | "person"
  | "text"
  /** Lists and objects: no rule fills them. */
  | "none";

const FORMATS: Readonly<Record<string, ValueKind>> = {
  email: "email",
  uri: "url",
  url: "url",
  date: "date",
  "date-time": "date",
  time: "time",
};

/** Words in a property's name, and then in its description, that tell its kind; the first that fits counts. */
const WORDS: readonly (readonly [ValueKind, RegExp])[] = [
  ["email", /^e?mail$/],
  ["phone", /^(phone|telephone|mobile)$/],
  ["url", /^(url|website|link|homepage)$/],
  ["date", /^(date|day|when|deadline|birthday)$/],
  ["time", /^time$/],
  ["target", /^(destination|to)$/],
  ["source", /^(origin|from|departure)$/],
  ["place", /^(city|place|location|town|country)$/],
  ["person", /^(name|fullname|username)$/],
];

export function valueKind({ name, schema }: EntityProperty): ValueKind {
  const plain = nonNull(schema);
  if (choicesOf({ name, schema }).length > 0) return "choice";
  const { type, format } = plain;
  if (type === "boolean") return "boolean";
  if (type === "number" || type === "integer") return "number";
  if (type !== "string") return "none";
  const byFormat = typeof format === "string" ? FORMATS[format] : undefined;
  return byFormat ?? kindOfWords(wordsOf(name)) ?? "text";
}

const kindOfWords = (words: readonly string[]): ValueKind | undefined =>
  WORDS.find(([, pattern]) => words.some((word) => pattern.test(word)))?.[0];

/** The values that a property may take, where they are listed. */
export function choicesOf({ schema }: EntityProperty): string[] {
  const { enum: listed, const: only, anyOf } = nonNull(schema);
  const values = Array.isArray(listed) ? listed : only === undefined ? constants(anyOf) : [only];
  return values.filter((value) => typeof value === "string");
}

const constants = (anyOf: unknown): unknown[] =>
  Array.isArray(anyOf) ? anyOf.flatMap((each: JSONSchema) => (each?.const === undefined ? [] : [each.const])) : [];

/** A schema that allows null beside one other thing, as that thing. */
function nonNull(schema: JSONSchema): JSONSchema {
  const { type, anyOf } = schema;
  if (Array.isArray(type)) return { ...schema, type: type.find((each) => each !== "null") };
  const others = Array.isArray(anyOf) ? anyOf.filter((each: JSONSchema) => each?.type !== "null") : [];
  return others.length === 1 && typeof others[0] === "object" ? { ...schema, ...others[0] } : schema;
}

/** `departureDate`, `departure_date` and "Departure date" → departure, date. */
export const wordsOf = (text: string): string[] =>
  text
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, "$1 $2")
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? [];
