import { describe, expect, test } from "vitest";
import { VarveError } from "../errors.js";
import type { ToolMessage } from "../message/types.js";
import { fromGemini, toGemini } from "./gemini.js";

describe("fromGemini", () => {
  test("makes a single plain text a string", () => {
    expect(fromGemini([{ role: "model", parts: [{ text: "Hi" }] }])).toEqual([{ role: "assistant", content: "Hi" }]);
  });

  test("pairs calls and responses without id by name and order", () => {
    const contents = [
      { role: "model", parts: ["f", "g", "f"].map((name) => ({ functionCall: { name, args: {} } })) },
      {
        role: "user",
        parts: ["f", "f", "g"].map((name) => ({ functionResponse: { name, response: { output: "x" } } })),
      },
    ];
    const messages = fromGemini(contents);
    const calls = messages[0]?.content as { toolCallId: string }[];
    const results = (messages[1] as ToolMessage).content as { toolCallId: string }[];
    expect(new Set(calls.map((call) => call.toolCallId)).size).toBe(3);
    expect(results.map((part) => part.toolCallId)).toEqual([0, 2, 1].map((index) => calls[index]?.toolCallId));
    expect(toGemini(messages)).toEqual({ contents });
  });

  test("keeps signatures under the name that the AI SDK knows", () => {
    const parts = [{ functionCall: { id: "a", name: "f", args: {} }, thoughtSignature: "sig" }];
    const [message] = fromGemini([{ role: "model", parts }]);
    expect(message?.content).toMatchObject([{ providerOptions: { google: { thoughtSignature: "sig" } } }]);
  });

  test("reads thoughts as reasoning, and keeps an empty text that carries a signature", () => {
    const contents = [
      {
        role: "model",
        parts: [
          { text: "hm", thought: true },
          { text: "", thoughtSignature: "s" },
        ],
      },
    ];
    const messages = fromGemini(contents);
    expect(messages[0]?.content).toMatchObject([
      { type: "reasoning", text: "hm" },
      { type: "text", text: "" },
    ]);
    expect(toGemini(messages)).toEqual({ contents });
  });

  test("refuses unknown roles and parts that are no list, saying where", () => {
    const good = { role: "user", parts: [{ text: "x" }] };
    for (const bad of [{ role: "assistant", parts: [] }, { role: "user", parts: "x" }, 3]) {
      expect(() => fromGemini([good, bad])).toThrow(VarveError);
      expect(() => fromGemini([good, bad])).toThrow("message 1");
    }
  });
});

describe("toGemini", () => {
  test("puts leading system messages into the instruction, and later ones into user text", () => {
    const encoded = toGemini([
      { role: "system", content: "a" },
      { role: "system", content: "b" },
      { role: "user", content: "hi" },
      { role: "system", content: "hurry" },
    ]);
    expect(encoded).toEqual({
      systemInstruction: { parts: [{ text: "a" }, { text: "b" }] },
      contents: [{ role: "user", parts: [{ text: "hi" }, { text: "<system-note>hurry</system-note>" }] }],
    });
  });

  test("wraps outputs that are no object as output or error", () => {
    const result = (output: object) => ({ type: "tool-result", toolCallId: "a", toolName: "f", output });
    const outputs = [
      { type: "text", value: "t" },
      { type: "json", value: [1] },
      { type: "json", value: { a: 1 } },
      { type: "error-text", value: "e" },
      { type: "execution-denied" },
    ];
    const encoded = toGemini([{ role: "tool", content: outputs.map(result) } as unknown as ToolMessage]);
    const parts = encoded.contents[0]?.parts as { functionResponse: { response: unknown } }[];
    expect(parts.map((part) => part.functionResponse.response)).toEqual([
      { output: "t" },
      { output: [1] },
      { a: 1 },
      { error: "e" },
      { error: "Tool execution denied." },
    ]);
  });

  test("sets images of a tool's output beside the response", () => {
    const output = { type: "content" as const, value: [{ type: "image-data", data: "AAAA", mediaType: "image/png" }] };
    const { contents } = toGemini([
      { role: "tool", content: [{ type: "tool-result", toolCallId: "a", toolName: "f", output }] },
    ]);
    expect(contents[0]?.parts[1]).toEqual({ inlineData: { mimeType: "image/png", data: "AAAA" } });
  });
});
