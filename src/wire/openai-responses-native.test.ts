import { describe, expect, test } from "vitest";
import { repair } from "../message/repair.js";
import { toolCallFromText } from "../message/tool-call.js";
import type { AssistantMessage, Message, ToolCallPart, ToolMessage, ToolOutput } from "../message/types.js";
import { PROVIDERS, violations } from "../wire/legality/violations.js";
import { toAnthropic } from "./anthropic.js";
import { toGemini } from "./gemini.js";
import { toOpenAI } from "./openai-chat.js";
import { fromOpenAIResponses, toOpenAIResponses } from "./openai-responses.js";

const ask = { role: "user", content: "go" };
const outcome = { type: "exit", exit_code: 2 };
const shot = { type: "computer_screenshot", image_url: "https://a.example/b.png" };
const PAIRS = [
  {
    name: "shell",
    input: { commands: ["ls"] },
    call: { type: "shell_call", id: "sh", call_id: "c", action: { commands: ["ls"] }, status: "completed" },
    output: { type: "shell_call_output", call_id: "c", output: [{ stdout: "a.ts", stderr: "warning", outcome }] },
    text: "a.ts\nwarning",
  },
  {
    name: "local_shell",
    input: { type: "exec", command: ["ls"], env: {} },
    call: { type: "local_shell_call", id: "ls", call_id: "c", action: { type: "exec", command: ["ls"], env: {} } },
    output: { type: "local_shell_call_output", id: "c", output: "a.ts" },
    text: "a.ts",
  },
  {
    name: "apply_patch",
    input: { type: "delete_file", path: "a.ts" },
    call: { type: "apply_patch_call", id: "ap", call_id: "c", operation: { type: "delete_file", path: "a.ts" } },
    output: { type: "apply_patch_call_output", call_id: "c", status: "failed", output: "no such file" },
    text: "no such file",
  },
];
const computer = [
  { type: "computer_call", id: "cu", call_id: "c", action: { type: "click", x: 1, y: 2 }, pending_safety_checks: [] },
  { type: "computer_call_output", call_id: "c", output: shot, acknowledged_safety_checks: [] },
];

const callOf = (messages: readonly Message[]) => (messages[1] as AssistantMessage).content[0] as ToolCallPart;
const answered = (messages: readonly Message[], output: ToolOutput): Message[] => {
  const { toolCallId, toolName } = callOf(messages);
  return [...messages.slice(0, 2), { role: "tool", content: [{ type: "tool-result", toolCallId, toolName, output }] }];
};
const withOutput = (messages: readonly Message[], output: ToolOutput): Message[] => {
  const [part] = (messages[2] as ToolMessage).content;
  return [...messages.slice(0, 2), { role: "tool", content: [{ ...part, output } as ToolMessage["content"][number]] }];
};

