import { afterEach, describe, expect, test } from "vitest";
import type { Embedder } from "./embedder.js";
import {
  type EmbeddingsAnswer,
  type EmbeddingsRequest,
  type EmbeddingsServer,
  startEmbeddingsServer,
} from "./embeddings-server.test-helpers.js";
import { failureOf } from "./failure.test-helpers.js";
import { type OpenAIEmbedderOptions, openaiEmbedder } from "./openai-embedder.js";

const KEY = "sk-test-0123456789";
let server: EmbeddingsServer;
afterEach(() => server?.close());

/** A text's length and the code of its first character: enough to tell which vector is whose. */
const numbersOf = (text: string): number[] => [text.length, text.charCodeAt(0), 1];
const unit = (numbers: readonly number[]): number[] => numbers.map((each) => each / Math.hypot(...numbers));
const base64Of = (numbers: readonly number[]): string =>
  Buffer.from(Float32Array.from(numbers).buffer).toString("base64");

interface Item {
  readonly index?: number;
  readonly embedding: unknown;
}

const itemsOf = ({ body }: EmbeddingsRequest): Item[] =>
  body.input.map((text, index) => ({ index, embedding: numbersOf(text) }));

const answer = (data: readonly unknown[]): EmbeddingsAnswer => ({ body: { object: "list", data, model: "m" } });
const plain = (request: EmbeddingsRequest): EmbeddingsAnswer => answer(itemsOf(request));

async function open(
  answerTo: Parameters<typeof startEmbeddingsServer>[0],
  options: Partial<OpenAIEmbedderOptions> = {},
): Promise<Embedder> {
  server = await startEmbeddingsServer(answerTo);
  const sleep = async (): Promise<void> => {};
  return openaiEmbedder({ baseURL: server.baseURL, model: "m", dimensions: 3, apiKey: KEY, sleep, ...options });
}

const expectVectors = (vectors: readonly Float32Array[], texts: readonly string[]): void => {
  expect(vectors.map((vector) => [...vector].map((each) => each.toFixed(6)))).toEqual(
    texts.map((text) => unit(numbersOf(text)).map((each) => each.toFixed(6))),
  );
};

