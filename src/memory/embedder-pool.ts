import { builtInEmbedder } from "../embed/built-in-embedder.js";
import type { Embedder } from "../embed/embedder.js";
import { VarveError } from "../errors.js";
import type { Memories } from "../store/memories/memories.js";
import { checkedEmbedder } from "./checked-embedder.js";
import { isDoneWithin } from "./in-time.js";

/** How long what is known of the stored vectors counts: others may embed anew meanwhile. */
const FRESH = 5_000;

/**
 * The embedders that questions are asked by. New texts get vectors of one, the one in use; while texts with vectors of
 * a former one are left, questions are asked by that too, as far as it is at hand. Whatever is asked here is checked.
 */
export class EmbedderPool {
  readonly inUse: Embedder;
  readonly #memories: Memories;
  readonly #others: readonly Embedder[];
  readonly #now: () => number;
  #asked = Number.NEGATIVE_INFINITY;
  #stored: ReadonlySet<string> = new Set();
  readonly #following = new Set<Promise<void>>();

  constructor(memories: Memories, { inUse, others = [], now }: PoolOptions) {
    this.#memories = memories;
    this.inUse = checkedEmbedder(inUse);
    this.#others = [builtInEmbedder(), ...others].filter(({ name }) => name !== inUse.name).map(checkedEmbedder);
    this.#now = now;
  }

  /** The one in use, and those at hand whose vectors are there. */
  async asked(): Promise<readonly Embedder[]> {
    const now = this.#now();
    if (now - this.#asked >= FRESH || now < this.#asked) {
      this.#stored = new Set((await this.#memories.embedders()).keys());
      this.#asked = now;
    }
    return [this.inUse, ...this.#others.filter(({ name }) => this.#stored.has(name))];
  }

  /** Goes on with work on vectors that come late, behind whatever is done; it never fails. */
  follow(work: Promise<void>): void {
    this.#following.add(work);
    void work.then(() => this.#following.delete(work));
  }

  /** Waits for what follows, but no longer than that: whether all is done. */
  followed(milliseconds: number): Promise<boolean> {
    return isDoneWithin(milliseconds, Promise.all(this.#following));
  }

  /** Vectors of the one in use; undefined, with a warning, where it fails: the texts are kept and embedded later. */
  async tryEmbed(
    texts: readonly string[],
    warn: (warning: VarveError) => void,
  ): Promise<readonly Float32Array[] | undefined> {
    try {
      return await this.inUse.embed(texts);
    } catch (cause) {
      warn(
        new VarveError({
          code: "embedding-failed",
          message: `${texts.length} passages were stored without vectors, since the embedder ${this.inUse.name} failed.`,
          hint: "They are found by their words; varve.embed() makes the vectors when the embedder works again.",
          cause,
          retryable: true,
        }),
      );
      return undefined;
    }
  }
}

export interface PoolOptions {
  readonly inUse: Embedder;
  /** Former ones that can still be asked. */
  readonly others?: readonly Embedder[];
  readonly now: () => number;
}
