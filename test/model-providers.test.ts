import { APICallError } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import { afterEach, describe, expect, test } from "vitest";
import { VarveError } from "../src/errors.js";
import { aiSdkModel } from "../src/model/ai-sdk-model.js";
import { anthropic } from "../src/model/anthropic.js";
import type { AttemptOptions } from "../src/model/attempts.js";
import type { LanguageModel } from "../src/model/language-model.js";
import { openaiCompatible } from "../src/model/openai-compatible.js";
import { type Answer, type ModelServer, type Script, startModelServer } from "./support/model-server.js";

const KEY = "sk-test-0123456789";
let server: ModelServer;
afterEach(() => server?.close());

/** Waits that were asked for, none of them waited. */
function clock(): { waits: number[]; options: AttemptOptions } {
  const waits: number[] = [];
  const sleep = async (milliseconds: number): Promise<void> => void waits.push(milliseconds);
  return { waits, options: { sleep, random: () => 0.5, now: () => Date.parse("2026-01-01T00:00:00Z") } };
}

const PROTOCOLS: readonly [string, (url: string, options: AttemptOptions) => LanguageModel][] = [
  [
    "OpenAI-compatible",
    (url, options) => openaiCompatible({ baseURL: `${url}/v1/`, model: "m", apiKey: KEY, ...options }),
  ],
  ["Anthropic", (url, options) => anthropic({ baseURL: url, model: "m", apiKey: KEY, ...options })],
];

async function failureOf(promise: Promise<unknown>): Promise<VarveError> {
  const error = await promise.then(
    () => expect.fail("it should have failed"),
    (thrown: unknown) => thrown,
  );
  if (!VarveError.isInstance(error)) throw error;
  return error;
}

describe.each(PROTOCOLS)("%s", (name, create) => {
  const open = async (script: Script, options: AttemptOptions = {}): Promise<LanguageModel> => {
    server = await startModelServer(script);
    return create(server.url, { ...clock().options, ...options });
  };

  test("sends system and prompt, and reads text, finish and usage", async () => {
    const model = await open([{ text: "Hello.", reasoning: "They want a greeting." }]);
    const answer = await model.complete({ system: "Be brief.", prompt: "Greet {me} $&", maxOutputTokens: 50 });
    expect(answer).toEqual({ text: "Hello.", finish: "stop", usage: { inputTokens: 11, outputTokens: 7 } });
    const [request] = server.requests;
    expect(request).toMatchObject({
      system: "Be brief.",
      prompt: "Greet {me} $&",
      body: { model: "m", max_tokens: 50 },
    });
    expect(request?.headers[name === "Anthropic" ? "x-api-key" : "authorization"]).toContain(KEY);
  });

  test("says when the answer was cut, and gives no reasoning for text", async () => {
    const model = await open([{ text: "", reasoning: "Hmm", finish: "length" }]);
    expect(await model.complete({ prompt: "?" })).toMatchObject({ text: "", finish: "length" });
  });

  test.each([500, 502, 503, 529, 429])("repeats after %i and waits longer each time", async (status) => {
    const { waits, options } = clock();
    const model = await open([{ status }, { status }, { text: "At last." }], options);
    expect((await model.complete({ prompt: "?" })).text).toBe("At last.");
    expect(waits).toEqual([375, 750]);
  });

  test("waits as long as Retry-After says, in seconds, milliseconds or as a date", async () => {
    const { waits, options } = clock();
    const tooMany = (headers: Record<string, string>): Answer => ({ status: 429, headers });
    const model = await open(
      [
        tooMany({ "retry-after": "7" }),
        tooMany({ "retry-after-ms": "1500" }),
        tooMany({ "retry-after": "Thu, 01 Jan 2026 00:00:20 GMT" }),
        { text: "Now." },
      ],
      options,
    );
    expect((await model.complete({ prompt: "?" })).text).toBe("Now.");
    expect(waits).toEqual([7_000, 1_500, 20_000]);
  });

  test("gives up at once where Retry-After is longer than it may wait", async () => {
    const model = await open([{ status: 429, headers: { "retry-after": "3600" } }]);
    const error = await failureOf(model.complete({ prompt: "?" }));
    expect(error).toMatchObject({
      code: "model-failed",
      retryable: true,
      details: { kind: "rate-limit", status: 429 },
    });
    expect(server.requests).toHaveLength(1);
  });

  test("529 again and again ends after the retries", async () => {
    const body = { type: "error", error: { type: "overloaded_error", message: "Overloaded" } };
    const model = await open([{ status: 529, body }], { retries: 2 });
    const error = await failureOf(model.complete({ prompt: "?" }));
    expect(error).toMatchObject({
      code: "model-failed",
      retryable: true,
      details: { kind: "overloaded", attempts: 3 },
    });
    expect(error.message).toContain("Overloaded");
    expect(server.requests).toHaveLength(3);
  });

  test.each(["at once", "in the middle"] as const)("repeats after a connection dropped %s", async (drop) => {
    const model = await open([{ drop }, { text: "Through." }]);
    expect((await model.complete({ prompt: "?" })).text).toBe("Through.");
    expect(server.requests).toHaveLength(2);
  });

  test("does not repeat what cannot succeed, and never shows the key", async () => {
    const model = await open([{ status: 401, body: { error: { message: `Incorrect API key provided: ${KEY}` } } }]);
    const error = await failureOf(model.complete({ prompt: "?" }));
    expect(error).toMatchObject({ code: "model-failed", retryable: false, details: { kind: "access" } });
    expect(JSON.stringify([error.message, error.cause])).not.toContain(KEY);
    expect(server.requests).toHaveLength(1);
  });

  test("names overflow as such, whatever the status", async () => {
    const model = await open([
      { status: 500, body: { error: { message: "prompt is too long: 9 tokens > 8 maximum" } } },
    ]);
    expect(await failureOf(model.complete({ prompt: "?" }))).toMatchObject({
      code: "context-overflow",
      retryable: false,
    });
    expect(server.requests).toHaveLength(1);
  });

  test("an error inside a successful answer is an error", async () => {
    const model = await open([
      { status: 200, body: { error: { message: "Provider returned error", code: 503 } } },
      { text: "Better." },
    ]);
    expect((await model.complete({ prompt: "?" })).text).toBe("Better.");
  });

  test("an HTML page for an answer is an error", async () => {
    const model = await open([{ status: 200, body: "<html><body>Sign in</body></html>" }]);
    expect(await failureOf(model.complete({ prompt: "?" }))).toMatchObject({ code: "model-failed", retryable: false });
  });

  test("ends at the timeout without asking again", async () => {
    const model = await open([{ text: "Too late.", after: 5_000 }], { timeout: 1_000 });
    expect(await failureOf(model.complete({ prompt: "?" }))).toMatchObject({ code: "model-timeout", retryable: true });
    expect(server.requests).toHaveLength(1);
  });

  test("ends when the signal is aborted before, during an attempt and during a wait", async () => {
    const model = await open([{ text: "Too late.", after: 5_000 }]);
    expect(await failureOf(model.complete({ prompt: "?", signal: AbortSignal.abort() }))).toMatchObject({
      code: "aborted",
    });
    expect(server.requests).toHaveLength(0);
    const during = failureOf(model.complete({ prompt: "?", signal: AbortSignal.timeout(30) }));
    expect(await during).toMatchObject({ code: "aborted" });
    await server.close();
    const forever = await open([{ status: 503 }], { sleep: () => new Promise(() => undefined) });
    const waiting = failureOf(forever.complete({ prompt: "?", signal: AbortSignal.timeout(30) }));
    expect(await waiting).toMatchObject({ code: "aborted" });
  });
});

