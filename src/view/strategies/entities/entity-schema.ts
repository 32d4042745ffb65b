import { z } from "zod";
import { VarveError } from "../../../errors.js";
import { isObject } from "../../../message/plain-value.js";
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
export type EntitySchema = ReturnType<typeof readEntitySchema>;

/** Reads a zod object or a JSON Schema. */
export function readEntitySchema(schema: z.ZodObject | JSONSchema) {
  const json: unknown = isZod(schema) ? z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) : schema;
  const properties = isObject(json) && isObject(json.properties) ? Object.entries(json.properties) : [];
  if (!isObject(json) || properties.length === 0)
    throw unreadable(schema, {
      message: "The schema of the entities names no properties.",
      hint: 'Give z.object({ destination: z.string() }), or a JSON Schema with "properties".',
    });
  const { required, ...rest } = json;
  const object = { ...rest, type: "object", additionalProperties: false };
  const optional = properties.map(([name, each]) => [name, { anyOf: [each, { type: "null" }] }]);
  const shape = isZod(schema) ? schema.shape : undefined;
  const whole = shape === undefined ? fromJSON(object) : undefined;
  return {
    properties: properties.map(([name, each]): EntityProperty => ({ name, schema: isObject(each) ? each : {} })),
    required: Array.isArray(required) ? required.filter((name) => typeof name === "string") : [],
    /** What a model is asked to follow: every property may be left out, or be null to take its value back. */
    partial: { ...object, properties: Object.fromEntries(optional) },
    accepts: (name: string, value: JSONValue): boolean =>
      (whole?.safeParse({ [name]: value }) ?? shape?.[name]?.safeParse(value))?.success ?? false,
  };
}

const isZod = (schema: unknown): schema is z.ZodObject => isObject(schema) && "_zod" in schema;

function fromJSON(schema: JSONSchema): z.ZodType {
  try {
    return z.fromJSONSchema(schema);
  } catch (cause) {
    throw unreadable(schema, {
      message: `The schema of the entities cannot be read: ${cause instanceof Error ? cause.message : String(cause)}.`,
      hint: "Give a JSON Schema with properties of the types string, number, integer, boolean, array or object.",
      cause,
    });
  }
}

const unreadable = (value: unknown, told: { message: string; hint: string; cause?: unknown }): VarveError =>
  new VarveError({ code: "invalid-option", ...told, details: { option: "schema", value } });
