import { describe, expect, test } from "vitest";
import type { Message, ProviderOptions, ToolOutput } from "../message/types.js";
import { toAnthropic } from "../wire/anthropic.js";
import { createTokenCounter } from "./create-token-counter.js";

const counter = createTokenCounter();
const reasoning = (text: string, providerOptions?: ProviderOptions): Message => ({
  role: "assistant",
  content: [{ type: "reasoning", text, ...(providerOptions && { providerOptions }) }],
});
const sealed = "A".repeat(20_000);

describe("reasoning that its provider sealed", () => {
  test.each<[string, ProviderOptions]>([
    ["redacted by Anthropic", { anthropic: { redactedData: sealed } }],
    ["signed by Anthropic", { anthropic: { signature: sealed } }],
    ["encrypted by OpenAI", { openai: { itemId: "r", reasoningEncryptedContent: sealed } }],
    ["signed by Google", { google: { thoughtSignature: sealed } }],
  ])("counts by its length, %s", (_name, options) => {
    const tokens = counter.message(reasoning("", options));
    expect(tokens).toBeGreaterThan(20_000 / 5.5);
    expect(tokens).toBeLessThanOrEqual(4 + 20_000 / 4);
  });

  test("counts by its text where that is more", () => {
    const text = "I look at the file first. ".repeat(40);
    const short = reasoning(text, { anthropic: { signature: "A".repeat(300) } });
    expect(counter.message(short)).toBe(counter.message(reasoning(text)));
    expect(counter.message(reasoning(text, { anthropic: { signature: sealed } }))).toBeGreaterThan(4_000);
  });

  test("counts nothing for an id alone, or for marks of another type", () => {
    const empty = counter.message(reasoning(""));
    expect(counter.message(reasoning("", { openai: { itemId: "r", reasoningEncryptedContent: null } }))).toBe(empty);
  });
});

test("a denied call counts what is sent for it", () => {
  const result = (output: ToolOutput): Message => ({
    role: "tool",
    content: [{ type: "tool-result", toolCallId: "a", toolName: "f", output }],
  });
  const denied = result({ type: "execution-denied" });
  const [message] = toAnthropic([denied]).messages;
  const [block] = message!.content as { content: string }[];
  expect(block!.content).toBe("Tool execution denied.");
  expect(counter.message(denied)).toBe(counter.message(result({ type: "text", value: block!.content })));
});
