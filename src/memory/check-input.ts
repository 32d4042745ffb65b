import { invalidOption, VarveError } from "../errors.js";
import { unknownOption } from "../message/option-names.js";
import { isObject } from "../message/plain-value.js";
import { OWNERS, type Scope } from "../store/memories/memories.js";
import type { EntryReference, MemoryInput } from "./memory.js";

const MOST_CHARACTERS = 4_000_000;

/** A scope that names somebody; anything else is refused, so that no read or write is by mistake about everyone. */
export function checkScope(scope: unknown): Scope {
  if (typeof scope !== "object" || scope === null || Array.isArray(scope)) throw unscoped(scope);
  const known: readonly string[] = [...OWNERS, "tags"];
  const foreign = Object.keys(scope).find((key) => !known.includes(key));
  if (foreign !== undefined) throw unknownOption({ option: `scope.${foreign}`, known, of: "a memory" });
  const owners = OWNERS.flatMap((owner) => ownerOf(scope, owner));
  if (owners.length === 0) throw unscoped(scope);
  const tags: unknown = Reflect.get(scope, "tags");
  return Object.freeze({
    ...Object.fromEntries(owners),
    ...("tags" in scope ? { tags: checkTags(tags, "scope.tags") } : {}),
  }) as Scope;
}

/** A part that is there without a value is a value that got lost: to pass it over would be about everyone. */
function ownerOf(scope: object, owner: string): (readonly [string, string])[] {
  const value: unknown = Reflect.get(scope, owner);
  if (value === undefined && !(owner in scope)) return [];
  if (typeof value === "string" && value !== "") return [[owner, value]];
  throw invalidOption({ option: `scope.${owner}`, value, allowed: "a text that is not empty, or leave it out" });
}

const unscoped = (scope: unknown): VarveError =>
  new VarveError({
    code: "unscoped",
    message: "A memory needs a scope that names whose it is.",
    hint: 'Call varve.memory({ scope: { user: "ann" } }) with at least one of tenant, user, agent, project, session.',
    details: { scope },
  });

/** Tags without repetitions, in order. */
export function checkTags(tags: unknown, option: string): readonly string[] {
  const isList = Array.isArray(tags) && tags.every((tag) => typeof tag === "string" && tag !== "");
  if (!isList) throw invalidOption({ option, value: tags, allowed: "a list of texts that are not empty" });
  return Object.freeze([...new Set<string>(tags)].sort());
}

/** The text of an input. */
export function checkContent(content: unknown): string {
  if (typeof content !== "string" || content.trim() === "") {
    throw invalidOption({ option: "content", value: content, allowed: "a text that is not empty" });
  }
  if (content.length > MOST_CHARACTERS) {
    throw invalidOption({ option: "content", value: content, allowed: `at most ${MOST_CHARACTERS} characters` });
  }
  return content.toWellFormed();
}

const ISO =
  /^(?<date>(?:\d{4}|[+-]\d{6})(?:-\d\d){0,2})(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?)?$/i;

/** Other ways to write a date are read in one way here and in another there, and a 30th of February as March. */
function isoTime(text: string): number {
  const { date } = ISO.exec(text)?.groups ?? {};
  const day = new Date(date ?? "");
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(date ?? "") ? Date.parse(text) : Number.NaN;
}

/** Milliseconds since the epoch. */
export function checkTime(time: unknown, option: string): number {
  const value = time instanceof Date ? time.getTime() : typeof time === "string" ? isoTime(time) : time;
  if (typeof value === "number" && Number.isFinite(value) && Math.abs(value) <= 8.64e15) return value;
  throw invalidOption({
    option,
    value: time,
    allowed: "a Date, milliseconds since the epoch, or an ISO time such as 2026-05-01T09:30:00Z",
  });
}

/** Where a text came from. */
export function checkEntries(entries: unknown): readonly EntryReference[] | undefined {
  if (entries === undefined) return undefined;
  if (Array.isArray(entries) && entries.every(isEntry))
    return entries.map(({ session, sequence }) => ({ session, sequence }));
  throw invalidOption({ option: "entries", value: entries, allowed: "a list of { session, sequence }" });
}

const isEntry = (entry: unknown): entry is EntryReference =>
  isObject(entry) && typeof entry.session === "string" && Number.isSafeInteger(entry.sequence);

/** A text where one may stand, or nothing. */
export function checkText(value: unknown, option: string): string | undefined {
  if (value === undefined || (typeof value === "string" && value !== "")) return value;
  throw invalidOption({ option, value, allowed: "a text that is not empty" });
}

/** The id of a memory. A line break would make it the name of another memory's former version. */
export function checkId(id: unknown): string {
  const text = checkText(id, "id");
  if (text === undefined || /\p{Cc}/u.test(text))
    throw invalidOption({ option: "id", value: id, allowed: "a text that is not empty, without control characters" });
  return text;
}

const NAMED = new Set(["content", "id", "at", "speaker", "thread", "source", "tags", "entries", "metadata"]);

/** Metadata: what was given as such, and every field that has no meaning of its own. */
export function metadataOf(input: MemoryInput): Record<string, unknown> {
  const rest = Object.entries(input).filter(([key, value]) => !NAMED.has(key) && value !== undefined);
  const all = { ...Object.fromEntries(rest), ...input.metadata };
  try {
    return JSON.parse(JSON.stringify(all));
  } catch (cause) {
    throw new VarveError({
      code: "invalid-option",
      message: "The metadata of a memory cannot be written as JSON.",
      hint: "Give plain values: texts, numbers, lists and objects without cycles.",
      cause,
    });
  }
}
