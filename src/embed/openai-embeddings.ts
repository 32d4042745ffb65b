import { VarveError } from "../errors.js";
import { isObject, type WireObject } from "../wire/value.js";
import { noDirection, toUnitLength } from "./embedder.js";

/** What an answer has to hold. */
export interface ExpectedEmbeddings {
  readonly name: string;
  readonly dimensions: number;
  readonly count: number;
}

/**
 * The vectors of an answer of the embeddings protocol, in the order of the texts, of length 1. An answer that does not hold
 * one vector of the right length for each text is refused whole: a vector at the wrong text is worse than none.
 */
export function readEmbeddings(answer: WireObject, expected: ExpectedEmbeddings): readonly Float32Array[] {
  const { name, count } = expected;
  const data: readonly unknown[] = Array.isArray(answer.data) ? answer.data : [];
  if (data.length !== count) throw unusable(name, `${data.length} vectors for ${count} texts`);
  const vectors: (Float32Array | undefined)[] = new Array(count).fill(undefined);
  for (const [position, item] of data.entries()) {
    const index = indexOf(item, position);
    if (index >= count || vectors[index] !== undefined) throw unusable(name, `the index ${index} out of place`);
    vectors[index] = readVector(item, index, expected);
  }
  return vectors.filter((vector) => vector !== undefined);
}

/** Some servers leave the index out and keep the order. */
const indexOf = (item: unknown, position: number): number =>
  isObject(item) && Number.isSafeInteger(item.index) && Number(item.index) >= 0 ? Number(item.index) : position;

function readVector(item: unknown, index: number, { name, dimensions }: ExpectedEmbeddings): Float32Array {
  const vector = numbersOf(isObject(item) ? item.embedding : undefined);
  if (vector === undefined) throw unusable(name, `no numbers for text ${index}`);
  if (vector.length !== dimensions) throw wrongDimensions(name, vector.length, dimensions);
  if (!toUnitLength(vector)) throw noDirection(name, index);
  return vector;
}

function numbersOf(embedding: unknown): Float32Array | undefined {
  if (typeof embedding === "string") return decodeBase64(embedding);
  if (!Array.isArray(embedding) || !embedding.every((each) => typeof each === "number")) return undefined;
  return Float32Array.from(embedding);
}

/** The bytes of float32 numbers, little-endian. */
function decodeBase64(text: string): Float32Array | undefined {
  const bytes = Buffer.from(text, "base64");
  if (bytes.length % 4 !== 0) return undefined;
  return Float32Array.from({ length: bytes.length / 4 }, (_, at) => bytes.readFloatLE(4 * at));
}

const unusable = (name: string, what: string): VarveError =>
  new VarveError({
    code: "embedding-failed",
    message: `The embedder ${name} answered with ${what}.`,
    hint: "Check that the base URL leads to an embeddings server and that the model is an embedding model.",
    details: { embedder: name },
  });

const wrongDimensions = (name: string, found: number, dimensions: number): VarveError =>
  new VarveError({
    code: "embedding-failed",
    message: `The embedder ${name} answered with vectors of ${found} numbers in place of ${dimensions}.`,
    hint: `Give dimensions: ${found}, or ask for a model whose vectors have ${dimensions} numbers.`,
    details: { embedder: name, found, dimensions },
  });