describe("an embedder behind OpenAI's protocol", () => {
  test("sends batches with the key and gives vectors of length 1 in the order of the texts", async () => {
    const embedder = await open(plain, { batch: 2, headers: { "x-team": "a" }, body: { truncate: true } });
    const texts = ["one", "two!", "three", "four", "five…"];
    expectVectors(await embedder.embed(texts), texts);
    expect(server.requests.map(({ body }) => body.input)).toEqual([["one", "two!"], ["three", "four"], ["five…"]]);
    expect(server.requests[0]).toMatchObject({
      path: "/v1/embeddings",
      headers: { authorization: `Bearer ${KEY}`, "x-team": "a" },
      body: { model: "m", truncate: true },
    });
    expect(embedder).toMatchObject({ name: "openai:m:3", dimensions: 3 });
  });

  test("asks nothing for no texts, and sends a blank for a text without characters", async () => {
    const embedder = await open(plain);
    expect(await embedder.embed([])).toEqual([]);
    expect(server.requests).toHaveLength(0);
    expectVectors(await embedder.embed([""]), [" "]);
  });

  test.each<[string, (items: Item[]) => readonly unknown[]]>([
    ["in another order", (items) => items.toReversed()],
    ["without an index", (items) => items.map(({ embedding }) => ({ embedding }))],
    ["as base64", (items) => items.map((item) => ({ ...item, embedding: base64Of(item.embedding as number[]) }))],
  ])("reads vectors that come %s", async (_, change) => {
    const embedder = await open((request) => answer(change(itemsOf(request))), { encoding: "base64" });
    expectVectors(await embedder.embed(["a", "bb", "ccc"]), ["a", "bb", "ccc"]);
    expect(server.requests[0]?.body.encoding_format).toBe("base64");
  });

  test.each<[string, (items: Item[]) => readonly unknown[], string]>([
    ["too few vectors", (items) => items.slice(1), "1 vectors for 2 texts"],
    ["too many vectors", (items) => [...items, ...items], "4 vectors for 2 texts"],
    ["an index twice", (items) => items.map((item) => ({ ...item, index: 1 })), "index 1 out of place"],
    ["an index of no text", (items) => items.map((item) => ({ ...item, index: 7 })), "index 7 out of place"],
    [
      "a vector of another length",
      (items) => items.map((item) => ({ ...item, embedding: [1, 2] })),
      "2 numbers in place of 3",
    ],
    [
      "words for numbers",
      (items) => items.map((item) => ({ ...item, embedding: ["1", "2", "3"] })),
      "no numbers for text 0",
    ],
    ["half a number", (items) => items.map((item) => ({ ...item, embedding: "AAAA" })), "no numbers for text 0"],
    ["no vector", (items) => items.map(({ index }) => ({ index })), "no numbers for text 0"],
    ["zeros", (items) => items.map((item) => ({ ...item, embedding: [0, 0, 0] })), "without a direction for text 0"],
    [
      "a number that is none",
      (items) => items.map((item) => ({ ...item, embedding: base64Of([1, Number.NaN, 1]) })),
      "direction",
    ],
  ])("refuses %s at once", async (_, change, why) => {
    const embedder = await open((request) => answer(change(itemsOf(request))));
    const error = await failureOf(embedder.embed(["a", "b"]));
    expect(error).toMatchObject({ code: "embedding-failed", message: expect.stringContaining(why), retryable: false });
    expect(error.hint).toBeTruthy();
    expect(server.requests).toHaveLength(1);
  });

  test("repeats a request that failed for a while, and that one only", async () => {
    const waits: number[] = [];
    const embedder = await open(
      (request, count) =>
        count === 2
          ? { status: 503, body: {} }
          : count === 3
            ? { status: 429, body: {}, headers: { "retry-after": "2" } }
            : plain(request),
      { batch: 1, random: () => 1, sleep: async (milliseconds) => void waits.push(milliseconds) },
    );
    expectVectors(await embedder.embed(["a", "bb"]), ["a", "bb"]);
    expect(server.requests.map(({ body }) => body.input[0])).toEqual(["a", "bb", "bb", "bb"]);
    expect(waits).toEqual([500, 2_000]);
  });

  test("gives up after its retries, and conceals the key", async () => {
    const embedder = await open(() => ({ status: 500, body: { error: { message: `bad ${KEY}` } } }), { retries: 1 });
    const error = await failureOf(embedder.embed(["a"]));
    expect(error).toMatchObject({ code: "model-failed", details: { status: 500, attempts: 2 } });
    expect(error.message).not.toContain(KEY);
    expect(server.requests).toHaveLength(2);
  });

  test("names a text that is too long for the model", async () => {
    const message = "This model's maximum context length is 8192 tokens, however you requested 9000 tokens";
    const embedder = await open(() => ({ status: 400, body: { error: { message } } }));
    expect(await failureOf(embedder.embed(["a"]))).toMatchObject({ code: "context-overflow" });
  });

  test("ends when its time is up and when its signal says so", async () => {
    const embedder = await open((request) => ({ ...plain(request), after: 5_000 }), { timeout: 50 });
    expect(await failureOf(embedder.embed(["a"]))).toMatchObject({ code: "model-timeout" });
    const abort = new AbortController();
    const stopped = failureOf(
      openaiEmbedder({ baseURL: server.baseURL, model: "m", dimensions: 3 }).embed(["a"], { signal: abort.signal }),
    );
    abort.abort();
    expect(await stopped).toMatchObject({ code: "aborted" });
  });
});

describe("the length of vectors", () => {
  test.each([
    { model: "text-embedding-3-small", dimensions: undefined, length: 1_536, asked: undefined },
    { model: "text-embedding-3-large", dimensions: 256, length: 256, asked: 256 },
    { model: "text-embedding-3-large", dimensions: 3_072, length: 3_072, asked: undefined },
    { model: "nomic-embed-text", dimensions: 768, length: 768, asked: undefined },
  ])("of $model, given as $dimensions, is $length and asked for as $asked", async (each) => {
    const { model, dimensions, length, asked } = each;
    const vector = Array.from({ length }, (_, at) => at + 1);
    const embedder = await open(() => answer([{ index: 0, embedding: vector }]), { model, dimensions });
    expect((await embedder.embed(["a"]))[0]).toHaveLength(length);
    expect(embedder.name).toBe(`openai:${model}:${length}`);
    expect(server.requests[0]?.body.dimensions).toBe(asked);
  });

  test("must be given for a model that is not known", () => {
    const create = (options: object) => () =>
      openaiEmbedder({ baseURL: "http://localhost/v1", model: "bge", ...options });
    expect(create({})).toThrow(expect.objectContaining({ code: "invalid-option" }));
    expect(create({ dimensions: 0.5 })).toThrow(expect.objectContaining({ code: "invalid-option" }));
    expect(create({ dimensions: 3, batch: 0 })).toThrow(expect.objectContaining({ code: "invalid-option" }));
  });
});
