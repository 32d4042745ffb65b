import type { z } from "zod";
import { parseDocument } from "../compaction/parse-document.js";
import { describeValue, VarveError } from "../errors.js";

/** Where a value stands that is to be checked. */
export interface Place {
  /** The file, for people. */
  readonly file: string;
  /** The way to the value within it, such as "contextStrategy.config"; empty for the whole. */
  readonly path: string;
}

/** Checks a value against a strict schema; names the first field that is unknown or wrong, its value and what may stand there. */
export function checkFields<T>(schema: z.ZodType<T>, value: unknown, { file, path }: Place): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const unknown = parsed.error.issues.find((issue) => issue.code === "unrecognized_keys");
  if (unknown !== undefined)
    throw unknownField(schema, value, { file, path: [path, ...unknown.path, unknown.keys[0]!] });
  const name = path === "" ? file : `"${path}" of ${file}`;
  return parseDocument(schema, value, { name, hint: "See the example of plugin.json in docs/strategies.md." });
}

interface UnknownField {
  readonly file: string;
  readonly path: readonly PropertyKey[];
}

function unknownField(schema: z.ZodType, value: unknown, { file, path }: UnknownField): VarveError {
  const [, ...inner] = path;
  const found = inner.reduce<unknown>((holder, key) => Object(holder)[key], value);
  const allowed = keysAt(schema, inner.slice(0, -1));
  const where = path.map(String).filter(Boolean).join(".");
  return new VarveError({
    code: "invalid-document",
    message: `"${where}" of ${file} is ${describeValue(found)}, and no such field is known.`,
    hint: `Known here: ${allowed.join(", ")}.`,
    details: { file, path: where, value: found, allowed },
  });
}

/** The fields that a strict schema knows at a path within it. */
function keysAt(schema: z.ZodType, path: readonly PropertyKey[]): string[] {
  const shape = shapeOf(schema);
  const [first, ...rest] = path;
  if (first === undefined) return Object.keys(shape);
  return keysAt(shape[String(first)]!, rest);
}

function shapeOf(schema: z.ZodType): Readonly<Record<string, z.ZodType>> {
  const { shape, innerType } = schema.def as unknown as { shape?: Record<string, z.ZodType>; innerType?: z.ZodType };
  return shape ?? (innerType === undefined ? {} : shapeOf(innerType));
}
