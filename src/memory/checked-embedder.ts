import { checkAborted, type Embedder, type EmbedOptions } from "../embed/embedder.js";
import { invalidOption, VarveError } from "../errors.js";
import { isObject } from "../message/plain-value.js";

interface GivenEmbedders {
  readonly embedder?: unknown;
  readonly formerEmbedders?: unknown;
}

/** Embedders of the application's: that they are some is seen before anything is stored with them. */
export function checkEmbedders({ embedder, formerEmbedders = [] }: GivenEmbedders): void {
  if (embedder !== undefined) checkEmbedder(embedder, "embedder");
  if (!Array.isArray(formerEmbedders))
    throw invalidOption({ option: "formerEmbedders", value: formerEmbedders, allowed: "a list of embedders" });
  for (const [at, each] of formerEmbedders.entries()) checkEmbedder(each, `formerEmbedders[${at}]`);
}

function checkEmbedder(embedder: unknown, option: string): void {
  if (isEmbedder(embedder)) return;
  const allowed =
    "an embedder: { name: a text, dimensions: a whole number from 1, embed(texts): a promise of vectors }";
  throw invalidOption({ option, value: embedder, allowed });
}

const isEmbedder = (value: unknown): value is Embedder =>
  isObject(value) &&
  typeof value.name === "string" &&
  value.name !== "" &&
  Number.isSafeInteger(value.dimensions) &&
  Number(value.dimensions) >= 1 &&
  typeof value.embed === "function";

/** The same embedder, which gives a vector of its size for each text, or throws an error of ours. */
export const checkedEmbedder = (embedder: Embedder): Embedder => ({
  name: embedder.name,
  dimensions: embedder.dimensions,
  embed: (texts, options = {}) => (texts.length === 0 ? Promise.resolve([]) : embed(embedder, texts, options)),
});

async function embed(
  embedder: Embedder,
  texts: readonly string[],
  options: EmbedOptions,
): Promise<readonly Float32Array[]> {
  checkAborted(options.signal);
  try {
    const vectors = await embedder.embed(texts, options);
    checkVectors(vectors, texts.length, embedder);
    return vectors;
  } catch (cause) {
    checkAborted(options.signal);
    throw VarveError.isInstance(cause) ? cause : failed(embedder, cause);
  }
}

const failed = ({ name }: Embedder, cause: unknown): VarveError =>
  new VarveError({
    code: "embedding-failed",
    message: `The embedder ${name} failed: ${cause instanceof Error ? cause.message : String(cause)}`,
    hint: "Try again when it works; the cause says what it met.",
    cause,
    retryable: true,
    details: { embedder: name },
  });

/** What is no vector of the embedder's size would spoil the store, and is refused here. */
function checkVectors(vectors: unknown, count: number, { name, dimensions }: Embedder): void {
  const isVector = (vector: unknown) =>
    vector instanceof Float32Array && vector.length === dimensions && hasFiniteNumbers(vector);
  if (Array.isArray(vectors) && vectors.length === count && vectors.every(isVector)) return;
  throw new VarveError({
    code: "embedding-failed",
    message: `The embedder ${name} gave something else than ${count} vectors of ${dimensions} finite numbers.`,
    hint: "Check the embedder's embed() and its dimensions.",
    details: { embedder: name },
  });
}

/** Zero times anything but a finite number is no number, and stays so in a sum. */
function hasFiniteNumbers(vector: Float32Array): boolean {
  let sum = 0;
  for (let at = 0; at < vector.length; at++) sum += vector[at]! * 0;
  return sum === 0;
}
