import { z } from "zod";
import { invalidOption } from "../errors.js";
import { isObject } from "../message/plain-value.js";

/** What an application notes of a session. */
export interface TrackedChange {
  /** To be added; one that is known already is not added again. */
  readonly facts?: readonly string[];
  /** Facts to be taken away. */
  readonly forget?: readonly string[];
  /** By id: a known task is changed in the fields given, another is added. */
  readonly tasks?: readonly TaskChange[];
  readonly workspace?: string;
  /** Laid over those known. */
  readonly preferences?: Readonly<Record<string, unknown>>;
  /** Takes the place of the one before: memory in use, free disk, whatever the application measures. */
  readonly environment?: Readonly<Record<string, unknown>>;
}

export interface TaskChange {
  readonly id: string;
  readonly description?: string;
  /** "Running" for a new task unless given. */
  readonly status?: string;
  /** From 0 to 1. */
  readonly progress?: number;
}

const openRecord = z.record(z.string(), z.unknown());

const schema = z.strictObject({
  facts: z.array(z.string()).optional(),
  forget: z.array(z.string()).optional(),
  tasks: z
    .array(
      z.strictObject({
        id: z.string().min(1),
        description: z.string().optional(),
        status: z.string().optional(),
        progress: z.number().min(0).max(1).optional(),
      }),
    )
    .optional(),
  workspace: z.string().optional(),
  preferences: openRecord.optional(),
  environment: openRecord.optional(),
});

/** The change as plain JSON of its own, so that what the caller does with it afterwards has no effect. */
export function parseTrackedChange(change: unknown): TrackedChange {
  if (!isObject(change)) throw invalidOption({ option: "change", value: change, allowed: "an object of what to note" });
  const copy = plainCopy(change);
  const parsed = schema.safeParse(copy);
  if (parsed.success) return parsed.data as TrackedChange;
  const { path = [], message = "what JSON can say" } = parsed.error.issues[0] ?? {};
  const value = path.reduce<unknown>((holder, key) => (holder as Record<PropertyKey, unknown>)[key], copy);
  throw invalidOption({ option: path.map(String).join(".") || "change", value, allowed: `documented (${message})` });
}

function plainCopy(change: object): unknown {
  try {
    return JSON.parse(JSON.stringify(change));
  } catch (cause) {
    throw invalidOption({ option: "change", value: change, allowed: `plain JSON (${(cause as Error).message})` });
  }
}
