import { describe, expect, test } from "vitest";
import type { AnyTool } from "../message/types.js";
import { createTokenCounter } from "./create-token-counter.js";

const counter = createTokenCounter();
const schema = {
  type: "object",
  properties: { path: { type: "string", description: "Path of the file, from the root of the repository" } },
  required: ["path"],
};
const description = "Reads a file and returns its text with line numbers.";
const canonical: AnyTool = { name: "read", description, inputSchema: schema };

describe("tools count with all their fields,", () => {
  test.each<[string, AnyTool]>([
    ["OpenAI chat", { type: "function", function: { name: "read", description, parameters: schema, strict: true } }],
    ["OpenAI Responses", { type: "function", name: "read", description, parameters: schema }],
    ["Anthropic", { name: "read", description, input_schema: schema, cache_control: { type: "ephemeral" } }],
    ["Gemini", { functionDeclarations: [{ name: "read", description, parameters: schema }] }],
    ["canonical", canonical],
  ])("in the shape of %s", (_name, tool) => {
    const tokens = counter.tools([tool]);
    const written = counter.text(JSON.stringify(tool));
    expect(tokens).toBeGreaterThan(written * 0.75);
    expect(tokens).toBeLessThan(written * 1.5);
    expect(tokens).toBeGreaterThanOrEqual(counter.tools([canonical]));
  });

  test("without a name, and with nothing in them", () => {
    const empty = counter.tools([{} as AnyTool]);
    expect(empty).toBeGreaterThan(0);
    expect(counter.tools([{ type: "web_search_20250305" }])).toBeGreaterThan(empty);
  });

  test("and are refused where they cannot be written", () => {
    const cyclic: { name: string; inputSchema?: unknown } = { name: "a" };
    cyclic.inputSchema = cyclic;
    expect(() => counter.tools([canonical, cyclic])).toThrow(
      expect.objectContaining({ code: "invalid-option", details: { option: "tools", index: 1 } }),
    );
  });
});
