import { generateText, jsonSchema, type ModelMessage, tool } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import { expect, it } from "vitest";
import { fromAISDK, openVarve, PROVIDERS, toAISDKPrompt, toOpenAI, violations } from "../src/index.js";

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};
const finishReason = { unified: "stop" as const, raw: "stop" };

/** What a tool of the AI SDK saw, and the prompt that the model read, when the messages went through a view. */
async function through(messages: ModelMessage[]): Promise<{ ran: unknown[]; prompt: string }> {
  const session = await (await openVarve()).session("s", { window: 10_000 });
  await session.append(fromAISDK(messages));
  const ran: unknown[] = [];
  const remove = tool({
    inputSchema: jsonSchema<{ path: string }>({ type: "object", properties: { path: { type: "string" } } }),
    needsApproval: true,
    execute: (input) => {
      ran.push(input);
      return "removed";
    },
  });
  const model = new MockLanguageModelV4({
    doGenerate: { content: [{ type: "text", text: "fine" }], finishReason, usage, warnings: [] },
  });
  await generateText({ model, tools: { remove }, ...toAISDKPrompt((await session.view()).messages) });
  return { ran, prompt: JSON.stringify(model.doGenerateCalls[0]?.prompt) };
}

const asked = (approved: boolean): ModelMessage[] => [
  { role: "user", content: "Remove a.txt" },
  {
    role: "assistant",
    content: [
      { type: "tool-call", toolCallId: "c", toolName: "remove", input: { path: "a.txt" } },
      { type: "tool-approval-request", approvalId: "p", toolCallId: "c" },
    ],
  },
  {
    role: "tool",
    content: [{ type: "tool-approval-response", approvalId: "p", approved, ...(!approved && { reason: "keep it" }) }],
  },
];

it("lets the AI SDK run an approved tool", async () => {
  const { ran, prompt } = await through(asked(true));
  expect(ran).toEqual([{ path: "a.txt" }]);
  expect(prompt).toContain("removed");
  expect(prompt).not.toContain("No result was recorded");
});

it("tells the model why a tool was denied, at once and later", async () => {
  for (const rest of [[], [{ role: "user" as const, content: "Go on" }]]) {
    const { ran, prompt } = await through([...asked(false), ...rest]);
    expect(ran).toEqual([]);
    expect(prompt.match(/execution-denied/g)).toHaveLength(1);
    expect(prompt).toContain("keep it");
  }
});

it("closes an approved call in the next view when the user spoke instead", async () => {
  for (const window of [10_000, 60]) {
    const session = await (await openVarve()).session("s", { window });
    await session.append(fromAISDK(asked(true)));
    expect((await session.view()).messages.at(-1)?.content).toMatchObject([{ type: "tool-approval-response" }]);
    await session.append({ role: "user", content: "Stop" });
    const { messages } = await session.view();
    for (const provider of PROVIDERS) expect(violations(messages, provider)).toEqual([]);
    expect(JSON.stringify(toOpenAI(messages))).not.toContain("has not run yet");
  }
});
