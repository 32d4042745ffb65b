/**
 * Values as JSON and back, with nothing lost that messages and states are made of. What JSON does not have is written as
 * an object with `MARK`: bytes as base64, addresses as text, maps and sets as lists. A call whose arguments are the
 * model's own text is written without `input`, which says the same once more.
 */
import { toBase64 } from "./base64.js";
import { freezeValue, frozenCopy } from "./plain-value.js";
import { isTextCall, toolCallFromText } from "./tool-call.js";
import type { JSONValue, Message, ProviderOptions } from "./types.js";

const MARK = "$varve";

/**
 * A message as one line of JSON.
 *
 * @example
 * ```ts
 * const text = messageToJSON({ role: "user", content: "Hello" });
 * messageFromJSON(text); // { role: "user", content: "Hello" }
 * ```
 */
export function messageToJSON(message: Message): string {
  return JSON.stringify(isPlain(message) ? message : NO_SHARING.write(message));
}

/** Whether JSON writes a value as it is. */
function isPlain(value: unknown): boolean {
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value !== "object" || value === null) return true;
  if (Array.isArray(value)) return value.every(isPlain);
  if (Object.getPrototypeOf(value) !== Object.prototype || MARK in value) return false;
  for (const name in value) if (!isPlain((value as Record<string, unknown>)[name])) return false;
  return true;
}

/** The message that a text of `messageToJSON` says, sealed: its bytes and addresses are text. */
export function messageFromJSON(text: string): Message {
  const value = new Reader([]).read(JSON.parse(text));
  return (text.includes(MARK) ? frozenCopy(value) : freezeValue(value)) as unknown as Message;
}

/** A value in which some objects stand several times: they are written once, and are one object again when read. */
export function stateToJSON(value: unknown): JSONValue {
  const shared = sharedIn(value);
  const writer = new Writer(new Map([...shared].map((object, at) => [object, at])));
  const bodies = [...shared].map((object) => writer.body(object));
  return { shared: bodies, value: writer.write(value) } as JSONValue;
}

export function stateFromJSON(json: unknown): unknown {
  const { shared, value } = structuredClone(json) as { shared: unknown[]; value: unknown };
  return freezeValue(new Reader(shared).read(value));
}

/** Objects that stand in a value more than once, each behind those that it holds. */
function sharedIn(value: unknown): Set<object> {
  const seen = new Set<object>();
  const shared = new Set<object>();
  const visit = (part: unknown): void => {
    if (typeof part !== "object" || part === null) return;
    if (seen.has(part)) {
      shared.add(part);
      return;
    }
    seen.add(part);
    for (const each of partsOf(part)) visit(each);
  };
  visit(value);
  return shared;
}

function partsOf(value: object): Iterable<unknown> {
  if (value instanceof Map) return [...value].flat();
  if (value instanceof Set || Array.isArray(value)) return value;
  return isOpaque(value) ? [] : Object.values(value);
}

const isOpaque = (value: object): boolean =>
  value instanceof URL || ArrayBuffer.isView(value) || value instanceof ArrayBuffer || "toJSON" in value;

class Writer {
  readonly #shared: ReadonlyMap<object, number>;

  constructor(shared: ReadonlyMap<object, number>) {
    this.#shared = shared;
  }

  write(value: unknown): unknown {
    if (typeof value === "number" && !Number.isFinite(value)) return { [MARK]: "number", value: String(value) };
    if (typeof value !== "object" || value === null) return value;
    const at = this.#shared.get(value);
    return at === undefined ? this.body(value) : { [MARK]: "shared", at };
  }

  body(value: object): unknown {
    if (Array.isArray(value)) return value.map((item) => this.write(item));
    if (value instanceof Map)
      return { [MARK]: "map", pairs: [...value].map((pair) => pair.map((it) => this.write(it))) };
    if (value instanceof Set) return { [MARK]: "set", items: [...value].map((item) => this.write(item)) };
    if (value instanceof URL) return { [MARK]: "url", href: value.href };
    if (ArrayBuffer.isView(value)) return bytes(new Uint8Array(value.buffer, value.byteOffset, value.byteLength));
    if (value instanceof ArrayBuffer) return bytes(new Uint8Array(value));
    if (isTextCall(value)) return this.#fields({ ...value });
    if ("toJSON" in value && typeof value.toJSON === "function") return this.write(value.toJSON());
    const own = this.#fields(value);
    return MARK in own ? { [MARK]: "object", value: own } : own;
  }

  #fields(value: object): Record<string, unknown> {
    return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, this.write(field)]));
  }
}

const NO_SHARING = new Writer(new Map());

const bytes = (value: Uint8Array): object => ({ [MARK]: "bytes", base64: toBase64(value) });

/** Changes values in place where that is enough: they are fresh from the parser. */
class Reader {
  readonly #shared: unknown[];
  readonly #done = new Set<number>();

  constructor(shared: unknown[]) {
    this.#shared = shared;
  }

  read(value: unknown): unknown {
    if (typeof value !== "object" || value === null) return value;
    const open = value as Record<string, unknown>;
    return MARK in open ? this.#special(open) : this.#fields(open);
  }

  #fields(open: Record<string, unknown>): unknown {
    for (const name in open) {
      const field = open[name];
      if (typeof field === "object" && field !== null) open[name] = this.read(field);
    }
    return isRawCall(open) ? textCall(open) : open;
  }

  #special(value: Record<string, unknown>): unknown {
    const list = (items: unknown) => (items as unknown[]).map((item) => this.read(item));
    switch (value[MARK]) {
      case "url":
        return new URL(String(value.href));
      case "bytes":
        return new Uint8Array(Buffer.from(String(value.base64), "base64"));
      case "number":
        return Number(value.value);
      case "map":
        return new Map((value.pairs as unknown[]).map((pair) => list(pair) as [unknown, unknown]));
      case "set":
        return new Set(list(value.items));
      case "shared":
        return this.#sharedAt(Number(value.at));
      default:
        return this.#fields(value.value as Record<string, unknown>);
    }
  }

  #sharedAt(at: number): unknown {
    if (!this.#done.has(at)) {
      this.#shared[at] = this.read(this.#shared[at]);
      this.#done.add(at);
    }
    return this.#shared[at];
  }
}

interface RawCall {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly rawInput: string;
  readonly providerOptions?: ProviderOptions;
}

const isRawCall = (value: object): value is RawCall =>
  "type" in value && value.type === "tool-call" && "rawInput" in value && !("input" in value);

const textCall = ({ toolCallId: id, toolName: name, rawInput: text, providerOptions }: RawCall): unknown =>
  toolCallFromText({ id, name, text }, providerOptions);
