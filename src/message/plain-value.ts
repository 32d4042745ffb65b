/**
 * The values that messages are made of: what JSON has, and beside it bytes, `URL` objects and calls whose arguments are
 * text. A copy for others passes bytes and URLs on as they are. What is sealed has them as text, bytes in base64: it can
 * be frozen, and JSON gives it back.
 */
import { VarveError } from "../errors.js";
import { toBase64 } from "./base64.js";
import { copyTextCall, isTextCall } from "./tool-call.js";
import type { JSONValue, ProviderOptions } from "./types.js";

/** An object of which nothing is known: every field may be missing or of another type. */
export type UnknownFields = { readonly [key: string]: unknown };

export const isObject = (value: unknown): value is UnknownFields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const MAX_DEPTH = 500;

/** A deep copy in plain objects and lists, as JSON would write them, which shares nothing that can change. */
export const copyValue = (value: unknown): JSONValue => copyWith(value, 0, OPEN);

/** The same, frozen throughout, with bytes and addresses as text. */
export const frozenCopy = (value: unknown): JSONValue => copyWith(value, 0, FROZEN);

interface Manner {
  readonly finish: <T extends object>(copy: T) => T;
  readonly opaque: (value: object) => unknown;
}

const OPEN: Manner = { finish: (copy) => copy, opaque: (value) => value };
const FROZEN: Manner = {
  finish: Object.freeze,
  opaque: (value) => (value instanceof URL ? value.href : toBase64(bytesOf(value)!)),
};

function copyWith(value: unknown, depth: number, manner: Manner): JSONValue {
  if (typeof value !== "object" || value === null) return copyScalar(value);
  if (depth > MAX_DEPTH) throw tooDeep();
  if (Array.isArray(value)) return manner.finish(value.map((item) => copyWith(item, depth + 1, manner)));
  if (!isPlain(value)) return copyInstance(value, depth, manner);
  // Spreading first makes each field an own one, also "__proto__", which an assignment would take for the prototype.
  const copy: Record<string, unknown> = { ...value };
  for (const key in copy) {
    const field = copy[key];
    if ((typeof field === "object" && field !== null) || typeof field === "bigint")
      copy[key] = copyWith(field, depth + 1, manner);
    else if (typeof field === "function" && key === "toJSON") return copyWith(field.call(value), depth + 1, manner);
  }
  return manner.finish(copy) as JSONValue;
}

function copyInstance(value: object, depth: number, manner: Manner): JSONValue {
  if (isOpaque(value)) return manner.opaque(value) as JSONValue;
  if (isTextCall(value)) {
    const options = value.providerOptions && copyWith(value.providerOptions, depth + 1, manner);
    return manner.finish(copyTextCall(value, options as ProviderOptions | undefined)) as unknown as JSONValue;
  }
  const plain = "toJSON" in value && typeof value.toJSON === "function" ? value.toJSON() : { ...value };
  return copyWith(plain, depth + 1, manner);
}

function copyScalar(value: unknown): JSONValue {
  if (typeof value === "bigint") throw bigInteger(value);
  return value as JSONValue;
}

/** What a copy passes on. */
const isOpaque = (value: object): boolean =>
  ArrayBuffer.isView(value) || value instanceof ArrayBuffer || value instanceof URL;

/** Whether a value is an object as JSON makes them. */
export function isPlain(value: object): boolean {
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** Freezes a value of our own making and all in it. What is frozen already is taken to be so throughout. */
export function freezeValue<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  if (!isPlain(value) && !Array.isArray(value) && isOpaque(value)) return value;
  for (const key in value) {
    const field: unknown = value[key];
    if (typeof field === "object" && field !== null) freezeValue(field);
  }
  return Object.freeze(value);
}

const tooDeep = (): VarveError =>
  new VarveError({
    code: "invalid-message",
    message: `A message is nested more than ${MAX_DEPTH} levels deep, or refers to itself.`,
    hint: "Pass messages as they go over the wire: what JSON.stringify accepts.",
  });

const bigInteger = (value: bigint): VarveError =>
  new VarveError({
    code: "invalid-message",
    message: `A message holds the BigInt ${value}n, which has no place in JSON.`,
    hint: "Pass large integers as strings, or as numbers where they are small enough.",
  });

/** Whether two values say the same; a field that is undefined counts as absent. */
export function sameValue(left: unknown, right: unknown): boolean {
  if (Object.is(left, right)) return true;
  if (typeof left !== "object" || typeof right !== "object" || left === null || right === null) return false;
  if (Array.isArray(left) || Array.isArray(right)) return sameList(left, right);
  if (isOpaque(left) || isOpaque(right)) return sameOpaque(left, right);
  if (writesItself(left) || writesItself(right)) return sameValue(plainOf(left), plainOf(right));
  return sameFields(left as UnknownFields, right as UnknownFields);
}

const sameList = (left: unknown, right: unknown): boolean =>
  Array.isArray(left) &&
  Array.isArray(right) &&
  left.length === right.length &&
  left.every((item, index) => sameValue(item, right[index]));

function sameFields(left: UnknownFields, right: UnknownFields): boolean {
  for (const key of Object.keys(left)) if (!sameValue(left[key], right[key])) return false;
  return Object.keys(right).every((key) => right[key] === undefined || left[key] !== undefined);
}

/** A call whose arguments are text says all in its fields; other instances may have none that can be seen. */
const writesItself = (value: object): value is { toJSON(): unknown } =>
  !isPlain(value) && !isTextCall(value) && "toJSON" in value && typeof value.toJSON === "function";

const plainOf = (value: object): unknown => (writesItself(value) ? value.toJSON() : value);

function sameOpaque(left: object, right: object): boolean {
  if (left instanceof URL && right instanceof URL) return left.href === right.href;
  const bytes = bytesOf(left);
  const others = bytesOf(right);
  if (bytes === undefined || others === undefined || bytes.length !== others.length) return false;
  return bytes.every((byte, at) => byte === others[at]);
}

function bytesOf(value: object): Uint8Array | undefined {
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  return value instanceof ArrayBuffer ? new Uint8Array(value) : undefined;
}
