import type { z } from "zod";
import { describeValue, VarveError } from "../errors.js";

/** What is parsed, in words for the error. */
export interface DocumentKind {
  readonly name: string;
  readonly hint: string;
}

/** Checks a value from outside against a schema, once; the error names the first place that is wrong, and what is there. */
export function parseDocument<T>(schema: z.ZodType<T>, value: unknown, { name, hint }: DocumentKind): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const { keys, message } = deepest(parsed.error.issues[0]);
  const path = keys.map(String).join(".");
  const found = valueAt(value, keys);
  const place = path === "" ? `The ${name}` : `"${path}" of the ${name}`;
  throw new VarveError({
    code: "invalid-document",
    message: `${place} is ${excerpt(found)}: ${message}.`,
    hint,
    cause: parsed.error,
    details: { path, value: found, issues: parsed.error.issues.length },
  });
}

interface Fault {
  readonly keys: readonly PropertyKey[];
  readonly message: string;
}

/** Where a value is none of several kinds, the kind that it comes nearest to says what is wrong. */
function deepest(issue: z.core.$ZodIssue | undefined): Fault {
  if (issue === undefined) return { keys: [], message: "Invalid input" };
  const own: Fault = { keys: issue.path, message: issue.message };
  if (issue.code !== "invalid_union") return own;
  const inner = issue.errors.flatMap(([first]) => {
    const { keys, message } = deepest(first);
    return keys.length > 0 ? [{ keys: [...issue.path, ...keys], message }] : [];
  });
  return inner[0] ?? own;
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (holder, key) =>
      typeof holder === "object" && holder !== null ? (holder as Record<PropertyKey, unknown>)[key] : undefined,
    value,
  );
}

const EXCERPT = 80;

function excerpt(value: unknown): string {
  try {
    const text = JSON.stringify(value) ?? String(value);
    return text.length > EXCERPT ? `${text.slice(0, EXCERPT)}…` : text;
  } catch {
    return describeValue(value);
  }
}
