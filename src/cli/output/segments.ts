import type { ViewAccount } from "../../session/view-account.js";
import type { Segment } from "../terminal/grid.js";

/** The window of a view as stretches, in the order in which the model reads them. */
export function segmentsOf({ blocks, roles, budget, tokens }: ViewAccount): Segment[] {
  const of = (wanted: string): number => blocks.find(({ name }) => name === wanted)?.tokens ?? 0;
  const history = of("history");
  const results = Math.round(history * roles.tool);
  const assistant = Math.min(history - results, Math.round(history * roles.assistant));
  const segments: Segment[] = [
    { kind: "system", tokens: of("system") },
    { kind: "tools", tokens: of("tools") },
    { kind: "note", tokens: of("memory") },
    { kind: "context", tokens: of("context") },
    { kind: "user", tokens: history - results - assistant },
    { kind: "assistant", tokens: assistant },
    { kind: "results", tokens: results },
    { kind: "free", tokens: Math.max(0, budget.usable - tokens) },
    { kind: "reserve", tokens: budget.window - budget.usable },
  ];
  return segments.filter((segment) => segment.tokens > 0);
}
