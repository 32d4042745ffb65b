import { invalidOption } from "../errors.js";
import { checkNames, type OptionNames } from "../message/option-names.js";
import { checkText } from "../model/check-options.js";
import { checkAborted, type Embedder } from "./embedder.js";
import { fileIdentity, readModelFile, tokenizerPaths } from "./model-files.js";
import { createEncoder, type Encode, type Pooling } from "./onnx-encoder.js";
import { loadOnnxModel } from "./onnx-runtime.js";
import { type OnnxTokenizer, readOnnxTokenizer } from "./onnx-tokenizer.js";

export interface OnnxEmbedderOptions {
  /** Path of the model: `all-MiniLM-L6-v2/onnx/model.onnx`. */
  readonly model: string;
  /** Path of its `tokenizer.json`; beside the model or one folder up unless given. */
  readonly tokenizer?: string;
  /** How tokens become one vector: their `mean`, or the state of the first, `cls` (bge, arctic-embed). `mean` unless given. */
  readonly pooling?: Pooling;
  /** Tokens that are read of a text, the two marks around it included. 256 unless given. */
  readonly maxTokens?: number;
  /**
   * Texts in one run of the model. 32 unless given, and 1 for models that are quantised as they run: there the vector of a
   * text depends on those in the same batch.
   */
  readonly batch?: number;
  /** Threads of the runtime, for the whole process; as many as it takes by itself unless given. */
  readonly threads?: number;
}

const OPTIONS: OptionNames<OnnxEmbedderOptions> = {
  model: true,
  tokenizer: true,
  pooling: true,
  maxTokens: true,
  batch: true,
  threads: true,
};
const MAX_TOKENS = 256;
const BATCH = 32;

/**
 * A text encoder of the BERT kind from a file, run in this process by `onnxruntime-web`: MiniLM and the like. The name of the
 * embedder holds a part of the file's hash, so that vectors of another file are never taken for its own.
 *
 * @example
 * ```ts
 * const embedder = await onnxEmbedder({ model: "./all-MiniLM-L6-v2/onnx/model.onnx" });
 * const [vector] = await embedder.embed(["Where is the retry logic?"]);
 * ```
 */
export async function onnxEmbedder(options: OnnxEmbedderOptions): Promise<Embedder> {
  checkNames(options, OPTIONS, "onnxEmbedder");
  checkText("model", options.model, "./all-MiniLM-L6-v2/onnx/model.onnx");
  const { model: path, pooling = "mean", maxTokens = MAX_TOKENS, threads } = options;
  checkCount("maxTokens", maxTokens, 3);
  const file = await readModelFile([path], "Give the path of an .onnx file.");
  const batch = options.batch ?? (isQuantisedAsItRuns(file.bytes) ? 1 : BATCH);
  checkCount("batch", batch, 1);
  const tokenizer = await findTokenizer(options);
  const name = `onnx:${fileIdentity(file)}:${pooling}:${maxTokens}`;
  const model = await loadOnnxModel(file, threads);
  const encode = createEncoder(model, { name, pooling, padding: tokenizer.padding });
  const [probe] = await encode([[tokenizer.begin, tokenizer.end]]);
  return {
    name,
    dimensions: probe!.length,
    embed: inOrder((texts, signal) => embedTexts(texts.map(marked(tokenizer, maxTokens)), { encode, batch, signal })),
    close: () => model.session.release(),
  };
}

function checkCount(option: string, value: number, least: number): void {
  if (Number.isSafeInteger(value) && value >= least) return;
  throw invalidOption({ option, value, allowed: `a whole number from ${least}` });
}

/** The operator that scales numbers by the largest of the batch; its name stands in the file. */
const isQuantisedAsItRuns = (bytes: Uint8Array): boolean =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes("DynamicQuantizeLinear");

async function findTokenizer({ model, tokenizer }: OnnxEmbedderOptions): Promise<OnnxTokenizer> {
  const paths = tokenizer === undefined ? tokenizerPaths(model) : [tokenizer];
  const { path, bytes } = await readModelFile(paths, "Give the path of the model's tokenizer.json as `tokenizer`.");
  return readOnnxTokenizer(new TextDecoder().decode(bytes), path);
}

const marked =
  ({ pieces, begin, end }: OnnxTokenizer, maxTokens: number) =>
  (text: string): readonly number[] => [begin, ...pieces(text).slice(0, maxTokens - 2), end];

interface BatchOptions {
  readonly encode: Encode;
  readonly batch: number;
  readonly signal: AbortSignal | undefined;
}

/** Texts of like length go together, so that little is filled up. */
async function embedTexts(
  lists: readonly (readonly number[])[],
  { encode, batch, signal }: BatchOptions,
): Promise<readonly Float32Array[]> {
  const order = lists.map((_, at) => at).sort((a, b) => lists[a]!.length - lists[b]!.length);
  const vectors: Float32Array[] = new Array(lists.length);
  for (let start = 0; start < order.length; start += batch) {
    checkAborted(signal);
    const chosen = order.slice(start, start + batch);
    const found = await encode(chosen.map((at) => lists[at]!));
    for (const [row, at] of chosen.entries()) vectors[at] = found[row]!;
    await new Promise((resolve) => setImmediate(resolve));
  }
  return vectors;
}

type EmbedNow = (texts: readonly string[], signal: AbortSignal | undefined) => Promise<readonly Float32Array[]>;

/** One call at a time: the runtime refuses a second run of a model beside the first. */
function inOrder(embedNow: EmbedNow): Embedder["embed"] {
  let last: Promise<unknown> = Promise.resolve();
  return (texts, { signal } = {}) => {
    const result = last.then(() => embedNow(texts, signal));
    last = result.catch(() => undefined);
    return result;
  };
}
