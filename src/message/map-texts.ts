/** One walk over all text of a message, whatever its parts are: words, arguments, outputs, names, files, carried fields. */
import { isObject } from "./plain-value.js";
import type { Message } from "./types.js";
import { messageFromJSON, messageToJSON } from "./value-json.js";

type Change = (text: string) => string;

/** Fields by which messages and parts say what they are, and which result belongs to which call. */
const STRUCTURE = new Set(["role", "type", "kind", "toolCallId", "toolName", "approvalId", "mediaType", "$varve"]);
/** Fields below which names mean what their author likes. */
const FREE = new Set(["input", "providerOptions"]);
/** Base64 shorter than this is taken for a word. */
const BASE64 = 16;

/**
 * A message with each of its texts changed; the very same where none was. JSON that is kept as text is looked into, and so
 * is text that is kept as bytes.
 *
 * @example
 * ```ts
 * mapTexts({ role: "user", content: "Hello" }, (text) => text.toUpperCase()); // { role: "user", content: "HELLO" }
 * ```
 */
export function mapTexts(message: Message, change: Change): Message {
  if (isPlainWords(message)) {
    const content = mapText(message.content, change);
    return content === message.content ? message : Object.freeze({ role: message.role, content });
  }
  const value: unknown = JSON.parse(messageToJSON(message));
  const changed = mapStructure(value, change);
  return changed === value ? message : messageFromJSON(JSON.stringify(changed));
}

const isPlainWords = (message: Message): message is Exclude<Message, { role: "tool" }> & { content: string } =>
  typeof message.content === "string" && Object.keys(message).length === 2;

/** All texts of a message. */
export function textsIn(message: Message): string[] {
  const texts: string[] = [];
  mapTexts(message, (text) => {
    texts.push(text);
    return text;
  });
  return texts;
}

/** Any value of JSON with each of its texts changed, names of fields too; the very same where none was. */
export function mapValue(value: unknown, change: Change): unknown {
  if (typeof value === "string") return mapText(value, change);
  return mapFields(value, plainNames(change), (field) => mapValue(field, change));
}

/** The same where all names are their author's. */
function mapFree(value: unknown, change: Change): unknown {
  if (typeof value === "string") return mapText(value, change, mapFree);
  return mapFields(value, change, (field) => mapFree(field, change));
}

function mapStructure(value: unknown, change: Change): unknown {
  if (typeof value === "string") return mapText(value, change, mapFree);
  const isOutput = isObject(value) && value.type !== "content" && "value" in value;
  return mapFields(value, plainNames(change), (field, name) => {
    if (STRUCTURE.has(name)) return field;
    return FREE.has(name) || (isOutput && name === "value") ? mapFree(field, change) : mapStructure(field, change);
  });
}

function mapFields(value: unknown, mapName: Change, mapField: (field: unknown, name: string) => unknown): unknown {
  if (Array.isArray(value)) {
    const items = value.map((item) => mapField(item, ""));
    return items.some((item, at) => item !== value[at]) ? items : value;
  }
  if (!isObject(value)) return value;
  const fields = Object.entries(value);
  const mapped = fields.map(([name, field]) => [mapName(name), mapField(field, name)] as const);
  const isSame = mapped.every(([name, field], at) => name === fields[at]![0] && field === fields[at]![1]);
  return isSame ? value : Object.fromEntries(mapped);
}

/** A field's name is text where it is more than a word. */
const plainNames =
  (change: Change): Change =>
  (name) =>
    /^[\p{L}$_]*$/u.test(name) ? name : change(name);

function mapText(text: string, change: Change, map = mapValue): string {
  const inner = jsonIn(text);
  if (inner !== undefined) {
    const mapped = map(inner, change);
    return mapped === inner ? text : JSON.stringify(mapped);
  }
  const changed = change(text);
  return changed === text ? mapBytes(text, change) : changed;
}

function jsonIn(text: string): unknown {
  if (!/^\s*[[{"]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function mapBytes(text: string, change: Change): string {
  if (text.length < BASE64) return text;
  const base64 = text.slice(/^data:[^,]{0,200};base64,/.exec(text)?.[0].length ?? 0);
  if (!/^[A-Za-z0-9+/]{16}/.test(base64)) return text;
  const bytes = Buffer.from(base64, "base64");
  if (bytes.toString("base64") !== base64) return text;
  const decoded = bytes.toString();
  const changed = change(decoded);
  const head = text.slice(0, text.length - base64.length);
  return changed === decoded ? text : head + Buffer.from(changed).toString("base64");
}
