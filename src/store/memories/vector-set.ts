import { VarveError } from "../../errors.js";
import { PassageVectors } from "./passage-vectors.js";

/** The vectors of passages, by embedder. */
export class VectorSet {
  readonly #byEmbedder = new Map<string, PassageVectors>();

  of(embedder: string): PassageVectors | undefined {
    return this.#byEmbedder.get(embedder);
  }

  /** An embedder's vectors all have one size and are of numbers: throws where some that are to be added are not. */
  check(added: readonly { readonly embedder: string; readonly values: readonly Float32Array[] }[]): void {
    const sizes = new Map([...this.#byEmbedder].map(([embedder, { dimensions }]) => [embedder, dimensions]));
    for (const { embedder, values } of added) {
      for (const vector of values) {
        const size = sizes.get(embedder) ?? vector.length;
        if (size !== vector.length) throw otherSize(embedder, size, vector.length);
        if (!isOfNumbers(vector)) throw notFinite(embedder);
        sizes.set(embedder, size);
      }
    }
  }

  /** Those of an embedder, to which some of a size are to be added. */
  open(embedder: string, dimensions: number): PassageVectors {
    const vectors = this.#byEmbedder.get(embedder) ?? new PassageVectors(dimensions);
    this.#byEmbedder.set(embedder, vectors);
    return vectors;
  }

  /** Removes a passage's vectors of all embedders. */
  delete(passage: number): void {
    for (const vectors of this.#byEmbedder.values()) vectors.delete(passage);
  }

  drop(embedder: string): void {
    this.#byEmbedder.delete(embedder);
  }
}

function isOfNumbers(vector: Float32Array): boolean {
  for (let at = 0; at < vector.length; at++) if (!Number.isFinite(vector[at])) return false;
  return vector.length > 0;
}

export const otherSize = (embedder: string, size: number, given: number): VarveError =>
  new VarveError({
    code: "invalid-option",
    message: `Vectors of the embedder "${embedder}" have ${size} dimensions; one of ${given} was given.`,
    hint: "Give another model another name, or drop the vectors of the one before.",
    details: { embedder, size, given },
  });

const notFinite = (embedder: string): VarveError =>
  new VarveError({
    code: "invalid-option",
    message: `A vector of the embedder "${embedder}" holds something else than finite numbers.`,
    hint: "See what the embedder gives back.",
    details: { embedder },
  });
