import { generateText } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import { describe, expect, test } from "vitest";
import { says, system, user } from "../../test/support/build.js";
import { toAISDK, toAISDKPrompt } from "./ai-sdk.js";
import { fromOpenAI } from "./openai-chat.js";

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};
const model = () =>
  new MockLanguageModelV4({
    doGenerate: {
      content: [{ type: "text", text: "fine" }],
      finishReason: { unified: "stop", raw: "stop" },
      usage,
      warnings: [],
    },
  });

const conversation = [
  system("Be brief."),
  user("Hi"),
  ...fromOpenAI([
    {
      role: "assistant",
      content: null,
      tool_calls: [{ id: "a", type: "function", function: { name: "read", arguments: '{"path":"x"}' } }],
    },
    { role: "tool", tool_call_id: "a", content: "text of x" },
  ]),
  user("Go on"),
];

describe("the AI SDK itself", () => {
  test("takes the prompt with the system messages apart", async () => {
    const mock = model();
    const { text } = await generateText({ model: mock, ...toAISDKPrompt(conversation) });
    expect(text).toBe("fine");
    const { prompt } = mock.doGenerateCalls[0]!;
    expect(prompt.map(({ role }) => role)).toEqual(["system", "user", "assistant", "tool", "user"]);
    expect(prompt[2]?.content).toMatchObject([{ type: "tool-call", toolCallId: "a", input: { path: "x" } }]);
  });

  test("takes them together where it is told that they may be", async () => {
    const given = { model: model(), messages: toAISDK(conversation), allowSystemInMessages: true };
    expect((await generateText(given)).text).toBe("fine");
  });
});

describe("toAISDKPrompt", () => {
  test("marks system messages inside the conversation", () => {
    expect(toAISDKPrompt([system("a"), user("b"), system("c"), says("d")])).toEqual({
      instructions: [{ role: "system", content: "a" }],
      messages: [
        { role: "user", content: "b" },
        { role: "user", content: "<system-note>c</system-note>" },
        { role: "assistant", content: "d" },
      ],
    });
  });

  test("has no instructions where there is no system message", () => {
    expect(toAISDKPrompt([user("a")])).toEqual({ messages: [{ role: "user", content: "a" }] });
  });
});

describe("toAISDK", () => {
  test("writes calls that survive being spread and cloned", () => {
    const [message] = toAISDK(conversation.slice(2, 3));
    const [call] = message!.content as { input: unknown }[];
    expect({ ...call }.input).toEqual({ path: "x" });
    expect(structuredClone(call)?.input).toEqual({ path: "x" });
  });
});
