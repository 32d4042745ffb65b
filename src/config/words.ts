import { z } from "zod";

interface Words {
  readonly description: string;
  /** What may stand there: "a whole number of tokens from 1". */
  readonly allowed: string;
}

const known = z.registry<{ allowed: string }>();

/** A schema with what it is for and what may stand there. */
export function field<T extends z.ZodType>(schema: T, { description, allowed }: Words): T {
  const described = schema.describe(description);
  known.add(described, { allowed });
  return described;
}

/** What may stand where a schema is, where that was said of it or of the schema that it wraps. */
export function allowedWords(schema: z.ZodType): string | undefined {
  const inner = innerType(schema);
  return known.get(schema)?.allowed ?? (inner === undefined ? undefined : allowedWords(inner));
}

/** The schemas of the fields of an object, beneath wrappers such as `optional`. */
export function shapeOf(schema: z.ZodType): Readonly<Record<string, z.ZodType>> {
  const { shape } = schema.def as unknown as { shape?: Record<string, z.ZodType> };
  const inner = innerType(schema);
  return shape ?? (inner === undefined ? {} : shapeOf(inner));
}

/** The kinds that a union has; the schema alone where it is none. */
export function kindsOf(schema: z.ZodType): readonly z.ZodType[] {
  const { options } = schema.def as unknown as { options?: readonly z.ZodType[] };
  const inner = innerType(schema);
  return options ?? (inner === undefined ? [schema] : kindsOf(inner));
}

const innerType = (schema: z.ZodType): z.ZodType | undefined =>
  (schema.def as unknown as { innerType?: z.ZodType }).innerType;
