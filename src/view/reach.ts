import type { AnyTool } from "../message/types.js";

/** The tools by which the model itself can look into the log. */
export interface ContextReach {
  readonly expand: boolean;
  readonly search: boolean;
}

export function contextReach(tools: readonly AnyTool[] = []): ContextReach {
  const names = new Set(tools.flatMap(namesIn));
  return { expand: names.has("context_expand"), search: names.has("context_search") };
}

/** OpenAI wraps a definition in another object, Gemini several in one. */
function namesIn(tool: AnyTool): unknown[] {
  const { name, function: wrapped, functionDeclarations: several } = tool as Partial<Record<string, unknown>>;
  if (Array.isArray(several)) return several.flatMap(namesIn);
  return [name ?? (wrapped as { readonly name?: unknown } | undefined)?.name];
}
