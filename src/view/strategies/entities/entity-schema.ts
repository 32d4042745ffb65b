import { z } from "zod";
import { VarveError } from "../../../errors.js";
import type { JSONValue } from "../../../message/types.js";

/** A JSON Schema of an object. */
export interface JSONSchema {
  readonly [key: string]: unknown;
}

/** The values known so far, by property. Properties nobody has spoken of are absent. */
export type EntityState = Readonly<Record<string, JSONValue>>;

/** What is known of one property without its value. */
export interface EntityProperty {
  readonly name: string;
  readonly schema: JSONSchema;
}

/** A schema as the extractors need it, whichever way it was written. */
export interface EntitySchema {
  readonly properties: readonly EntityProperty[];
  readonly required: readonly string[];
  /** What a model is asked to follow: every property may be left out, or be null to take its value back. */
  readonly partial: JSONSchema;
  accepts(name: string, value: JSONValue): boolean;
}

/** Reads a zod object or a JSON Schema. */
export function readEntitySchema(schema: z.ZodObject | JSONSchema): EntitySchema {
  if (!isRecord(schema)) throw notAnObject(schema);
  const json = isZod(schema) ? zodSchema(schema) : schema;
  const { properties } = json;
  if (!isRecord(properties) || Object.keys(properties).length === 0) throw notAnObject(schema);
  const list = Object.entries(properties).map(([name, each]) => ({ name, schema: isRecord(each) ? each : {} }));
  const required = Array.isArray(json.required) ? json.required.filter((name) => typeof name === "string") : [];
  return { properties: list, required, partial: partialOf(json, list), accepts: acceptorOf(schema, json) };
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isZod = (schema: z.ZodObject | JSONSchema): schema is z.ZodObject => isRecord(schema) && "_zod" in schema;

const zodSchema = (schema: z.ZodObject): JSONSchema => ({
  ...z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }),
});

function partialOf({ required: _required, ...json }: JSONSchema, properties: readonly EntityProperty[]): JSONSchema {
  const optional = properties.map(({ name, schema }) => [name, { anyOf: [schema, { type: "null" }] }]);
  return { ...json, type: "object", properties: Object.fromEntries(optional), additionalProperties: false };
}

function acceptorOf(schema: z.ZodObject | JSONSchema, json: JSONSchema): EntitySchema["accepts"] {
  if (isZod(schema)) return (name, value) => schema.shape[name]?.safeParse(value).success ?? false;
  const whole = readable(json);
  return (name, value) => whole.safeParse({ [name]: value }).success;
}

function readable({ required: _required, ...rest }: JSONSchema): z.ZodType {
  try {
    return z.fromJSONSchema({ ...rest, type: "object", additionalProperties: false });
  } catch (cause) {
    throw unreadable(rest, cause);
  }
}

const unreadable = (schema: unknown, cause: unknown): VarveError =>
  new VarveError({
    code: "invalid-option",
    message: `The schema of the entities cannot be read: ${cause instanceof Error ? cause.message : String(cause)}.`,
    hint: "Give a JSON Schema with properties of the types string, number, integer, boolean, array or object.",
    cause,
    details: { option: "schema", value: schema },
  });

const notAnObject = (schema: unknown): VarveError =>
  new VarveError({
    code: "invalid-option",
    message: "The schema of the entities names no properties.",
    hint: 'Give z.object({ destination: z.string() }), or a JSON Schema with "properties".',
    details: { option: "schema", value: schema },
  });
