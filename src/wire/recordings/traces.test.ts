import { describe, expect, test } from "vitest";
import { readRecording } from "./read-recording.js";
import { lines, SAMPLES, single } from "./samples.test-helpers.js";

const lc = (name: string, kwargs: object): object => ({
  ...{ lc: 1, type: "constructor", id: ["langchain", "schema", "messages", name] },
  kwargs,
});
const human = (content: string): object => lc("HumanMessage", { content, type: "human" });
const run = (id: string, more: object): object => ({ id, trace_id: "t1", run_type: "llm", name: "agent", ...more });
const calling = lc("AIMessage", {
  content: "",
  tool_calls: [{ name: "ls", args: { path: "." }, id: "f1", type: "tool_call" }],
});
const answered = lc("ToolMessage", { content: "No", tool_call_id: "f1", status: "error" });
const said = (message: object): object => ({ generations: [[{ text: "", message }]] });

describe("LangSmith", () => {
  test("gives the messages of a run", () => {
    expect(single(SAMPLES.langsmith)).toEqual({
      id: "t1",
      title: "ChatOpenAI",
      messages: [
        { role: "user", content: "Hello" },
        { role: "assistant", content: "Hi." },
      ],
    });
  });

  test("makes one conversation of the calls of a loop, with the usage of each", () => {
    const usage = (input: number) => ({
      usage_metadata: { input_tokens: input, output_tokens: 1, input_token_details: { cache_read: 2 } },
    });
    const source = lines(
      run("r0", { run_type: "chain", inputs: { messages: [human("Look")] }, outputs: {} }),
      run("r2", {
        inputs: { messages: [[human("Look"), calling, answered]] },
        outputs: { ...said(lc("AIMessage", { content: "It failed." })), ...usage(20) },
      }),
      run("r1", { inputs: { messages: [[human("Look")]] }, outputs: { ...said(calling), ...usage(10) } }),
    );
    expect(single(source)).toMatchObject({
      messages: [
        { role: "user", content: "Look" },
        { role: "assistant", content: [{ type: "tool-call", toolCallId: "f1", toolName: "ls", input: { path: "." } }] },
        { role: "tool", content: [{ toolName: "ls", output: { type: "error-text", value: "No" } }] },
        { role: "assistant", content: "It failed." },
      ],
      usage: [
        { at: 1, input: 10, output: 1, cacheRead: 2 },
        { at: 3, input: 20, output: 1, cacheRead: 2 },
      ],
    });
  });

  test("keeps apart what began otherwise, as subagents do, and joins the traces of a thread", () => {
    const thread = { extra: { metadata: { thread_id: "th" } } };
    const source = lines(
      run("r1", {
        ...thread,
        inputs: { messages: [[human("Look")]] },
        outputs: said(lc("AIMessage", { content: "1" })),
      }),
      run("r2", {
        ...thread,
        inputs: { messages: [[human("Sub")]] },
        outputs: said(lc("AIMessage", { content: "2" })),
      }),
      run("r3", {
        ...{ ...thread, trace_id: "t2" },
        inputs: { messages: [[human("Look"), lc("AIMessage", { content: "1" }), human("More")]] },
        outputs: said(lc("AIMessage", { content: "3" })),
      }),
    );
    expect(readRecording(source).conversations.map(({ messages }) => messages.length)).toEqual([4, 2]);
  });

  test.each([
    [
      "the state of a graph",
      { messages: [{ type: "human", content: "Look" }] },
      {
        messages: [
          { type: "human", content: "Look" },
          { type: "ai", content: "Seen" },
        ],
      },
    ],
    [
      "a request to OpenAI",
      { messages: [{ role: "user", content: "Look" }] },
      { choices: [{ message: { role: "assistant", content: "Seen" } }] },
    ],
    ["plain texts", { question: "Look" }, { output: "Seen" }],
    [
      "the older messages",
      { messages: [{ type: "human", data: { content: "Look" } }] },
      { output: { type: "ai", data: { content: "Seen" } } },
    ],
  ])("reads %s, also of an example in a dataset", (_, inputs, outputs) => {
    for (const value of [
      { id: "r1", run_type: "chain", inputs, outputs },
      { id: "e1", inputs, outputs },
    ]) {
      for (const text of [lines(value), JSON.stringify([value]), JSON.stringify({ runs: [value] })]) {
        expect(readRecording(text).format).toBe("langsmith");
        expect(single(text).messages).toEqual([
          { role: "user", content: "Look" },
          { role: "assistant", content: "Seen" },
        ]);
      }
    }
  });

  test("takes runs inside runs, the model and the tools", () => {
    const tools = [{ type: "function", function: { name: "ls" } }];
    const child = run("r2", {
      ...{ inputs: { messages: [[human("Look")]] }, outputs: said(calling) },
      extra: { invocation_params: { model: "gpt-5", tools } },
    });
    expect(
      single(lines(run("r1", { run_type: "chain", inputs: { input: "Look" }, outputs: {}, child_runs: [child] }))),
    ).toMatchObject({
      model: "gpt-5",
      tools,
      messages: [{}, {}],
    });
  });

  test("keeps the thoughts and calls of Anthropic's blocks", () => {
    const content = [
      { type: "thinking", thinking: "Hm", signature: "sig", index: 0 },
      { type: "tool_use", id: "f1", name: "ls", input: "", index: 1 },
    ];
    const message = lc("AIMessageChunk", { content, tool_calls: [{ name: "ls", args: { path: "." }, id: "f1" }] });
    expect(
      single(lines(run("r1", { inputs: { messages: [[human("Look")]] }, outputs: said(message) }))).messages[1],
    ).toMatchObject({
      content: [
        { type: "reasoning", providerOptions: { anthropic: { signature: "sig" } } },
        { type: "tool-call", toolCallId: "f1", input: { path: "." } },
      ],
    });
  });
});

