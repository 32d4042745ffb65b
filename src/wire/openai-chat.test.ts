import { describe, expect, test } from "vitest";
import { VarveError } from "../errors.js";
import type { AssistantMessage, Message, ToolMessage } from "../message/types.js";
import { fromOpenAI, toOpenAI } from "./openai-chat.js";

const call = (id: string, name: string, text = "{}") => ({ id, type: "function", function: { name, arguments: text } });
const result = (message: Message | undefined) => (message as ToolMessage).content[0];

describe("fromOpenAI", () => {
  test("keeps plain text a string", () => {
    const [system, user, assistant] = fromOpenAI([
      { role: "system", content: "Be brief." },
      { role: "user", content: "Hello" },
      { role: "assistant", content: "Hi" },
    ]);
    expect([system, user, assistant]).toEqual([
      { role: "system", content: "Be brief." },
      { role: "user", content: "Hello" },
      { role: "assistant", content: "Hi" },
    ]);
  });

  test("names the tool of a result by the latest call with its id", () => {
    const messages = fromOpenAI([
      { role: "assistant", content: null, tool_calls: [call("a", "read")] },
      { role: "tool", tool_call_id: "a", content: "1" },
      { role: "assistant", content: null, tool_calls: [call("b", "list")] },
      { role: "tool", tool_call_id: "a", content: "late" },
      { role: "assistant", content: null, tool_calls: [call("a", "write")] },
      { role: "tool", tool_call_id: "a", content: "2" },
      { role: "tool", tool_call_id: "lost", name: "grep", content: "3" },
      { role: "tool", tool_call_id: "lost", content: "4" },
    ]);
    const names = messages.filter((message) => message.role === "tool").map((message) => result(message));
    expect(names).toMatchObject([
      { toolName: "read" },
      { toolName: "read" },
      { toolName: "write" },
      { toolName: "grep" },
      { toolName: "" },
    ]);
  });

  test("gives calls without id one, and their results the same", () => {
    const wire = [
      {
        role: "assistant",
        content: null,
        tool_calls: [{ function: { name: "a", arguments: "{}" } }, { function: { name: "b", arguments: "{}" } }],
      },
      { role: "tool", content: "1" },
      { role: "tool", content: "2" },
    ];
    const [assistant, first, second] = fromOpenAI(wire);
    const ids = (assistant as AssistantMessage).content as { toolCallId: string }[];
    expect(ids[0]?.toolCallId).not.toBe(ids[1]?.toolCallId);
    expect(result(first)).toMatchObject({ toolCallId: ids[0]?.toolCallId, toolName: "a" });
    expect(result(second)).toMatchObject({ toolCallId: ids[1]?.toolCallId, toolName: "b" });
    expect(toOpenAI([assistant!, first!, second!])).toEqual(wire);
  });

  test("reads arguments when asked and gives their bytes back", () => {
    const text = '{ "path":  "a.ts" }';
    const messages = fromOpenAI([
      { role: "assistant", content: null, tool_calls: [call("a", "read", text), call("b", "read", "{broken")] },
    ]);
    const [first, second] = (messages[0] as AssistantMessage).content as { input: unknown }[];
    expect(first?.input).toEqual({ path: "a.ts" });
    expect(second?.input).toBe("{broken");
    expect(toOpenAI(messages)[0]).toMatchObject({
      tool_calls: [{ function: { arguments: text } }, { function: { arguments: "{broken" } }],
    });
  });

  test("reads refusals and reasoning as what the assistant said and thought", () => {
    const [message] = fromOpenAI([{ role: "assistant", content: null, refusal: "No.", reasoning_content: "Hm" }]);
    expect(message?.content).toMatchObject([
      { type: "reasoning", text: "Hm" },
      { type: "text", text: "No." },
    ]);
  });

  test("pairs the older function_call with its function message", () => {
    const [assistant, tool] = fromOpenAI([
      { role: "assistant", content: null, function_call: { name: "f", arguments: "{}" } },
      { role: "function", name: "f", content: "r" },
    ]);
    const [part] = (assistant as AssistantMessage).content as { toolCallId: string }[];
    expect(result(tool)).toMatchObject({ toolCallId: part?.toolCallId, toolName: "f" });
  });

  test.each([
    [
      "an unknown role",
      [
        { role: "user", content: "" },
        { role: "wizard", content: "x" },
      ],
    ],
    [
      "a content of another type",
      [
        { role: "user", content: "" },
        { role: "user", content: 5 },
      ],
    ],
    [
      "calls that are no list",
      [
        { role: "user", content: "" },
        { role: "assistant", tool_calls: "x" },
      ],
    ],
    ["no object", [{ role: "user", content: "" }, "hello"]],
  ])("refuses %s, saying where", (_name, messages) => {
    let error: unknown;
    try {
      fromOpenAI(messages);
    } catch (thrown) {
      error = thrown;
    }
    expect(VarveError.isInstance(error) && error).toMatchObject({ code: "invalid-message", details: { index: 1 } });
    expect((error as VarveError).hint).toBeTruthy();
  });

  test("refuses what refers to itself", () => {
    const message: Record<string, unknown> = { role: "user", content: "x" };
    message.loop = { message };
    expect(() => fromOpenAI([message])).toThrow(VarveError);
  });
});

