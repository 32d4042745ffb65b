import { invalidOption } from "../errors.js";
import { checkNames, type OptionNames } from "../message/option-names.js";
import { type AttemptOptions, attempt } from "../model/attempts.js";
import { ATTEMPT_OPTIONS, checkAddress, checkText } from "../model/check-options.js";
import { type Fetch, postJson } from "../model/post-json.js";
import { checkAborted, type Embedder } from "./embedder.js";
import { readEmbeddings } from "./openai-embeddings.js";

export interface OpenAIEmbedderOptions extends AttemptOptions {
  /** Up to and with the version: `https://api.openai.com/v1`, `http://localhost:11434/v1`. */
  readonly baseURL: string;
  readonly model: string;
  readonly apiKey?: string;
  /** The length of the model's vectors; may be left out for OpenAI's own models, which can be asked for shorter ones. */
  readonly dimensions?: number;
  /** Texts in one request. 32 unless given: what every server takes, and below OpenAI's 300,000 tokens a request. */
  readonly batch?: number;
  /** How numbers travel: `base64` takes a quarter of the bytes, where the server knows it. `float` unless given. */
  readonly encoding?: "float" | "base64";
  readonly headers?: Readonly<Record<string, string>>;
  /** Further fields of the request: `truncate`, `dimensions` for a model that can be asked for shorter vectors. */
  readonly body?: Readonly<Record<string, unknown>>;
  readonly fetch?: Fetch;
}

const DIMENSIONS: ReadonlyMap<string, number> = new Map([
  ["text-embedding-3-small", 1_536],
  ["text-embedding-3-large", 3_072],
  ["text-embedding-ada-002", 1_536],
]);
const BATCH = 32;

const OPTIONS: OptionNames<OpenAIEmbedderOptions> = {
  baseURL: true,
  model: true,
  apiKey: true,
  dimensions: true,
  batch: true,
  encoding: true,
  headers: true,
  body: true,
  fetch: true,
  ...ATTEMPT_OPTIONS,
};

/**
 * An embedder behind OpenAI's embeddings protocol: OpenAI, Ollama, vLLM, llama.cpp and others. Its requests are repeated
 * as those of a model are; a call gives all vectors or fails.
 *
 * @example
 * ```ts
 * const embedder = openaiEmbedder({
 *   baseURL: "http://localhost:11434/v1",
 *   model: "nomic-embed-text",
 *   dimensions: 768,
 * });
 * ```
 */
export function openaiEmbedder(options: OpenAIEmbedderOptions): Embedder {
  checkNames(options, OPTIONS, "openaiEmbedder");
  checkAddress("baseURL", options.baseURL, "http://localhost:11434/v1");
  const model = checkText("model", options.model, "nomic-embed-text");
  const { batch = BATCH } = options;
  const dimensions = dimensionsOf(options);
  if (!isCount(batch)) throw invalidOption({ option: "batch", value: batch, allowed: "a number of texts from 1" });
  const name = `openai:${model}:${dimensions}`;
  const embedBatch = createRequests(options, { name, dimensions });
  return {
    name,
    dimensions,
    embed: async (texts, { signal } = {}) => {
      const vectors: Float32Array[] = [];
      for (let start = 0; start < texts.length; start += batch) {
        checkAborted(signal);
        vectors.push(...(await embedBatch(texts.slice(start, start + batch), signal)));
      }
      return vectors;
    },
  };
}

type EmbedBatch = (texts: readonly string[], signal?: AbortSignal) => Promise<readonly Float32Array[]>;

function createRequests(options: OpenAIEmbedderOptions, expected: Pick<Embedder, "name" | "dimensions">): EmbedBatch {
  const { model, apiKey } = options;
  const url = `${options.baseURL.replace(/\/+$/, "")}/embeddings`;
  const headers = { ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }), ...options.headers };
  const fields = { model, ...formatFields(options, expected.dimensions), ...options.body };
  const send = options.fetch ?? globalThis.fetch;
  return (texts, signal) => {
    const body = { ...fields, input: texts.map(sendable) };
    return attempt(
      async (either) => {
        const answer = await postJson({ url, headers, body, secret: apiKey }, send, either);
        return readEmbeddings(answer, { ...expected, count: texts.length });
      },
      options,
      signal,
    );
  };
}

/** Servers refuse a text without characters. */
const sendable = (text: string): string => (text === "" ? " " : text);

/** A wish for a length is sent only where it is one: servers refuse it for models whose vectors have just one length. */
const formatFields = ({ model, encoding }: OpenAIEmbedderOptions, dimensions: number): object => ({
  ...(encoding === "base64" && { encoding_format: "base64" }),
  ...(DIMENSIONS.has(model) && DIMENSIONS.get(model) !== dimensions && { dimensions }),
});

function dimensionsOf({ model, dimensions = DIMENSIONS.get(model) }: OpenAIEmbedderOptions): number {
  if (dimensions !== undefined && isCount(dimensions)) return dimensions;
  const allowed = `the length of the vectors of ${model}, which its documentation states`;
  throw invalidOption({ option: "dimensions", value: dimensions, allowed });
}

const isCount = (value: number): boolean => Number.isSafeInteger(value) && value >= 1;
