import type { z } from "zod";
import { describeValue, VarveError } from "../errors.js";
import { nearest } from "../message/nearest.js";
import { schemaFault, valueAt } from "../message/schema-fault.js";
import { allowedWords, kindsOf, shapeOf } from "./words.js";

/** Where a value stands that is to be checked. */
export interface Place {
  /** The file, or whatever else the value comes from, for people. */
  readonly file: string;
  /** The way to the value within it, such as "contextStrategy.config"; empty for the whole. */
  readonly path: string;
  /** How a place is called in errors; `"path" of file` unless given. */
  readonly nameOf?: (path: string) => string;
}

type Path = readonly PropertyKey[];

/** Checks a value against a strict schema; names the first field that is unknown or wrong, its value and what may stand there. */
export function checkFields<T>(schema: z.ZodType<T>, value: unknown, place: Place): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const { path, message: said, unknown } = schemaFault(parsed.error);
  throw unknown !== undefined
    ? unknownField(schema, value, { place, path })
    : wrongValue(schema, value, { place, path, said });
}

interface Spot {
  readonly place: Place;
  readonly path: Path;
}

function unknownField(schema: z.ZodType, value: unknown, { place, path }: Spot): VarveError {
  const allowed = keysAt(schema, path.slice(0, -1));
  const meant = nearest(String(path.at(-1)), allowed);
  const { where, name } = named(place, path);
  const found = valueAt(value, path);
  return new VarveError({
    code: "invalid-document",
    message: `${name} is ${describeValue(found)}, and no such field is known.`,
    hint: `${meant === undefined ? "" : `Did you mean "${meant}"? `}Known here: ${allowed.join(", ")}.`,
    details: { file: place.file, path: where, value: found, allowed },
  });
}

function wrongValue(schema: z.ZodType, value: unknown, { place, path, said }: Spot & { said: string }): VarveError {
  const found = valueAt(value, path);
  const at = schemaAt(schema, path);
  const allowed = at && allowedWords(at);
  const meant = typeof found === "string" && at !== undefined ? nearest(found, choicesOf(at)) : undefined;
  const { where, name } = named(place, path);
  const fields = keysAt(schema, path);
  const object = fields.length === 0 ? undefined : `an object in braces, whose fields may be ${fields.join(", ")}`;
  const may = allowed ?? object;
  const give = may === undefined ? `${said}.` : `Give ${may}.`;
  return new VarveError({
    code: "invalid-document",
    message: `${name} is ${describeValue(found)}.`,
    hint: `${meant === undefined ? "" : `Did you mean "${meant}"? `}${give}`,
    details: { file: place.file, path: where, value: found, allowed: may ?? said },
  });
}

function named({ file, path: base, nameOf }: Place, path: Path): { where: string; name: string } {
  const where = [base, ...path].map(String).filter(Boolean).join(".");
  return { where, name: where === "" ? file : (nameOf?.(where) ?? `"${where}" of ${file}`) };
}

/** The fields that a schema knows at a path within it. */
function keysAt(schema: z.ZodType, path: Path): string[] {
  const at = schemaAt(schema, path);
  return at === undefined ? [] : [...new Set(kindsOf(at).flatMap((kind) => Object.keys(shapeOf(kind))))];
}

function schemaAt(schema: z.ZodType, [first, ...rest]: Path): z.ZodType | undefined {
  if (first === undefined) return schema;
  const inner = kindsOf(schema)
    .map((kind) => shapeOf(kind)[String(first)])
    .find((each) => each !== undefined);
  return inner === undefined ? undefined : schemaAt(inner, rest);
}

/** The texts that may stand where a schema lists them. */
function choicesOf(schema: z.ZodType): string[] {
  return kindsOf(schema).flatMap((kind) => {
    const { entries, values } = kind.def as unknown as { entries?: object; values?: readonly unknown[] };
    return [...Object.values(entries ?? {}), ...(values ?? [])].filter((each) => typeof each === "string");
  });
}
