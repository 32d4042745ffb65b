import { describe, expect, test } from "vitest";
import { VarveError } from "../errors.js";
import type { AssistantMessage } from "../message/types.js";
import { fromOpenAIResponses, toOpenAIResponses } from "./openai-responses.js";

const reasoning = {
  type: "reasoning",
  id: "rs_1",
  summary: [
    { type: "summary_text", text: "First." },
    { type: "summary_text", text: "Second." },
  ],
  encrypted_content: "gAAA",
};
const call = {
  type: "function_call",
  id: "fc_1",
  call_id: "c1",
  name: "f",
  arguments: '{"a": 1}',
  status: "completed",
};

describe("fromOpenAIResponses", () => {
  test("keeps a call with the reasoning that led to it, in one message", () => {
    const items = [
      { role: "user", content: "go" },
      reasoning,
      call,
      { type: "function_call_output", call_id: "c1", output: "r" },
    ];
    const messages = fromOpenAIResponses(items);
    expect(messages.map((message) => message.role)).toEqual(["user", "assistant", "tool"]);
    expect(messages[1]?.content).toMatchObject([
      {
        type: "reasoning",
        text: "First.",
        providerOptions: { openai: { itemId: "rs_1", reasoningEncryptedContent: "gAAA" } },
      },
      { type: "reasoning", text: "Second.", providerOptions: { openai: { itemId: "rs_1" } } },
      { type: "tool-call", toolCallId: "c1", input: { a: 1 }, providerOptions: { openai: { itemId: "fc_1" } } },
    ]);
    expect(messages[2]?.content).toMatchObject([{ toolName: "f", output: { type: "text", value: "r" } }]);
    expect(toOpenAIResponses(messages)).toEqual(items);
  });

  test("reads a string as a user message", () => {
    expect(fromOpenAIResponses("Hello")).toEqual([{ role: "user", content: "Hello" }]);
  });

  test("reads a message of one plain string as that string", () => {
    expect(fromOpenAIResponses([{ role: "assistant", content: "Hi" }])).toEqual([{ role: "assistant", content: "Hi" }]);
  });

  test("carries items of unknown types where they stand", () => {
    const items = [
      { type: "web_search_call", id: "ws", status: "completed", action: { type: "search", query: "x" } },
      { type: "file_search_call", id: "fs", queries: ["x"], results: null },
      { type: "item_reference", id: "x" },
      {
        type: "message",
        id: "m",
        role: "assistant",
        phase: "final_answer",
        content: [{ type: "output_text", text: "ok", annotations: [] }],
      },
    ];
    const messages = fromOpenAIResponses(items);
    expect((messages[0] as AssistantMessage).content).toHaveLength(4);
    expect(toOpenAIResponses(messages)).toEqual(items);
  });

  test("refuses items without type and role, and unknown roles, saying where", () => {
    const good = { role: "user", content: "x" };
    for (const bad of [
      { content: "x" },
      { role: "wizard", content: "x" },
      { type: 5 },
      { role: "user", content: 4 },
      [],
    ]) {
      expect(() => fromOpenAIResponses([good, bad])).toThrow(VarveError);
      expect(() => fromOpenAIResponses([good, bad])).toThrow("message 1");
    }
  });
});

describe("toOpenAIResponses", () => {
  test("writes no empty message for blank text beside a call", () => {
    const toolCall = { type: "tool-call", toolCallId: "c1", toolName: "f", input: {} } as const;
    const items = toOpenAIResponses([{ role: "assistant", content: [{ type: "text", text: "" }, toolCall] }]);
    expect(items).toMatchObject([{ type: "function_call", call_id: "c1" }]);
  });

  test("joins the reasoning parts of one item as the AI SDK writes them", () => {
    const part = (text: string, encrypted: string | null) => ({
      type: "reasoning" as const,
      text,
      providerOptions: { openai: { itemId: "rs_1", reasoningEncryptedContent: encrypted } },
    });
    const content = [part("First.", null), part("Second.", "gAAA"), { type: "text" as const, text: "said" }];
    const items = toOpenAIResponses([{ role: "assistant", content }]);
    expect(items).toEqual([reasoning, { role: "assistant", content: "said" }]);
  });

  test("drops reasoning of other providers", () => {
    const content = [
      { type: "reasoning" as const, text: "secret", providerOptions: { anthropic: { signature: "s" } } },
      { type: "text" as const, text: "said" },
    ];
    expect(toOpenAIResponses([{ role: "assistant", content }])).toEqual([{ role: "assistant", content: "said" }]);
  });

  test("sends media of a tool's output as a list", () => {
    const output = {
      type: "content" as const,
      value: [
        { type: "text", text: "t" },
        { type: "image-url", url: "https://a.example/b.png" },
      ],
    };
    expect(
      toOpenAIResponses([{ role: "tool", content: [{ type: "tool-result", toolCallId: "c", toolName: "f", output }] }]),
    ).toEqual([
      {
        type: "function_call_output",
        call_id: "c",
        output: [
          { type: "input_text", text: "t" },
          { type: "input_image", image_url: "https://a.example/b.png" },
        ],
      },
    ]);
  });
});
