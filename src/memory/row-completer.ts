import type { VarveError } from "../errors.js";
import type { MemoryRow, NewMemory } from "../store/memories/memories.js";
import type { EmbedderPool } from "./embedder-pool.js";
import { factTexts } from "./facts/fact-text.js";
import type { MemoryBody } from "./row.js";
import { type SearchPassage, searchPassages } from "./text/search-text.js";

/** A row and its body, which need not be parsed again. */
export interface RowToComplete {
  readonly row: Omit<MemoryRow, "place">;
  readonly body: MemoryBody;
}

/** Adds to rows what they are searched by; each vector is made once however often a change has to be planned again. */
export class RowCompleter {
  readonly #pool: EmbedderPool;
  readonly #warn: (warning: VarveError) => void;
  readonly #known = new Map<string, Float32Array>();
  #failed = false;

  constructor(pool: EmbedderPool, warn: (warning: VarveError) => void) {
    this.#pool = pool;
    this.#warn = warn;
  }

  async complete(rows: readonly RowToComplete[]): Promise<NewMemory[]> {
    const passages = rows.map(({ row, body }) => passagesOfRow(row, body));
    const texts = new Set(passages.flat().map(({ text }) => text));
    await this.#embed([...texts].filter((text) => !this.#known.has(text)));
    return rows.map(({ row }, at) => ({
      ...row,
      passages: passages[at]!.map(({ terms }) => terms),
      vectors: this.#of(passages[at]!),
    }));
  }

  async #embed(texts: readonly string[]): Promise<void> {
    if (this.#failed || texts.length === 0) return;
    const vectors = await this.#pool.tryEmbed(texts, this.#warn);
    this.#failed = vectors === undefined;
    for (const [at, vector] of (vectors ?? []).entries()) this.#known.set(texts[at]!, vector);
  }

  #of(passages: readonly SearchPassage[]): NewMemory["vectors"] {
    if (this.#failed) return undefined;
    return { embedder: this.#pool.inUse.name, values: passages.map(({ text }) => this.#known.get(text)!) };
  }
}

/** What a row is searched by. */
export function passagesOfRow(row: Omit<MemoryRow, "place">, body: MemoryBody): SearchPassage[] {
  const { content, facts = [] } = body;
  return searchPassages({ content, speaker: row.speaker, time: row.time, facts: factTexts(facts) });
}
