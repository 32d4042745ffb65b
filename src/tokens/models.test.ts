import { describe, expect, it } from "vitest";
import { VarveError } from "../errors.js";
import { findModel, MODEL_TABLE, requireModel } from "./models.js";
import data from "./models.json" with { type: "json" };

describe("finding a model", () => {
  it.each([
    ["gpt-4o", "gpt-4o"],
    ["gpt-4o-2024-08-06", "gpt-4o"],
    ["openai/gpt-4o-mini", "gpt-4o-mini"],
    ["gpt-4-0613", "gpt-4"],
    ["gpt-4-turbo-preview", "gpt-4-turbo"],
    ["gpt-5-2025-08-07", "gpt-5"],
    ["gpt-5.1-codex-max", "gpt-5.1"],
    ["anthropic/claude-sonnet-4", "claude-sonnet-4"],
    ["claude-sonnet-4-20250514", "claude-sonnet-4"],
    ["claude-sonnet-4-0", "claude-sonnet-4"],
    ["claude-opus-4.5", "claude-opus-4-5"],
    ["us.anthropic.claude-sonnet-4-20250514-v1:0", "claude-sonnet-4"],
    ["claude-3-5-sonnet@20241022", "claude-3-5-sonnet"],
    ["models/gemini-2.5-flash-preview-05-20", "gemini-2.5-flash"],
    ["gemini-2.5-flash-lite", "gemini-2.5-flash-lite"],
    ["meta-llama/Llama-3.1-8B-Instruct", "llama-3.1"],
    ["llama3:latest", "llama-3"],
    ["qwen2.5-coder:7b", "qwen2.5-coder"],
    ["deepseek-ai/DeepSeek-R1", "deepseek-r1"],
    ["gpt-oss:20b", "gpt-oss"],
    ["ft:gpt-4o-mini-2024-07-18:acme::x", "gpt-4o-mini"],
    ["openai/ft:gpt-3.5-turbo-0125:acme::x", "gpt-3.5-turbo"],
    ["gpt-35-turbo", "gpt-3.5-turbo"],
    ["azure/gpt-35-turbo-16k", "gpt-3.5-turbo"],
  ])("%s is %s", (name, id) => {
    expect(findModel(name)?.id).toBe(id);
  });

  it.each(["", "foo", "gpt-5.9", "claude-opus-4-99", "text-embedding-3-large", "anthropic/", "gpt"])(
    "knows nothing of %j",
    (name) => {
      expect(findModel(name)).toBeUndefined();
    },
  );

  it.each([
    "gemini-2.5-flash-image",
    "gemini-2.5-flash-preview-tts",
    "gemini-2.5-pro-preview-tts",
    "gemini-3-pro-image-preview",
    "gemini-2.0-flash-live-001",
    "gpt-3.5-turbo-instruct",
    "gpt-35-turbo-instruct",
    "gpt-4o-transcribe",
    "gpt-4o-mini-search-preview",
    "gpt-4o-audio-preview",
    "gpt-4o-realtime-preview-2024-12-17",
    "qwen3-embedding-8b",
  ])("does not take %s for its sibling that chats", (name) => {
    expect(findModel(name)).toBeUndefined();
  });

  it("tells what to do about an unknown model", () => {
    const attempt = (): unknown => requireModel("my-model");
    expect(attempt).toThrow(VarveError);
    expect(attempt).toThrow(
      expect.objectContaining({ code: "unknown-model", hint: expect.stringContaining("window") }),
    );
    expect(requireModel("gpt-4.1").window).toBe(1_047_576);
  });
});

describe("the table", () => {
  it("says when and from what it was made", () => {
    expect(MODEL_TABLE.date).toMatch(/^20\d\d-\d\d-\d\d$/);
    expect(MODEL_TABLE.source).not.toBe("");
  });

  it.each(data.models)("of $id finds itself and has sound numbers", (row) => {
    const model = requireModel(row.id);
    expect(model.id).toBe(row.id);
    expect(model.maxOutput).toBeLessThanOrEqual(model.window);
    expect(model.maxInput ?? model.window).toBeLessThanOrEqual(model.window);
    const { input, output, cacheRead = 0, cacheWrite = input } = model.price ?? { input: 0, output: 0 };
    expect(cacheRead).toBeLessThanOrEqual(input);
    expect(cacheWrite).toBeGreaterThanOrEqual(input);
    expect(output).toBeGreaterThanOrEqual(input);
  });

  it("names no model twice", () => {
    const names = data.models.flatMap((row) => [row.id, ...("aliases" in row ? (row.aliases ?? []) : [])]);
    expect(new Set(names).size).toBe(names.length);
  });
});