describe("toOpenAI", () => {
  test("has null content for calls alone, and the text for calls with text", () => {
    const part = { type: "tool-call", toolCallId: "a", toolName: "f", input: { x: 1 } } as const;
    expect(toOpenAI([{ role: "assistant", content: [part] }])).toEqual([
      { role: "assistant", content: null, tool_calls: [call("a", "f", '{"x":1}')] },
    ]);
    const said = toOpenAI([
      { role: "assistant", content: [{ type: "text", text: "Now" }, part, { type: "text", text: "then" }] },
    ]);
    expect(said[0]).toMatchObject({ content: "Now\n\nthen" });
  });

  test("writes every kind of output as text", () => {
    const outputs = [
      { type: "text", value: "t" },
      { type: "json", value: { a: 1 } },
      { type: "error-text", value: "e" },
      { type: "error-json", value: [1] },
      { type: "execution-denied", reason: "no" },
      {
        type: "content",
        value: [
          { type: "text", text: "x" },
          { type: "text", text: "y" },
        ],
      },
    ] as const;
    const content = outputs.map((output) => ({ type: "tool-result", toolCallId: "a", toolName: "f", output }));
    const encoded = toOpenAI([{ role: "tool", content } as unknown as Message]);
    expect(encoded.map((message) => message.content)).toEqual(["t", '{"a":1}', "e", "[1]", "no", "x\ny"]);
  });

  test("sends images of tool outputs after the whole batch of results", () => {
    const image = {
      type: "content" as const,
      value: [
        { type: "text", text: "shot" },
        { type: "image-data", data: "AAAA", mediaType: "image/png" },
      ],
    };
    const roles = toOpenAI([
      { role: "tool", content: [{ type: "tool-result", toolCallId: "a", toolName: "f", output: image }] },
      {
        role: "tool",
        content: [{ type: "tool-result", toolCallId: "b", toolName: "f", output: { type: "text", value: "x" } }],
      },
      { role: "assistant", content: "ok" },
    ]);
    expect(roles.map((message) => message.role)).toEqual(["tool", "tool", "user", "assistant"]);
    expect(roles[2]?.content).toEqual([{ type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } }]);
  });

  test("forgets marks on a content that has been replaced", () => {
    const [empty, list] = fromOpenAI([
      { role: "assistant", content: null },
      { role: "system", content: [{ type: "text", text: "old" }] },
    ]);
    const edited = [
      { ...empty, content: "new" },
      { ...list, content: "new" },
    ] as Message[];
    expect(toOpenAI(edited)).toEqual([
      { role: "assistant", content: "new" },
      { role: "system", content: "new" },
    ]);
  });

  test("drops reasoning of other providers", () => {
    const content = [
      { type: "reasoning" as const, text: "secret", providerOptions: { anthropic: { signature: "s" } } },
    ];
    expect(JSON.stringify(toOpenAI([{ role: "assistant", content }]))).not.toContain("secret");
  });
});