test("asks for JSON by schema in the field or in words", async () => {
  server = await startModelServer([{ text: "{}" }]);
  const schema = { type: "object" };
  await openaiCompatible({ baseURL: `${server.url}/v1`, model: "m" }).complete({ prompt: "?", schema });
  await anthropic({ baseURL: `${server.url}/v1`, model: "m", apiKey: KEY }).complete({ prompt: "?", schema });
  expect(server.requests[0]?.body.response_format).toMatchObject({ json_schema: { schema } });
  expect(server.requests[1]?.prompt).toContain(JSON.stringify(schema));
  expect(server.requests.map(({ path }) => path)).toEqual(["/v1/chat/completions", "/v1/messages"]);
});

test("refuses a number of retries that is none", async () => {
  const model = openaiCompatible({ baseURL: "http://127.0.0.1:1/v1", model: "m", retries: Number.NaN });
  expect(await failureOf(model.complete({ prompt: "?" }))).toMatchObject({ code: "invalid-option" });
});

describe("AI SDK", () => {
  const content = [
    { type: "reasoning" as const, text: "Hmm" },
    { type: "text" as const, text: "Hello." },
  ];

  test("calls a model of the current specification and reads its answer", async () => {
    const mock = new MockLanguageModelV4({
      modelId: "mock",
      doGenerate: async () => ({
        content,
        finishReason: { unified: "length", raw: "max" },
        usage: {
          inputTokens: { total: 5, noCache: 5, cacheRead: 0, cacheWrite: 0 },
          outputTokens: { total: 3, text: 3, reasoning: 0 },
        },
        warnings: [],
      }),
    });
    const model = aiSdkModel(mock, { window: 1_000 });
    const answer = await model.complete({ system: "S", prompt: "P", maxOutputTokens: 9 });
    expect(answer).toEqual({ text: "Hello.", finish: "length", usage: { inputTokens: 5, outputTokens: 3 } });
    expect(model).toMatchObject({ name: "mock", window: 1_000 });
    expect(mock.doGenerateCalls[0]).toMatchObject({
      prompt: [
        { role: "system", content: "S" },
        { role: "user", content: [{ type: "text", text: "P" }] },
      ],
      maxOutputTokens: 9,
    });
  });

  test("reads the answer of specification V2", async () => {
    const answer = { content, finishReason: "stop", usage: { inputTokens: 5, outputTokens: undefined } };
    const model = aiSdkModel({ modelId: "old", doGenerate: async () => answer });
    expect(await model.complete({ prompt: "P" })).toEqual({
      text: "Hello.",
      finish: "stop",
      usage: { inputTokens: 5 },
    });
  });

  test("repeats after its call errors and honours their headers", async () => {
    const { waits, options } = clock();
    const failures = [
      new APICallError({
        message: "Too many",
        url: "u",
        requestBodyValues: {},
        statusCode: 429,
        responseHeaders: { "retry-after": "2" },
      }),
    ];
    const doGenerate = async (): Promise<unknown> => {
      const failure = failures.pop();
      if (failure) throw failure;
      return { content, finishReason: "stop" };
    };
    expect((await aiSdkModel({ modelId: "m", doGenerate }, options).complete({ prompt: "P" })).text).toBe("Hello.");
    expect(waits).toEqual([2_000]);
  });

  test("ends at the timeout though the model does not listen to the signal", async () => {
    const model = aiSdkModel({ modelId: "deaf", doGenerate: () => new Promise(() => undefined) }, { timeout: 30 });
    expect(await failureOf(model.complete({ prompt: "P" }))).toMatchObject({ code: "model-timeout" });
  });
});
