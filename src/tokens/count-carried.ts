/**
 * Fields that a wire format holds beyond the canonical message stand on the wire again, so the model reads them: they
 * count, whichever format they are of. What only keeps the books of a provider or an application counts nothing.
 */
import { CarriedFields } from "../message/carried-fields.js";
import { isObject } from "../message/plain-value.js";
import type { ProviderOptions } from "../message/types.js";
import { embeddedMedia } from "./embedded-media.js";
import { countMedia } from "./media.js";
import type { Meter } from "./meter.js";

/** Names, marks and records that no model reads, or that count elsewhere. */
const UNREAD: ReadonlySet<string> = new Set([
  "annotations",
  "audio",
  "cache_control",
  "call_id",
  "caller",
  "citations",
  "created",
  "created_at",
  "finish_reason",
  "id",
  "index",
  "item_id",
  "logprobs",
  "model",
  "phase",
  "role",
  "snake_case",
  "status",
  "stop_reason",
  "system_fingerprint",
  "timestamp",
  "tool_call_id",
  "type",
  "usage",
]);

/** Whether all that providers say of a part is unread. */
export const isRecord = (options: ProviderOptions): boolean =>
  Object.values(options).every((fields) => isObject(fields) && Object.keys(fields).every((name) => UNREAD.has(name)));

/** Fields that repeat or seal the reasoning of their message. */
const REASONING: ReadonlySet<string> = new Set(["reasoning", "reasoning_content", "reasoning_details"]);

/** Objects of the wire that hold fields in their turn. */
const NESTED: ReadonlySet<string> = new Set([
  "custom",
  "fileData",
  "function",
  "functionCall",
  "functionResponse",
  "inlineData",
  "item",
]);

/** Fields whose text only the provider that wrote it can read. */
const SEALED: ReadonlySet<string> = new Set([
  "data",
  "encrypted_content",
  "signature",
  "thought_signature",
  "thoughtSignature",
]);
const BASE64 = /^[\w+/=-]+$/;

/**
 * Characters of a sealed text for a token, at the least: base64 writes three bytes in four characters, and a token of
 * prose is rarely shorter than three bytes.
 */
const SEALED_CHARACTERS = 4;
/** Keys and marks around what is sealed. */
const SEALED_FRAME = 200;

/** What a text costs that its provider sealed. Only its length is known, so this is an upper bound. */
export const sealedTokens = (length: number): number =>
  Math.ceil(Math.max(0, length - SEALED_FRAME) / SEALED_CHARACTERS);

export interface CarriedTokens {
  /** Tokens of what repeats or seals the reasoning: they count only as far as they exceed those of its parts. */
  readonly reasoning: number;
  readonly other: number;
}

const NOTHING: CarriedTokens = { reasoning: 0, other: 0 };

/** Tokens of the fields that a message or a part carries; the one named `except` counts elsewhere. */
export function countCarried(options: ProviderOptions | undefined, meter: Meter, except?: string): CarriedTokens {
  const formats = options?.varve && carriedFormats(options.varve);
  if (!isObject(formats)) return NOTHING;
  const tokens = { reasoning: 0, other: 0 };
  for (const fields of Object.values(formats)) {
    if (!isObject(fields)) continue;
    for (const name in fields) {
      if (name !== except)
        tokens[REASONING.has(name) ? "reasoning" : "other"] += fieldTokens(name, fields[name], meter);
    }
  }
  return tokens;
}

/** The fields by their format; undefined where all are unread, which is the common case and must cost little. */
function carriedFormats(varve: object): object | undefined {
  if (!CarriedFields.is(varve)) return varve;
  return varve.hasOther(UNREAD) ? varve.toJSON() : undefined;
}

function fieldTokens(name: string, value: unknown, meter: Meter): number {
  if (UNREAD.has(name)) return 0;
  if (name === "name") return typeof value === "string" && value !== "" ? PER_NAME + meter.text(value) : 0;
  if (!NESTED.has(name)) return isMark(value) ? 0 : valueTokens(name, value, meter);
  if (!isObject(value)) return 0;
  // The name of what is called counts with the call.
  const { name: _, ...fields } = value;
  return Object.entries(fields).reduce((sum, [inner, field]) => sum + fieldTokens(inner, field, meter), 0);
}

/** What OpenAI's chat format adds to the name of who speaks. */
const PER_NAME = 1;

/** A scalar, an empty text or list: how a field stood on the wire, not what it says. */
const isMark = (value: unknown): boolean =>
  typeof value === "string"
    ? value === ""
    : typeof value !== "object" || value === null || Object.keys(value).length === 0;

/** Tokens of a value as it is written, with its media as media and what is sealed by its length. */
export function valueTokens(name: string, value: unknown, meter: Meter): number {
  let apart = 0;
  const written = JSON.stringify({ [name]: value }, function (this: unknown, key, field: unknown) {
    if (typeof field !== "string") return field;
    const tokens = tokensApart(key, field, { neighbours: this, meter });
    if (tokens === undefined) return field;
    apart += tokens;
    return undefined;
  });
  return apart + (written === "{}" ? 0 : meter.text(written));
}

/** What a field costs that is not read as text; undefined for one that is. */
function tokensApart(key: string, field: string, { neighbours, meter }: { neighbours: unknown; meter: Meter }) {
  const media = embeddedMedia(field, neighbours);
  if (media !== undefined) return countMedia(media, meter.image);
  return SEALED.has(key) && BASE64.test(field) ? sealedTokens(field.length) : undefined;
}
