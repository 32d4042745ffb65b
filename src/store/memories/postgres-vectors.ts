import type { Bindings, SearchRange } from "./postgres-bindings.js";

/** An embedder that a question has a vector of. */
export interface AskedEmbedder {
  readonly name: string;
  /** The store's own for it. */
  readonly number: number;
  readonly dimensions: number;
  /** As long as 1, or all zeros. */
  readonly query: Float32Array;
}

/** Where vectors are compared: on the server, or in this process. */
export interface PostgresVectors {
  /** The numbers of the memories in a range whose best passages are nearest, and maybe of some that are next to them. */
  nearest(asked: AskedEmbedder, range: SearchRange, limit: number): Promise<readonly number[]>;
  /** SQL for what `cosine` takes, for a row of the table of vectors. */
  column(row: string, asked: AskedEmbedder, bindings: Bindings): string;
  /** The cosine of a vector with the question's. */
  cosine(column: unknown, asked: AskedEmbedder): number;
  /** Stops what is under way in the background. */
  close(): Promise<void>;
}
