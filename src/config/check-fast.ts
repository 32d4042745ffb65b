/**
 * Checks a value against a JSON Schema of the kinds that varve.json's is made of. A schema library takes longer to load
 * than a small command takes to run, so it is asked only where this finds a value wrong, or a schema that it does not know.
 */
type Schema = Readonly<Record<string, unknown>>;

/** What says nothing about a value. */
const WORDS = new Set(["$schema", "$id", "title", "description", "default", "propertyNames"]);

type Rule = (value: unknown, given: never, schema: Schema) => boolean;

const RULES: Readonly<Record<string, Rule>> = {
  type: (value, kind: string) => typeOf(value, kind),
  const: (value, only: unknown) => value === only,
  enum: (value, list: readonly unknown[]) => list.includes(value),
  minimum: (value, least: number) => typeof value !== "number" || value >= least,
  maximum: (value, most: number) => typeof value !== "number" || value <= most,
  exclusiveMinimum: (value, bound: number) => typeof value !== "number" || value > bound,
  minLength: (value, least: number) => typeof value !== "string" || value.length >= least,
  format: (value, kind: string) => kind === "uri" && (typeof value !== "string" || URL.canParse(value)),
  anyOf: (value, kinds: readonly Schema[]) => kinds.some((kind) => fits(kind, value)),
  items: (value, item: Schema) => !Array.isArray(value) || value.every((each) => fits(item, each)),
  properties: (value, fields: Readonly<Record<string, Schema>>) =>
    !isRecord(value) ||
    Object.entries(value).every(([key, each]) => !Object.hasOwn(fields, key) || fits(fields[key]!, each)),
  required: (value, names: readonly string[]) => !isRecord(value) || names.every((name) => Object.hasOwn(value, name)),
  additionalProperties: (value, rest: Schema | boolean, { properties }) =>
    !isRecord(value) ||
    Object.entries(value).every(([key, each]) => Object.hasOwn(Object(properties), key) || fits(rest, each)),
};

/** True where a value is surely as the schema has it; false where it is not, or where that cannot be told here. */
export function fits(schema: Schema | boolean, value: unknown): boolean {
  if (typeof schema === "boolean") return schema;
  return Object.entries(schema).every(([keyword, given]) => {
    if (WORDS.has(keyword)) return true;
    return Object.hasOwn(RULES, keyword) && RULES[keyword]!(value, given as never, schema);
  });
}

function typeOf(value: unknown, kind: string): boolean {
  if (kind === "object") return isRecord(value);
  if (kind === "array") return Array.isArray(value);
  if (kind === "integer") return Number.isSafeInteger(value);
  return kind === "number" ? Number.isFinite(value) : typeof value === kind;
}

const isRecord = (value: unknown): value is Schema =>
  typeof value === "object" && value !== null && !Array.isArray(value);
