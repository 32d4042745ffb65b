/** Reading fields of which nothing is known. */
import { isObject } from "../../message/plain-value.js";
import type { AnyTool } from "../../message/types.js";
import type { WireObject } from "../value.js";

export { isObject, type WireObject };

export const textField = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined;

export const numberField = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isFinite(value) ? value : undefined;

export const listField = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

export const objectField = (value: unknown): WireObject => (isObject(value) ? value : {});

/** The same object without the fields that are undefined. */
export function defined<T extends object>(fields: { [K in keyof T]: T[K] | undefined }): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
}

const ZONE = /(?:z|[+-]\d\d:?\d\d)$/i;

/** Milliseconds since 1970 of a number or a text; a text without a zone is taken as UTC. */
export function timeField(value: unknown): number | undefined {
  if (typeof value !== "string") return numberField(value);
  const text = value.trim().replace(/^(\d{4}-\d\d-\d\d) /, "$1T");
  return numberField(Date.parse(ZONE.test(text) ? text : `${text}Z`));
}

/** The text of a prompt that is a string, a list of blocks with texts, or an object with `parts`. */
export function promptText(prompt: unknown): string | undefined {
  if (typeof prompt === "string") return textField(prompt);
  const blocks = isObject(prompt) ? listField(prompt.parts ?? prompt.content) : listField(prompt);
  const texts = blocks.map((block) => (isObject(block) ? textField(block.text) : textField(block)));
  return textField(texts.filter((text) => text !== undefined).join("\n\n"));
}

/** The tools of a request; undefined where there is no list of them. */
export function toolsField(value: unknown): readonly AnyTool[] | undefined {
  const tools = listField(value).filter(isTool);
  return tools.length > 0 ? tools : undefined;
}

const isTool = (tool: unknown): tool is AnyTool =>
  isObject(tool) && (typeof tool.name === "string" || typeof tool.type === "string" || "functionDeclarations" in tool);

/** A value that some exports write as JSON text inside the JSON. */
export function unquoted(value: unknown): unknown {
  if (typeof value !== "string" || !/^\s*[[{]/.test(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}
