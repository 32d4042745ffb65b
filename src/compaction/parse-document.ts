import type { z } from "zod";
import { describeValue, VarveError } from "../errors.js";
import { schemaFault, valueAt } from "../message/schema-fault.js";

/** Checks a value from outside against a schema, once; the error names the first place that is wrong, and what is there. */
export function parseDocument<T>(schema: z.ZodType<T>, value: unknown, told: { name: string; hint: string }): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const { path: keys, message, unknown } = schemaFault(parsed.error);
  const { name, hint } = told;
  const holder = unknown === undefined ? keys : keys.slice(0, -1);
  const path = holder.map(String).join(".");
  const found = valueAt(value, holder);
  throw new VarveError({
    code: "invalid-document",
    message: `${path === "" ? `The ${name}` : `"${path}" of the ${name}`} is ${describeValue(found)}: ${message}.`,
    hint,
    cause: parsed.error,
    details: { path, value: found, issues: parsed.error.issues.length },
  });
}
