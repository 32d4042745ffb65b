import type { VarveError } from "../errors.js";
import type { MemoryRow, NewMemory, RowVectors } from "../store/memories/memories.js";
import type { EmbedderPool } from "./embedder-pool.js";
import { factTexts } from "./facts/fact-text.js";
import { isDoneWithin, PATIENCE } from "./in-time.js";
import { bodyOf, type MemoryBody } from "./row.js";
import { type SearchPassage, searchPassages } from "./text/search-text.js";

/** A row and its body, which need not be parsed again. */
export interface RowToComplete {
  readonly row: Omit<MemoryRow, "place">;
  readonly body: MemoryBody;
}

/**
 * Adds to rows what they are searched by; each vector is made once however often a change has to be planned again. An
 * embedder that takes long holds no change up: its vectors are handed in later.
 */
export class RowCompleter {
  readonly #pool: EmbedderPool;
  readonly #warn: (warning: VarveError) => void;
  /** By text that was asked for; undefined where there is none, or none yet. */
  readonly #known = new Map<string, Float32Array | undefined>();
  #embedding: Promise<unknown> = Promise.resolve();
  #late = false;

  constructor(pool: EmbedderPool, warn: (warning: VarveError) => void) {
    this.#pool = pool;
    this.#warn = warn;
  }

  async complete(rows: readonly RowToComplete[]): Promise<NewMemory[]> {
    const passages = rows.map(({ row, body }) => passagesOfRow(row, body));
    const texts = new Set(passages.flat().map(({ text }) => text));
    this.#ask([...texts].filter((text) => !this.#known.has(text)));
    if (!this.#late) this.#late = !(await isDoneWithin(PATIENCE, this.#embedding));
    return rows.map(({ row }, at) => ({
      ...row,
      passages: passages[at]!.map(({ terms }) => terms),
      vectors: this.#of(passages[at]!),
    }));
  }

  /** When the vectors are made that were too late for their rows; undefined where none were. */
  get late(): Promise<unknown> | undefined {
    return this.#late ? this.#embedding : undefined;
  }

  /** The vectors of rows as they stand, where all are known. */
  vectorsFor(rows: readonly MemoryRow[]): RowVectors[] {
    return rows.flatMap((row) => {
      const vectors = this.#of(passagesOfRow(row, bodyOf(row)));
      return vectors === undefined ? [] : [{ id: row.id, body: row.body, values: vectors.values }];
    });
  }

  #ask(texts: readonly string[]): void {
    if (texts.length === 0) return;
    for (const text of texts) this.#known.set(text, undefined);
    this.#embedding = Promise.all([this.#embedding, this.#embed(texts)]);
  }

  async #embed(texts: readonly string[]): Promise<void> {
    const vectors = (await this.#pool.tryEmbed(texts, this.#warn)) ?? [];
    for (const [at, vector] of vectors.entries()) this.#known.set(texts[at]!, vector);
  }

  #of(passages: readonly SearchPassage[]): NewMemory["vectors"] {
    const values: Float32Array[] = [];
    for (const { text } of passages) {
      const vector = this.#known.get(text);
      if (vector === undefined) return undefined;
      values.push(vector);
    }
    return { embedder: this.#pool.inUse.name, values };
  }
}

/** What a row is searched by. */
export function passagesOfRow(row: Omit<MemoryRow, "place">, body: MemoryBody): SearchPassage[] {
  const { content, facts = [] } = body;
  return searchPassages({ content, speaker: row.speaker, time: row.time, facts: factTexts(facts) });
}
