import type { z } from "zod";

/** What is wrong with a value by its schema: fields that it does not know first, for they may be what was meant. */
export interface SchemaFault {
  readonly path: readonly PropertyKey[];
  readonly message: string;
  /** The field that is not known, where it is that; the path leads to it. */
  readonly unknown?: string;
}

export function schemaFault({ issues }: z.ZodError): SchemaFault {
  const { path, message, ...issue } = deepest(issues.find(({ code }) => code === "unrecognized_keys") ?? issues[0]!);
  if (issue.code !== "unrecognized_keys") return { path, message };
  return { path: [...path, issue.keys[0]!], message, unknown: issue.keys[0]! };
}

/** Where a value is none of several kinds, the kind that it comes nearest to says what is wrong. */
function deepest(issue: z.core.$ZodIssue): z.core.$ZodIssue {
  if (issue.code !== "invalid_union") return issue;
  const near = issue.errors
    .filter((errors) => errors.length > 0 && errors.every(isWithin))
    .sort((a, b) => a.length - b.length)[0]?.[0];
  return near === undefined ? issue : deepest({ ...near, path: [...issue.path, ...near.path] });
}

const isWithin = ({ path, code }: z.core.$ZodIssue): boolean => path.length > 0 || code === "unrecognized_keys";

/** What stands at a path within a value. */
export const valueAt = (value: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>((holder, key) => Object(holder)[key], value);
