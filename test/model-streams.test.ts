import { afterEach, describe, expect, test } from "vitest";
import { VarveError } from "../src/errors.js";
import { anthropic } from "../src/model/anthropic.js";
import type { AttemptOptions } from "../src/model/attempts.js";
import { openaiCompatible } from "../src/model/openai-compatible.js";
import type { StreamEvent, StreamingModel, StreamRequest } from "../src/model/streaming.js";
import { type Answer, type ModelServer, startModelServer } from "./support/model-server.js";

const KEY = "sk-test-0123456789";
let server: ModelServer;
afterEach(() => server?.close());

const PROTOCOLS: readonly [string, (url: string, options: AttemptOptions) => StreamingModel][] = [
  ["OpenAI-compatible", (url, options) => openaiCompatible({ baseURL: `${url}/v1`, model: "m", ...options })],
  ["Anthropic", (url, options) => anthropic({ baseURL: url, model: "m", apiKey: KEY, ...options })],
];

const hello: StreamRequest = { messages: [{ role: "user", content: "Hello" }] };
const overloaded = { type: "error", error: { type: "overloaded_error", message: "Overloaded" } };

async function collect(events: AsyncIterable<StreamEvent>): Promise<StreamEvent[]> {
  const all: StreamEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

async function failureOf(events: AsyncIterable<StreamEvent>): Promise<VarveError> {
  const error: unknown = await collect(events).then(
    () => expect.fail("it should have failed"),
    (thrown: unknown) => thrown,
  );
  if (!VarveError.isInstance(error)) throw error;
  return error;
}

const texts = (events: readonly StreamEvent[]): string[] =>
  events.flatMap((event) => (event.type === "text-delta" ? [event.text] : []));
const endOf = (events: readonly StreamEvent[]) => events.find((event) => event.type === "answer-end");

describe.each(PROTOCOLS)("%s streams", (_, create) => {
  const open = async (script: readonly Answer[], options: AttemptOptions = {}): Promise<StreamingModel> => {
    server = await startModelServer(script);
    return create(server.url, { sleep: async () => undefined, random: () => 0.5, ...options });
  };

  test("text and reasoning in pieces, then the whole message with its usage", async () => {
    const model = await open([{ text: "Hello there.", reasoning: "They greet me." }]);
    const events = await collect(model.stream({ ...hello, maxOutputTokens: 50 }));
    expect(texts(events)).toEqual(["Hello ", "there."]);
    expect(events).toContainEqual({ type: "reasoning-delta", text: "They greet me." });
    expect(events.at(-1)).toMatchObject({
      type: "answer-end",
      finish: "stop",
      usage: { inputTokens: 11, outputTokens: 7, cacheReadTokens: 2 },
      message: {
        role: "assistant",
        content: [{ type: "reasoning", text: "They greet me." }, { text: "Hello there." }],
      },
    });
    expect(server.requests[0]?.body).toMatchObject({ model: "m", stream: true, max_tokens: 50 });
  });

  test("calls with their arguments, and sends the tools and the results", async () => {
    const model = await open([
      {
        text: "Looking.",
        calls: [
          { id: "c1", name: "read_file", input: { path: "a.ts" } },
          { id: "c2", name: "read_file", input: {} },
        ],
      },
    ]);
    const tools = [{ name: "read_file", description: "Reads.", inputSchema: { type: "object" } }];
    const events = await collect(model.stream({ ...hello, tools }));
    expect(events).toContainEqual({ type: "tool-call-start", id: "c1", name: "read_file" });
    const end = endOf(events);
    expect(end).toMatchObject({ finish: "tool-calls" });
    const parts = end?.type === "answer-end" && Array.isArray(end.message.content) ? end.message.content : [];
    expect(parts.flatMap((part) => (part.type === "tool-call" ? [[part.toolCallId, part.input]] : []))).toEqual([
      ["c1", { path: "a.ts" }],
      ["c2", {}],
    ]);
    expect(JSON.stringify(server.requests[0]?.body.tools)).toContain("read_file");
  });

  test("says that an answer was cut", async () => {
    const model = await open([{ text: "Half", finish: "length" }]);
    expect(endOf(await collect(model.stream(hello)))).toMatchObject({ finish: "length" });
  });

  test.each([429, 500, 529])("begins anew after %i, and says so", async (status) => {
    const model = await open([{ status, headers: { "retry-after-ms": "7" } }, { text: "At last." }]);
    const events = await collect(model.stream(hello));
    expect(events[0]).toMatchObject({ type: "answer-restart", wait: 7, error: { details: { status } } });
    expect(texts(events).join("")).toBe("At last.");
  });

  test("begins anew where the connection drops in the middle of an answer", async () => {
    const model = await open([{ text: "Never ending", half: "dropped" }, { text: "All of it." }]);
    const events = await collect(model.stream(hello));
    const restart = events.findIndex((event) => event.type === "answer-restart");
    expect(texts(events.slice(0, restart)).join("")).toBe("Never ");
    expect(texts(events.slice(restart)).join("")).toBe("All of it.");
    expect(JSON.stringify(endOf(events))).not.toContain("Never");
  });

  test("reports a connection that drops again and again", async () => {
    const model = await open([{ text: "Never ending", half: "dropped" }], { retries: 1 });
    expect(await failureOf(model.stream(hello))).toMatchObject({
      code: "model-failed",
      retryable: true,
      details: { kind: "connection", attempts: 2 },
    });
  });

  test("fails where the request does not fit, at once", async () => {
    const model = await open([
      { status: 400, body: { error: { message: "prompt is too long: 9 tokens > 8 maximum" } } },
    ]);
    expect(await failureOf(model.stream(hello))).toMatchObject({ code: "context-overflow" });
    expect(server.requests).toHaveLength(1);
  });

  test("ends a silence at the timeout, and a whole answer at the signal", async () => {
    const model = await open([{ text: "Never ending", half: "silent" }], { timeout: 200 });
    expect(await failureOf(model.stream(hello))).toMatchObject({ code: "model-timeout" });
    const stop = new AbortController();
    const events: StreamEvent[] = [];
    const reading = async () => {
      for await (const event of model.stream({ ...hello, signal: stop.signal })) {
        events.push(event);
        if (event.type === "text-delta") stop.abort();
      }
    };
    await expect(reading()).rejects.toMatchObject({ code: "aborted" });
    expect(texts(events)).toEqual(["Never "]);
  });
});

test("an error in the middle of a stream is one, and may pass", async () => {
  let asked = 0;
  const broken = `data: ${JSON.stringify({ choices: [{ delta: { content: "Half" } }] })}\n\ndata: ${JSON.stringify(overloaded)}\n\n`;
  const good = `data: ${JSON.stringify({ choices: [{ delta: { content: "Whole" }, finish_reason: "stop" }] })}\r\n\r\n`;
  const fetch = async () =>
    new Response(asked++ === 0 ? broken : good, { headers: { "content-type": "text/event-stream; charset=utf-8" } });
  const model = openaiCompatible({ baseURL: "http://x/v1", model: "m", fetch, sleep: async () => undefined });
  const events = await collect(model.stream(hello));
  expect(events.map(({ type }) => type)).toEqual(["text-delta", "answer-restart", "text-delta", "answer-end"]);
});

test("a server that does not stream is understood, and so are calls without index or id", async () => {
  const call = (name: string, more = {}) => ({ function: { name, arguments: "{}" }, ...more });
  const message = {
    content: "Hi.",
    tool_calls: [call("a", { id: "1", signature: "s" }), call("b", { id: "2" }), call("c")],
  };
  const answer = { choices: [{ message, finish_reason: "stop" }] };
  const fetch = async () => Response.json(answer);
  const model = openaiCompatible({ baseURL: "http://x/v1", model: "m", fetch });
  const end = endOf(await collect(model.stream(hello)));
  expect(end).toMatchObject({ finish: "tool-calls" });
  const text = JSON.stringify(end?.type === "answer-end" && end.message.content);
  expect(text).toMatch(/"toolName":"a".*"toolName":"b"/);
  expect(text).toContain("signature");
});

test("a letter that two chunks share is read whole", async () => {
  const bytes = new TextEncoder().encode(
    `data: ${JSON.stringify({ choices: [{ delta: { content: "é漢" }, finish_reason: "stop" }] })}\r\n\r\n`,
  );
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
      controller.close();
    },
  });
  const fetch = async () => new Response(body, { headers: { "content-type": "text/event-stream" } });
  const events = await collect(openaiCompatible({ baseURL: "http://x/v1", model: "m", fetch }).stream(hello));
  expect(texts(events)).toEqual(["é漢"]);
});
