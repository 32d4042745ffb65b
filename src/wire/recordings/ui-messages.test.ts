import { convertToModelMessages, type UIMessage } from "ai";
import { describe, expect, test } from "vitest";
import { toAISDK } from "../ai-sdk.js";
import { kinds, single } from "./samples.test-helpers.js";

type Messages = Omit<UIMessage, "id">[];

const conversation: Messages = [
  {
    role: "user",
    parts: [
      { type: "text", text: "Look at this" },
      { type: "file", mediaType: "image/png", url: "data:image/png;base64,AAAA", filename: "a.png" },
    ],
  },
  {
    role: "assistant",
    parts: [
      { type: "step-start" },
      { type: "reasoning", text: "Hm", providerMetadata: { anthropic: { signature: "sig" } } },
      { type: "text", text: "I look." },
      { type: "tool-read", toolCallId: "f1", state: "output-available", input: { path: "a" }, output: { lines: 3 } },
      { type: "dynamic-tool", toolName: "ls", toolCallId: "f2", state: "output-error", input: {}, errorText: "No" },
      { type: "data-progress", data: 1 },
      { type: "step-start" },
      { type: "source-url", sourceId: "1", url: "https://a.example" },
      { type: "tool-search", toolCallId: "f3", state: "output-available", input: {}, output: "text" },
      { type: "step-start" },
      { type: "text", text: "Done." },
    ],
  },
  { role: "user", parts: [{ type: "text", text: "More" }] },
  {
    role: "assistant",
    parts: [{ type: "step-start" }, { type: "tool-read", toolCallId: "f4", state: "input-available", input: {} }],
  },
];

describe("UI messages of the AI SDK", () => {
  test("are read as the AI SDK itself reads them", async () => {
    const { messages } = single(JSON.stringify(conversation));
    const theirs = JSON.stringify(await convertToModelMessages(conversation), (_, value) =>
      value?.type === "url" ? String(value.url) : value,
    );
    expect(toAISDK(messages)).toEqual(JSON.parse(theirs));
    expect(kinds(JSON.stringify(conversation))).toEqual([]);
  });

  test("keep calls that the provider ran in the answer, with their results", () => {
    const parts = [
      {
        type: "tool-search",
        toolCallId: "f1",
        state: "output-available",
        input: {},
        output: "found",
        providerExecuted: true,
      },
    ];
    expect(single(JSON.stringify([{ role: "assistant", parts }])).messages).toMatchObject([
      { role: "assistant", content: [{ type: "tool-call", providerExecuted: true }, { type: "tool-result" }] },
    ]);
  });

  test("of version 4 have their invocations beside the content, or in parts", () => {
    const invocation = { state: "result", toolCallId: "f1", toolName: "ls", args: { path: "." }, result: "a.ts" };
    const expected = [
      {
        role: "assistant",
        content: [
          { type: "text", text: "I look." },
          { type: "tool-call", toolCallId: "f1", input: { path: "." } },
        ],
      },
      { role: "tool", content: [{ toolName: "ls", output: { type: "text", value: "a.ts" } }] },
    ];
    const beside = [{ role: "assistant", content: "I look.", toolInvocations: [invocation] }];
    expect(single(JSON.stringify(beside)).messages).toMatchObject(expected);
    const parts = [
      { type: "text", text: "I look." },
      { type: "tool-invocation", toolInvocation: invocation },
    ];
    expect(single(JSON.stringify([{ role: "assistant", content: "I look.", parts }])).messages).toMatchObject(expected);
  });

  test("of version 4 keep signed thoughts", () => {
    const details = [
      { type: "text", text: "Hm", signature: "sig" },
      { type: "redacted", data: "secret" },
    ];
    const parts = [{ type: "reasoning", reasoning: "Hm", details }];
    expect(single(JSON.stringify([{ role: "assistant", content: "", parts }])).messages).toMatchObject([
      {
        content: [
          { type: "reasoning", text: "Hm", providerOptions: { anthropic: { signature: "sig" } } },
          { type: "reasoning", text: "", providerOptions: { anthropic: { redactedData: "secret" } } },
        ],
      },
    ]);
  });
});
