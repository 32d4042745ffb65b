import { generateText, jsonSchema, type ModelMessage, tool } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import { expect, it } from "vitest";
import {
  createTokenCounter,
  fromAISDK,
  fromOpenAI,
  type Message,
  openVarve,
  PROVIDERS,
  toAISDKPrompt,
  toOpenAI,
  violations,
} from "../src/index.js";

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};
const finishReason = { unified: "stop" as const, raw: "stop" };

/** What a tool of the AI SDK saw, and the prompt that the model read, when the messages went through a view. */
const through = (messages: ModelMessage[]) => throughView(fromAISDK(messages));

async function throughView(messages: Message[]): Promise<{ ran: unknown[]; prompt: string }> {
  const session = await (await openVarve()).session("s", { window: 10_000 });
  await session.append(messages);
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

const callOf = (id: string) => ({
  type: "tool-call" as const,
  toolCallId: id,
  toolName: "remove",
  input: { path: id },
});
const ask = (id: string) => ({ type: "tool-approval-request" as const, approvalId: `ask ${id}`, toolCallId: id });
const answer = (id: string, approved = true, reason?: string) => ({
  type: "tool-approval-response" as const,
  approvalId: `ask ${id}`,
  approved,
  ...(reason !== undefined && { reason }),
});
const done = (id: string) => ({
  type: "tool-result" as const,
  toolCallId: id,
  toolName: "remove",
  output: { type: "text" as const, value: `done ${id}` },
});
const tells = (...content: Extract<Message, { role: "tool" }>["content"]): Message => ({ role: "tool", content });
const both: Message = { role: "assistant", content: [callOf("a"), callOf("b"), ask("a"), ask("b")] };
const oneAsked: Message = { role: "assistant", content: [callOf("a"), callOf("b"), ask("a")] };
const inline: Message = { role: "assistant", content: [callOf("a"), ask("a"), done("a"), callOf("b"), ask("b")] };
const blank: Message = { role: "user", content: " " };

it.each<[string, string[], Message[]]>([
  ["one was run already", ["b"], [both, tells(answer("a"), answer("b")), tells(done("a"))]],
  ["a result was recorded twice", ["b"], [both, tells(answer("a"), answer("b")), tells(done("a")), tells(done("a"))]],
  ["a result stands inside the message of its call", ["b"], [inline, tells(answer("a"), answer("b"))]],
  ["a blank message came between", ["b"], [both, tells(answer("a"), answer("b")), blank, tells(done("a"))]],
  ["a blank message came between the answers", ["a", "b"], [both, tells(answer("a")), blank, tells(answer("b"))]],
  ["each was answered in a message of its own", ["a", "b"], [both, tells(answer("a")), tells(answer("b"))]],
  ["the other was denied later", ["a"], [both, tells(answer("a")), tells(answer("b", false))]],
  ["the other has its result", ["a"], [oneAsked, tells(answer("a")), tells(done("b"))]],
  ["the answer came behind the result", [], [both, tells(done("a"), done("b")), tells(answer("a"), answer("b"))]],
])("lets the AI SDK run each approved tool just once where %s", async (_, expected, rest) => {
  const { ran } = await throughView([{ role: "user", content: "Remove them" }, ...rest]);
  expect(ran).toEqual(expected.map((path) => ({ path })));
});

it("counts what a provider reads in place of the results of open approvals", async () => {
  const ids = Array.from({ length: 20 }, (_, at) => `k${at}`);
  const counter = createTokenCounter();
  for (const approved of [true, false]) {
    const session = await (await openVarve()).session("s", { window: 10_000 });
    const given = ids.map((id, at) => answer(id, approved || at === 0, approved ? undefined : "because ".repeat(20)));
    const asking: Message = { role: "assistant", content: [...ids.map(callOf), ...ids.map(ask)] };
    await session.append([{ role: "user", content: "go" }, asking, tells(...given)]);
    const { messages, tokens } = await session.view();
    const sent = fromOpenAI(toOpenAI(messages)).reduce((sum, message) => sum + counter.message(message), 0);
    expect(tokens).toBeGreaterThanOrEqual(sent);
  }
});
