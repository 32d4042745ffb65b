import { VarveError } from "../errors.js";

export interface EmbedOptions {
  readonly signal?: AbortSignal;
}

/** Turns texts into vectors whose scalar product says how near their meanings are. */
export interface Embedder {
  /** Model and version. Vectors of different names are never compared; the name is stored with each vector. */
  readonly name: string;
  /** The length of every vector's list of numbers. */
  readonly dimensions: number;
  /** One vector of Euclidean length 1 for each text, in the order of the texts. */
  embed(texts: readonly string[], options?: EmbedOptions): Promise<readonly Float32Array[]>;
  /** Gives back what the embedder holds: memory, threads. It is of no use afterwards. */
  close?(): Promise<void>;
}

/** Scales a vector to length 1, in place; false where that cannot be, as no direction is left in it. */
export function toUnitLength(vector: Float32Array): boolean {
  let square = 0;
  for (let at = 0; at < vector.length; at++) square += vector[at]! * vector[at]!;
  const length = Math.sqrt(square);
  if (!(length > 0) || !Number.isFinite(length)) return false;
  for (let at = 0; at < vector.length; at++) vector[at]! /= length;
  return true;
}

/** The error for a vector that {@link toUnitLength} refuses. */
export const noDirection = (name: string, index: number): VarveError =>
  new VarveError({
    code: "embedding-failed",
    message: `The embedder ${name} gave a vector without a direction for text ${index}.`,
    hint: "A vector of zeros or with numbers that are not finite comes from a damaged model or a text that it cannot read.",
    details: { embedder: name, index },
  });

/** Throws the `aborted` error once the signal says so. */
export function checkAborted(signal: AbortSignal | undefined): void {
  if (!signal?.aborted) return;
  throw new VarveError({
    code: "aborted",
    message: "The embedding was aborted by its signal.",
    hint: "Call again with a signal that is not aborted.",
    cause: signal.reason,
  });
}
