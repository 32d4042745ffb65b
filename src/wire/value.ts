import { VarveError } from "../errors.js";
import type { JSONValue } from "../message/types.js";

/** An object that came from outside: every field may be missing or of another type. */
export type WireObject = { readonly [key: string]: unknown };

export const isObject = (value: unknown): value is WireObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const MAX_DEPTH = 500;

/** A deep copy of plain values, so that no later change by the caller reaches into a message. */
export function copyValue(value: unknown, depth = 0): JSONValue {
  if (typeof value !== "object" || value === null) return value as JSONValue;
  if (depth > MAX_DEPTH) throw tooDeep();
  if (Array.isArray(value)) return value.map((item) => copyValue(item, depth + 1));
  if (!isPlain(value) || isFrozenFlat(value)) return value as JSONValue;
  // Spreading first makes each field an own one, also "__proto__", which an assignment would take for the prototype.
  const copy: Record<string, unknown> = { ...value };
  for (const key in copy) {
    const field = copy[key];
    if (typeof field === "object" && field !== null) copy[key] = copyValue(field, depth + 1);
  }
  return copy as JSONValue;
}

/** What nobody can change needs no copy. */
function isFrozenFlat(value: object): boolean {
  if (!Object.isFrozen(value)) return false;
  for (const key in value) if (typeof (value as WireObject)[key] === "object") return false;
  return true;
}

function isPlain(value: object): boolean {
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

const tooDeep = (): VarveError =>
  new VarveError({
    code: "invalid-message",
    message: `A message is nested more than ${MAX_DEPTH} levels deep, or refers to itself.`,
    hint: "Pass messages as they go over the wire: what JSON.stringify accepts.",
  });

/** Whether two plain values say the same; a field that is undefined counts as absent. */
export function sameValue(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (Array.isArray(left) || Array.isArray(right)) return sameList(left, right);
  if (!isObject(left) || !isObject(right)) return false;
  for (const key of Object.keys(left)) if (!sameValue(left[key], right[key])) return false;
  return Object.keys(right).every((key) => right[key] === undefined || left[key] !== undefined);
}

const sameList = (left: unknown, right: unknown): boolean =>
  Array.isArray(left) &&
  Array.isArray(right) &&
  left.length === right.length &&
  left.every((item, index) => sameValue(item, right[index]));

export interface Refusal {
  /** The wire format, as its documentation names it. */
  format: string;
  index: number;
  problem: string;
  hint: string;
}

/** The error for input that cannot be a message of the format. */
export function invalidMessage({ format, index, problem, hint }: Refusal): VarveError {
  return new VarveError({
    code: "invalid-message",
    message: `${format} message ${index} ${problem}.`,
    hint,
    details: { format, index },
  });
}

export function expectList(value: unknown, format: string): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw new VarveError({
    code: "invalid-message",
    message: `${format} messages must be a list, not ${describe(value)}.`,
    hint: "Pass the list itself, as it stands in the request.",
    details: { format },
  });
}

export function expectObject(value: unknown, format: string, index: number): WireObject {
  if (isObject(value)) return value;
  throw invalidMessage({
    format,
    index,
    problem: `is ${describe(value)}, not an object`,
    hint: "Each message is an object with a role.",
  });
}

/** A value in a few words, for error messages. */
export function describe(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (Array.isArray(value)) return "a list";
  if (typeof value === "string") return JSON.stringify(value.slice(0, 40));
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}
