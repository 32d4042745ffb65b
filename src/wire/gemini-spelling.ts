/**
 * Gemini's REST interface takes the names of fields in camel case and in snake case. They are read in camel case; what
 * was spelled otherwise is carried under `snake_case`, so that it is written as it came.
 */
import { isObject } from "../message/plain-value.js";
import type { Fields } from "./carried.js";
import type { WireObject } from "./value.js";

/** The carried name that is no field of a part. */
export const SPELLING = "snake_case";

const PART: Readonly<Record<string, string>> = {
  function_call: "functionCall",
  function_response: "functionResponse",
  inline_data: "inlineData",
  file_data: "fileData",
  thought_signature: "thoughtSignature",
};
const MEDIA: Readonly<Record<string, string>> = { mime_type: "mimeType", file_uri: "fileUri" };

/** A part in camel case: the very object where it is already. */
export function camelCased(part: WireObject): WireObject {
  const spelled: string[] = [];
  const renamed = rename(part, PART, spelled);
  const media = mediaName(renamed);
  const inner = media && rename(renamed[media] as WireObject, MEDIA, spelled);
  if (spelled.length === 0) return part;
  return { ...renamed, ...(media && { [media]: inner }), [SPELLING]: spelled };
}

const mediaName = ({ inlineData, fileData }: WireObject): "inlineData" | "fileData" | undefined => {
  if (isObject(inlineData)) return "inlineData";
  return isObject(fileData) ? "fileData" : undefined;
};

function rename(wire: WireObject, names: Readonly<Record<string, string>>, spelled: string[]): WireObject {
  let renamed: Record<string, unknown> | undefined;
  for (const snake in names) {
    const camel = names[snake]!;
    if (wire[snake] === undefined || wire[camel] !== undefined) continue;
    renamed ??= { ...wire };
    renamed[camel] = wire[snake];
    delete renamed[snake];
    spelled.push(snake);
  }
  return renamed ?? wire;
}

/** An encoded part as it was spelled; the part is changed in place. */
export function spelledAsCarried<T extends object>(part: T, fields: Fields | undefined): T {
  const spelled = fields?.[SPELLING];
  if (!Array.isArray(spelled)) return part;
  const open = part as Record<string, unknown>;
  const media = mediaName(open);
  for (const name of spelled) {
    respell(open, name, PART);
    if (media !== undefined) respell(open[media] ?? open[snakeOf(media)], name, MEDIA);
  }
  return part;
}

const snakeOf = (media: "inlineData" | "fileData"): string => (media === "inlineData" ? "inline_data" : "file_data");

function respell(target: unknown, name: unknown, names: Readonly<Record<string, string>>): void {
  const camel = typeof name === "string" ? names[name] : undefined;
  if (camel === undefined || !isObject(target) || !(camel in target)) return;
  const open = target as Record<string, unknown>;
  open[String(name)] = open[camel];
  delete open[camel];
}