const generation = (id: string, more: object): object => ({
  id,
  traceId: "t1",
  type: "GENERATION",
  startTime: "2026-01-02T03:04:05Z",
  ...more,
});
const asked = { role: "user", content: "Hello" };
const reply = { role: "assistant", content: "Hi." };

describe("Langfuse", () => {
  test("gives the messages of a generation", () => {
    expect(single(SAMPLES.langfuse)).toEqual({ id: "t1", title: "chat", model: "gpt-5", messages: [asked, reply] });
  });

  test.each([
    [
      "a trace with observations",
      {
        id: "t1",
        name: "T",
        input: "Hello",
        output: "Hi.",
        observations: [generation("o1", { input: [asked], output: reply })],
      },
    ],
    [
      "a download",
      {
        trace: { id: "t1", name: "T" },
        observations: [generation("o1", { input: { messages: [asked] }, output: reply })],
      },
    ],
    ["a trace alone", { id: "t1", name: "T", sessionId: null, input: "Hello", output: "Hi." }],
    ["a page of the API", { data: [generation("o1", { name: "T", input: [asked], output: "Hi." })], meta: {} }],
    [
      "a row of the blob storage",
      {
        id: "o1",
        trace_id: "t1",
        type: "GENERATION",
        trace_name: "T",
        input: JSON.stringify([asked]),
        output: JSON.stringify(reply),
      },
    ],
  ])("reads %s", (_, value) => {
    for (const text of [JSON.stringify(value), JSON.stringify([value]), lines(value)]) {
      expect(readRecording(text).format).toBe("langfuse");
      expect(single(text)).toEqual({ id: "t1", title: "T", messages: [asked, reply] });
    }
  });

  test("makes one conversation of a session's traces", () => {
    const trace = (id: string, input: object[]): object => ({
      ...{ id, sessionId: "s", name: "T", input: null, output: null },
      observations: [
        { ...generation("o", { input, output: reply, usageDetails: { input: 5, output: 1 } }), traceId: id },
      ],
    });
    expect(
      single(lines(trace("t1", [asked]), trace("t2", [asked, reply, { role: "user", content: "More" }]))),
    ).toMatchObject({
      messages: [asked, reply, { content: "More" }, reply],
      usage: [{ at: 1, input: 5, output: 1 }, { at: 3 }],
    });
  });
});
