import { VarveError } from "../errors.js";
import type { AnyTool } from "../message/types.js";
import { PER_CALL } from "./count-message.js";

export interface ToolMeter {
  text(text: string): number;
  /** What a list of tools costs beyond the tools in it. */
  readonly overhead: number;
}

/**
 * Tokens of a list of tools, in the shape of any provider: nothing in a definition is free, so every field counts,
 * names and descriptions as text and the rest as JSON.
 */
export function countTools(tools: readonly AnyTool[], meter: ToolMeter): number {
  if (tools.length === 0) return 0;
  return tools.reduce((sum, tool, at) => sum + countTool(tool, at, meter), meter.overhead);
}

/** OpenAI wraps a definition in another object; what is in it counts as if it stood by itself. */
function countTool(tool: AnyTool, at: number, meter: ToolMeter): number {
  const { function: wrapped, ...fields } = tool as { readonly [key: string]: unknown };
  const definition = typeof wrapped === "object" && wrapped !== null ? { ...fields, ...wrapped } : { ...tool };
  return PER_CALL + countFields(definition, at, meter);
}

function countFields(definition: { readonly [key: string]: unknown }, at: number, { text }: ToolMeter): number {
  const { name, description, inputSchema, ...rest } = definition;
  const schema = inputSchema === undefined ? "" : toJSON(inputSchema, at);
  const others = Object.keys(rest).length === 0 ? "" : toJSON(rest, at);
  return text(asText(name)) + text(asText(description)) + text(schema) + text(others);
}

const asText = (value: unknown): string => (typeof value === "string" ? value : "");

function toJSON(value: unknown, at: number): string {
  try {
    return JSON.stringify(value) ?? "";
  } catch (cause) {
    throw new VarveError({
      code: "invalid-option",
      message: `The tool ${at} cannot be written as JSON, so its tokens cannot be counted.`,
      hint: "Pass tools as they go over the wire: their schemas as JSON Schema.",
      cause,
      details: { option: "tools", index: at },
    });
  }
}
