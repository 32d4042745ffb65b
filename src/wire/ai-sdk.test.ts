import { modelMessageSchema } from "ai";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { VarveError } from "../errors.js";
import { toBase64 } from "../message/base64.js";
import type { Message } from "../message/types.js";
import { fromAISDK, toAISDK } from "./ai-sdk.js";
import { fromAnthropic } from "./anthropic.js";
import { loosePrompt as anthropicPrompt } from "./anthropic.test-helpers.js";
import { fromGemini } from "./gemini.js";
import { geminiPrompt } from "./gemini.test-helpers.js";
import { fromOpenAI } from "./openai-chat.js";
import { openAIMessages } from "./openai-chat.test-helpers.js";
import { fromOpenAIResponses } from "./openai-responses.js";
import { responsesItems } from "./openai-responses.test-helpers.js";

const messages = [
  { role: "system", content: "s" },
  {
    role: "user",
    content: [
      { type: "text", text: "t" },
      { type: "image", image: new URL("https://a.example/b.png") },
    ],
  },
  {
    role: "assistant",
    content: [
      { type: "reasoning", text: "r", providerOptions: { anthropic: { signature: "s" } } },
      { type: "tool-call", toolCallId: "a", toolName: "f", input: { x: [1] } },
      { type: "tool-approval-request", approvalId: "p", toolCallId: "a" },
      { type: "file", data: new Uint8Array([1, 2]), mediaType: "image/png" },
    ],
  },
  {
    role: "tool",
    content: [
      { type: "tool-approval-response", approvalId: "p", approved: true },
      { type: "tool-result", toolCallId: "a", toolName: "f", output: { type: "json", value: { y: 1 } } },
    ],
    providerOptions: { other: { kept: true } },
  },
];

describe("fromAISDK", () => {
  test("gives messages back as they came, as copies", () => {
    const decoded = fromAISDK(messages);
    const plain = JSON.stringify(messages, (_, value) => (value instanceof Uint8Array ? toBase64(value) : value));
    expect(toAISDK(decoded)).toEqual(JSON.parse(plain));
    expect(Object.isFrozen(decoded[0])).toBe(true);
    expect(Object.isFrozen(messages[0])).toBe(false);
    expect(decoded[2]?.content[1]).not.toBe(messages[2]?.content[1]);
  });

  test("gives media back as the AI SDK takes them, addresses under their name as such", () => {
    const url = new URL("https://a.example/c.pdf");
    const file = { type: "file", data: { type: "url", url }, mediaType: "application/pdf" };
    const output = { type: "content", value: [file] };
    const given = [
      { role: "user", content: [file, { type: "file", data: new Uint8Array([1]), mediaType: "image/png" }] },
      { role: "assistant", content: [{ type: "tool-call", toolCallId: "a", toolName: "f", input: {} }] },
      { role: "tool", content: [{ type: "tool-result", toolCallId: "a", toolName: "f", output }] },
    ];
    const again = toAISDK(fromAISDK(given));
    expect(again).toMatchObject([{ content: [file, { data: "AQ==" }] }, {}, { content: [{ output }] }]);
    for (const message of again) expect(modelMessageSchema.safeParse(message).error).toBeUndefined();
  });

  test("reads the parts of AI SDK 4 under their names of today", () => {
    const decoded = fromAISDK([
      { role: "user", content: [{ type: "image", image: "AAAA", mimeType: "image/png" }] },
      {
        role: "assistant",
        content: [
          { type: "reasoning", text: "hm", signature: "s" },
          { type: "redacted-reasoning", data: "d" },
          { type: "tool-call", toolCallId: "a", toolName: "f", args: { x: 1 } },
        ],
      },
      {
        role: "tool",
        content: [
          { type: "tool-result", toolCallId: "a", toolName: "f", result: { y: 1 } },
          { type: "tool-result", toolCallId: "b", toolName: "f", result: "boom", isError: true },
        ],
      },
    ]);
    expect(decoded[0]?.content).toEqual([{ type: "image", image: "AAAA", mediaType: "image/png" }]);
    expect(decoded[1]?.content).toEqual([
      { type: "reasoning", text: "hm", providerOptions: { anthropic: { signature: "s" } } },
      { type: "reasoning", text: "", providerOptions: { anthropic: { redactedData: "d" } } },
      { type: "tool-call", toolCallId: "a", toolName: "f", input: { x: 1 } },
    ]);
    expect(decoded[2]?.content).toEqual([
      { type: "tool-result", toolCallId: "a", toolName: "f", output: { type: "json", value: { y: 1 } } },
      { type: "tool-result", toolCallId: "b", toolName: "f", output: { type: "error-text", value: "boom" } },
    ]);
  });

  test("reads the media of AI SDK 5 in a tool's output", () => {
    const value = [
      { type: "media", data: "AAAA", mediaType: "image/png" },
      { type: "media", data: "BB", mediaType: "audio/wav" },
    ];
    const [message] = fromAISDK([
      {
        role: "tool",
        content: [{ type: "tool-result", toolCallId: "a", toolName: "f", output: { type: "content", value } }],
      },
    ]);
    expect(message?.content).toMatchObject([{ output: { value: [{ type: "image-data" }, { type: "file-data" }] } }]);
  });

  test.each([
    ["an unknown role", { role: "developer", content: "x" }],
    ["a list as system prompt", { role: "system", content: [] }],
    ["a string from a tool", { role: "tool", content: "x" }],
    ["a call without id", { role: "assistant", content: [{ type: "tool-call", toolName: "f", input: {} }] }],
    ["a part without type", { role: "user", content: [{ text: "x" }] }],
  ])("refuses %s, saying where", (_name, bad) => {
    expect(() => fromAISDK([messages[0], bad])).toThrow(VarveError);
    expect(() => fromAISDK([messages[0], bad])).toThrow("message 1");
  });
});

describe("toAISDK", () => {
  test("writes arguments as values and leaves their bytes out", () => {
    const decoded = fromOpenAI([
      {
        role: "assistant",
        content: null,
        tool_calls: [{ id: "a", type: "function", function: { name: "f", arguments: '{"x":1}' } }],
      },
    ]);
    expect(toAISDK(decoded)[0]?.content).toEqual([
      { type: "tool-call", toolCallId: "a", toolName: "f", input: { x: 1 } },
    ]);
  });

  test.each<[string, fc.Arbitrary<unknown>, (wire: unknown) => Message[]]>([
    ["OpenAI chat", openAIMessages, fromOpenAI],
    ["OpenAI Responses", responsesItems, fromOpenAIResponses],
    ["Anthropic", anthropicPrompt, fromAnthropic],
    ["Gemini", geminiPrompt, fromGemini],
  ])("writes what the AI SDK accepts, from %s", (_name, arbitrary, decode) => {
    fc.assert(
      fc.property(arbitrary, (wire) => {
        for (const message of toAISDK(decode(wire)))
          expect(modelMessageSchema.safeParse(message).error).toBeUndefined();
      }),
    );
  });
});
