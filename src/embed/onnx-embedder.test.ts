import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, test, vi } from "vitest";
import type { Embedder } from "./embedder.js";
import { failureOf } from "./failure.test-helpers.js";
import { type OnnxEmbedderOptions, onnxEmbedder } from "./onnx-embedder.js";
import { type TinyModel, tinyOnnx } from "./tiny-onnx.test-helpers.js";

const TOKENS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "red", "green", "blue", "##ish"];
const ROWS = TOKENS.map((_, at) => [Math.cos(at), Math.sin(at), 0.2 * at - 0.5]);
const TOKENIZER = {
  normalizer: {
    type: "BertNormalizer",
    clean_text: true,
    handle_chinese_chars: true,
    strip_accents: null,
    lowercase: true,
  },
  pre_tokenizer: { type: "BertPreTokenizer" },
  model: { type: "WordPiece", vocab: Object.fromEntries(TOKENS.map((token, id) => [token, id])) },
};

const root = mkdtempSync(join(tmpdir(), "varve-onnx-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));
let folders = 0;
const opened: Embedder[] = [];
afterEach(async () => {
  for (const embedder of opened.splice(0)) await embedder.close?.();
});

/** Writes a model as Hugging Face lays it out, and says where it is. */
function write(model: Uint8Array, tokenizer: unknown = TOKENIZER): string {
  const folder = join(root, String(++folders));
  mkdirSync(join(folder, "onnx"), { recursive: true });
  writeFileSync(join(folder, "tokenizer.json"), JSON.stringify(tokenizer));
  writeFileSync(join(folder, "onnx", "tiny.onnx"), model);
  return join(folder, "onnx", "tiny.onnx");
}

async function open(model: Partial<TinyModel> = {}, options: Partial<OnnxEmbedderOptions> = {}): Promise<Embedder> {
  const path = write(tinyOnnx({ rows: ROWS, ...model }));
  const embedder = await onnxEmbedder({ model: path, threads: 1, ...options });
  opened.push(embedder);
  return embedder;
}

/** The direction of the sum of these tokens' rows: what the tiny model's mean comes to. */
function meanOf(...tokens: string[]): number[] {
  const sum = ROWS[0]!.map((_, at) => tokens.reduce((total, token) => total + ROWS[TOKENS.indexOf(token)]![at]!, 0));
  return sum.map((each) => Number((each / Math.hypot(...sum)).toFixed(5)));
}

const rounded = (vector: Float32Array | undefined): number[] => [...vector!].map((each) => Number(each.toFixed(5)));

describe("an embedder over an ONNX model", () => {
  test("gives the mean of a text's tokens, its marks included and its padding left out", async () => {
    const embedder = await open();
    const vectors = await embedder.embed(["Red", "green blueish, RED green", "", "Grün"]);
    expect(vectors.map(rounded)).toEqual([
      meanOf("[CLS]", "red", "[SEP]"),
      meanOf("[CLS]", "green", "blue", "##ish", "[UNK]", "red", "green", "[SEP]"),
      meanOf("[CLS]", "[SEP]"),
      meanOf("[CLS]", "[UNK]", "[SEP]"),
    ]);
    expect(embedder.dimensions).toBe(3);
  });

  test("gives the first token's state on request", async () => {
    const embedder = await open({}, { pooling: "cls" });
    const [vector] = await embedder.embed(["red"]);
    expect(rounded(vector)).toEqual(meanOf("[CLS]", "[CLS]", "red", "[SEP]"));
  });

  test("reads so many tokens and no more", async () => {
    const embedder = await open({}, { maxTokens: 4 });
    const [vector] = await embedder.embed(["red green blue blue blue"]);
    expect(rounded(vector)).toEqual(meanOf("[CLS]", "red", "green", "[SEP]"));
  });

  test("gives vectors in the order of the texts, whatever the batch", async () => {
    const texts = Array.from({ length: 40 }, (_, at) =>
      TOKENS.slice(4, 5 + (at % 3))
        .join(" ")
        .repeat(1 + (at % 5)),
    );
    const single = await (await open({}, { batch: 1 })).embed(texts);
    const batched = await (await open({}, { batch: 7 })).embed(texts);
    expect(batched.map(rounded)).toEqual(single.map(rounded));
  });

  test("gives a text its own vector in any company where the model is quantised as it runs", async () => {
    const embedder = await open({ mixesBatch: true, comment: "DynamicQuantizeLinear" });
    expect((await embedder.embed(["red", "green"])).map(rounded)).toEqual([
      meanOf("[CLS]", "red", "[SEP]"),
      meanOf("[CLS]", "green", "[SEP]"),
    ]);
    const batched = await open({ mixesBatch: true });
    expect((await batched.embed(["red", "green"])).map(rounded)).not.toContainEqual(meanOf("[CLS]", "red", "[SEP]"));
  });

  test("feeds token types where the model asks for them", async () => {
    const embedder = await open({ inputs: ["input_ids", "token_type_ids", "attention_mask"] });
    expect(rounded((await embedder.embed(["red"]))[0])).toEqual(meanOf("[CLS]", "red", "[SEP]"));
  });

  test("is named for its file's content and for how it is used", async () => {
    const names = [await open(), await open({ comment: "other" }), await open({}, { pooling: "cls" }), await open()];
    expect(names[0]!.name).toMatch(/^onnx:tiny:[0-9a-f]{12}:mean:256$/);
    expect(new Set(names.map(({ name }) => name)).size).toBe(3);
    expect(names[3]!.name).toBe(names[0]!.name);
  });

  test("takes calls at the same time, and ends when a signal says so", async () => {
    const embedder = await open({}, { batch: 1 });
    const abort = new AbortController();
    const calls = ["red", "green"].map((text) => embedder.embed([text]));
    const stopped = failureOf(embedder.embed(["red", "green"], { signal: abort.signal }));
    abort.abort();
    expect((await Promise.all(calls)).map(([vector]) => rounded(vector))).toEqual([
      meanOf("[CLS]", "red", "[SEP]"),
      meanOf("[CLS]", "green", "[SEP]"),
    ]);
    expect(await stopped).toMatchObject({ code: "aborted" });
    expect(await embedder.embed(["red"])).toHaveLength(1);
  });
});

describe("what cannot be an embedder is refused with a hint", () => {
  const refusal = async (path: string, options: Partial<OnnxEmbedderOptions> = {}) => {
    const error = await failureOf(onnxEmbedder({ model: path, threads: 1, ...options }));
    expect(error.hint).toBeTruthy();
    return { code: error.code, message: error.message };
  };
  const unavailable = (part: string) => ({ code: "embedder-unavailable", message: expect.stringContaining(part) });
  const good = tinyOnnx({ rows: ROWS });

  test("a file that is missing", async () => {
    expect(await refusal(join(root, "none.onnx"))).toEqual(unavailable("none.onnx cannot be read"));
    expect(await refusal(write(good), { tokenizer: join(root, "none.json") })).toEqual(unavailable("none.json"));
  });

  test("a file that is no model", async () => {
    expect(await refusal(write(Buffer.from("not a model")))).toEqual(unavailable("not a model that"));
  });

  test("a model with inputs that are not known", async () => {
    const path = write(tinyOnnx({ rows: ROWS, inputs: ["input_ids", "attention_mask", "pixel_values"] }));
    expect(await refusal(path)).toEqual({ code: "embedding-failed", message: expect.stringContaining("pixel_values") });
  });

  test.each([
    ["of another kind", { ...TOKENIZER, model: { ...TOKENIZER.model, type: "Unigram" } }],
    ["that keeps capitals", { ...TOKENIZER, normalizer: { ...TOKENIZER.normalizer, lowercase: false } }],
    ["without its marks", { ...TOKENIZER, model: { type: "WordPiece", vocab: { "[UNK]": 0 } } }],
    ["that is no object", "tokenizer"],
  ])("a tokenizer %s", async (_, tokenizer) => {
    expect(await refusal(write(good, tokenizer))).toEqual(unavailable("BERT uncased"));
  });

  test.each([{ batch: 0 }, { maxTokens: 2 }, { batch: 1.5 }])("the option %o", async (options) => {
    expect(await refusal(write(good), options)).toMatchObject({ code: "invalid-option" });
  });

  test("a runtime that is not installed", async () => {
    vi.resetModules();
    vi.doMock("onnxruntime-web", () => {
      throw new Error("Cannot find package");
    });
    const { onnxEmbedder: create } = await import("./onnx-embedder.js");
    const error = await failureOf(create({ model: write(good) }));
    vi.doUnmock("onnxruntime-web");
    expect(error).toMatchObject({
      code: "embedder-unavailable",
      hint: expect.stringContaining("npm install onnxruntime-web"),
    });
  });
});