describe.each(PAIRS)("the $name tool of OpenAI", ({ name, input, call, output, text }) => {
  const messages = fromOpenAIResponses([ask, call, output]);

  test("calls and answers as any other, and goes back as it came", () => {
    expect(messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool"]);
    expect(callOf(messages)).toMatchObject({ type: "tool-call", toolCallId: "c", toolName: name, input });
    expect(toOpenAIResponses(messages)).toEqual([ask, call, output]);
  });

  test("is a call with a result for every other provider", () => {
    for (const provider of PROVIDERS) expect(violations(messages, provider)).toEqual([]);
    expect(toOpenAI(messages).at(-1)).toEqual({ role: "tool", tool_call_id: "c", content: text });
    expect(JSON.stringify(toAnthropic(messages))).toContain(`"name":"${name}"`);
    expect(JSON.stringify(toGemini(messages))).toContain(`"name":"${name}"`);
  });

  test("gets an output of its own type, however that was made or shortened", () => {
    const short: ToolOutput = { type: "text", value: "short" };
    for (const made of [answered(messages, short), withOutput(messages, short)]) {
      const item = toOpenAIResponses(made).at(-1) as unknown as Record<string, unknown>;
      expect(item).toMatchObject({ type: output.type });
      expect(JSON.stringify(item.output)).toContain("short");
      if (name === "shell") expect(item.output).toMatchObject([{ stdout: "short", stderr: "" }]);
    }
    const [, closed] = repair(messages.slice(0, 2)).messages.slice(1);
    expect(toOpenAIResponses([...messages.slice(0, 2), closed!]).at(-1)).toMatchObject({ type: output.type });
  });

  test("is written as a function's where its call lost its shape", () => {
    const { toolCallId: id, toolName, providerOptions } = callOf(messages);
    const cut = toolCallFromText({ id, name: toolName, text: "{}" }, providerOptions);
    const items = toOpenAIResponses([messages[0]!, { role: "assistant", content: [cut] }, messages[2]!]);
    expect(items.slice(1)).toEqual([
      { type: "function_call", call_id: "c", name, arguments: "{}" },
      { type: "function_call_output", call_id: "c", output: text },
    ]);
  });
});

describe("a shell command that failed", () => {
  const call = { type: "shell_call", call_id: "c", action: { commands: ["make", "make"] } };
  const ended = (...outcomes: object[]) => {
    const output = outcomes.map((each, at) => ({ stdout: `run ${at}`, stderr: "boom", outcome: each }));
    return [ask, call, { type: "shell_call_output", call_id: "c", output }];
  };
  const exit = (exit_code: number) => ({ type: "exit", exit_code });
  const shortened = (wire: object[], output: ToolOutput) =>
    toOpenAIResponses(withOutput(fromOpenAIResponses(wire), output)).at(-1);
  const cut: ToolOutput[] = [
    { type: "content", value: [{ type: "text", text: "cut" }] },
    { type: "text", value: "cut" },
  ];

  test("stays one when its output is shortened, and a good one stays good", () => {
    const cases: [object[], object][] = [
      [[exit(0), exit(2)], exit(2)],
      [[exit(0), { type: "timeout" }], { type: "timeout" }],
      [[exit(0), exit(0)], exit(0)],
    ];
    for (const [outcomes, worst] of cases)
      for (const output of cut)
        expect(shortened(ended(...outcomes), output)).toEqual({
          type: "shell_call_output",
          call_id: "c",
          output: [{ stdout: "cut", stderr: "", outcome: worst }],
        });
  });

  test("goes back as it came where nothing was shortened, be its runs of another shape", () => {
    for (const wire of [ended(exit(0), exit(2)), ended({ type: "timeout" })])
      expect(toOpenAIResponses(fromOpenAIResponses(wire))).toEqual(wire);
    const odd = [ask, call, { type: "shell_call_output", call_id: "c", output: [{ log: "x", outcome: exit(3) }] }];
    expect(toOpenAIResponses(fromOpenAIResponses(odd))).toEqual(odd);
    expect(shortened(odd, cut[1]!)).toMatchObject({ output: [{ stdout: "cut", outcome: exit(3) }] });
  });
});

describe("the local shell of OpenAI", () => {
  const call = { type: "local_shell_call", id: "ls", call_id: "c", action: { type: "exec", command: ["ls"], env: {} } };
  const output = { type: "local_shell_call_output", id: "ls", output: "a.ts" };

  test("is answered by the id of its item too, unless that is the id of another call", () => {
    const messages = fromOpenAIResponses([ask, call, output]);
    expect(repair(messages)).toEqual({ messages, repairs: [] });
    expect(toOpenAIResponses(messages)).toEqual([ask, call, output]);
    const other = { type: "function_call", call_id: "ls", name: "f", arguments: "{}" };
    const [result] = (fromOpenAIResponses([ask, call, other, output]).at(-1) as ToolMessage).content;
    expect(result).toMatchObject({ toolCallId: "ls" });
  });
});

describe("the computer tool of OpenAI", () => {
  const messages = fromOpenAIResponses([ask, ...computer]);

  test("answers with an image, and goes back as it came", () => {
    expect((messages[2] as ToolMessage).content).toMatchObject([
      { toolName: "computer", output: { type: "content", value: [{ type: "image-url", url: shot.image_url }] } },
    ]);
    expect(toOpenAIResponses(messages)).toEqual([ask, ...computer]);
    const actions = [{ ...computer[0], action: undefined, actions: [{ type: "wait" }] }, computer[1]];
    expect(toOpenAIResponses(fromOpenAIResponses(actions))).toEqual(JSON.parse(JSON.stringify(actions)));
  });

  test("is written as a function's where the image was left out", () => {
    const without = withOutput(messages, { type: "content", value: [{ type: "text", text: "[media left out]" }] });
    expect(toOpenAIResponses(without).slice(1)).toEqual([
      { type: "function_call", call_id: "c", name: "computer", arguments: '{"type":"click","x":1,"y":2}' },
      { type: "function_call_output", call_id: "c", output: "[media left out]" },
    ]);
  });
});

describe("items that answer", () => {
  test("end what the assistant does at once, be they of a known tool or not", () => {
    const steps = Array.from({ length: 20 }, (_, at) => [
      { type: "reasoning", id: `rs_${at}`, summary: [], encrypted_content: "e" },
      { type: "shell_call", call_id: `c${at}`, action: { commands: ["ls"] } },
      { type: "shell_call_output", call_id: `c${at}`, output: [{ stdout: "x", stderr: "", outcome }] },
    ]).flat();
    expect(fromOpenAIResponses(steps)).toHaveLength(40);
    const others = [
      { type: "mcp_approval_request", id: "r" },
      { type: "mcp_approval_response", approval_request_id: "r", approve: true },
      { type: "program", call_id: "p" },
      { type: "program_output", call_id: "p", result: "1" },
      { role: "assistant", content: "done" },
    ];
    const messages = fromOpenAIResponses(others);
    expect(messages.map(({ role }) => role)).toEqual(Array(5).fill("assistant"));
    expect(toOpenAIResponses(messages)).toEqual(others);
  });

  test("stay in their message where no id says what they answer", () => {
    const items = [
      { type: "tool_search_call", execution: "server", call_id: null, arguments: {} },
      { type: "tool_search_output", execution: "server", call_id: null, tools: [] },
      { type: "mcp_approval_response", approve: true },
      { type: "function_call", call_id: "c", name: "f", arguments: "{}" },
      { type: "function_call_output", call_id: "c", output: "x" },
    ];
    const messages = fromOpenAIResponses([ask, ...items]);
    expect(messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool"]);
    expect(repair(messages)).toEqual({ messages, repairs: [] });
    expect(toOpenAIResponses(messages)).toEqual([ask, ...items]);
  });
});
