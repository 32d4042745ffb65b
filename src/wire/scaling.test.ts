import { describe, expect, test } from "vitest";
import { call, calls, result, user } from "../../test/support/build.js";
import { cpuTime } from "../../test/support/cpu-time.js";
import { repair } from "../message/repair.js";
import type { Message } from "../message/types.js";
import { violations } from "../wire/legality/violations.js";
import { fromAnthropic, toAnthropic } from "./anthropic.js";
import { fromGemini, toGemini } from "./gemini.js";
import { fromOpenAI, toOpenAI } from "./openai-chat.js";
import { fromOpenAIResponses, toOpenAIResponses } from "./openai-responses.js";

const times = <T>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at));
const ids = (count: number): string[] => times(count, (at) => `id_${at}`);

const picture = (toolCallId: string): Message => ({
  role: "tool",
  content: [
    {
      type: "tool-result",
      toolCallId,
      toolName: "read",
      output: { type: "content", value: [{ type: "image-url", url: "https://a.example/b.png" }] },
    },
  ],
});
const inside = (count: number): Message => ({
  role: "assistant",
  content: [...ids(count).map((id) => call(id)), ...ids(count).flatMap((id) => result(id).content as never[])],
});
const parallel = (count: number): Message[] => [
  user("go"),
  calls(...ids(count)),
  ...ids(count).map((id) => result(id)),
];
const doubled = (count: number): Message[] => [user("go"), calls("a"), ...times(count, () => result("a"))];
const late = (count: number): Message[] => [
  user("go"),
  calls(...ids(count)),
  ...ids(count).flatMap((id) => [user("hurry"), result(id)]),
];

const blank = { type: "tool-result", toolCallId: "", output: { type: "text", value: "ok" } };
const answer = (id: string) => ({
  type: "custom",
  kind: "anthropic.web_search_tool_result",
  providerOptions: { varve: { anthropic: { value: { type: "web_search_tool_result", tool_use_id: id } } } },
});
const stray = { ...blank, toolName: "nobody" };
const unansweredProgram = (count: number) => {
  const started = { type: "server_tool_use", id: "s", name: "code_execution", input: {} };
  const use = (id: string) => ({ type: "tool_use", id, name: "f", input: {}, caller: { tool_id: "s" } });
  return fromAnthropic([
    { role: "user", content: "go" },
    { role: "assistant", content: [started] },
    ...ids(count).map((id) => ({ role: "assistant", content: [use(id)] })),
  ]);
};
const chatCall = (id: string) => ({ id, type: "function", function: { name: "f", arguments: "{}" } });

const shapes: [what: string, make: (count: number) => unknown, act: (made: never) => unknown][] = [
  ["neighbours of one role to Anthropic", (count) => times(count, () => user("x")), toAnthropic],
  ["neighbours of one role to Gemini", (count) => times(count, () => user("x")), toGemini],
  ["parallel calls", parallel, repair],
  [
    "parallel calls of one id",
    (count) => [user("go"), calls(...times(count, () => "a")), ...doubled(count).slice(2)],
    repair,
  ],
  ["parallel calls as rules", parallel, (made) => violations(made, "gemini")],
  ["calls answered in their message", (count) => [user("go"), inside(count), user("on")], repair],
  ["results given again and again", doubled, repair],
  ["results scattered over the conversation", late, repair],
  ["pictures of tools to Chat", (count) => [user("go"), calls(...ids(count)), ...ids(count).map(picture)], toOpenAI],
  ["parallel calls of Chat", (count) => toOpenAI(parallel(count)), fromOpenAI],
  [
    "results without an id, the last one first",
    (count) => [
      { role: "model", parts: ids(count).map((name) => ({ functionCall: { name, args: {} } })) },
      {
        role: "user",
        parts: ids(count)
          .map((name) => ({ functionResponse: { name, response: {} } }))
          .reverse(),
      },
    ],
    fromGemini,
  ],
  [
    "results with an id behind one without",
    (count) => [
      { role: "assistant", content: null, tool_calls: ids(count).map(chatCall) },
      { role: "tool", content: "1" },
      ...ids(count)
        .slice(1)
        .reverse()
        .map((id) => ({ role: "tool", tool_call_id: id, content: "2" })),
    ],
    fromOpenAI,
  ],
  [
    "results with a blank id, the last one first",
    (count) => [
      user("go"),
      { role: "assistant", content: ids(count).map((name) => ({ ...call(name), toolName: name })) },
      ...ids(count)
        .reverse()
        .map((toolName) => ({ role: "tool", content: [{ ...blank, toolName }] })),
    ],
    repair,
  ],
  [
    "results with a blank id for calls of many messages",
    (count) => [user("go"), ...ids(count).map((id) => calls(id)), ...times(count, () => result(""))],
    repair,
  ],
  [
    "answers to nobody",
    (count) => [user("go"), { role: "assistant", content: [...ids(count).map(answer), { type: "text", text: "so" }] }],
    repair,
  ],
  ["calls of a program that nobody answers", unansweredProgram, repair],
  [
    "results of tools that nobody called",
    (count) => [user("go"), calls(...ids(count)), ...times(count, () => ({ role: "tool", content: [stray] }))],
    repair,
  ],
  ["parallel calls of Responses", (count) => toOpenAIResponses(parallel(count)), fromOpenAIResponses],
];

/** Sixteen times as much may take 64 times as long on a busy machine; with the square it would take 256 times. */
describe("time", () => {
  test.each(shapes)("grows with the number of messages: %s", async (_what, make, act) => {
    const [few, many] = [make(2_000), make(32_000)] as never[];
    const short = await cpuTime(() => act(few!), 16);
    expect(await cpuTime(() => act(many!), 3)).toBeLessThan(64 * Math.max(short, 0.5) + 20);
  });
});
