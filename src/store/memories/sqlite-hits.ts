import { unescaped } from "../drivers/escaped-text.js";
import { rescore } from "../vectors/rescore.js";
import { averageLength, type PassageCounts, termScore, termWeight } from "./bm25.js";
import type { MemoryHit } from "./memories.js";
import type { OpenShelves } from "./sqlite-shelves.js";
import type { SqliteRow, SqliteTables } from "./sqlite-tables.js";
import { type KnownEmbedder, PASSAGES } from "./sqlite-vectors.js";

/** A question's words, counted over the passages that the reader sees. */
export interface AskedWords extends PassageCounts {
  readonly owners: readonly string[];
  readonly terms: readonly { readonly token: string; readonly holding: number }[];
}

export interface AskedVectors {
  readonly embedder: KnownEmbedder;
  readonly values: Float32Array;
}

interface Asked {
  readonly words: AskedWords;
  readonly vectors: readonly AskedVectors[];
  readonly shelves: OpenShelves;
}

/** A row's best passage by its number, and what it scores. */
interface BestPassage {
  readonly passage: number;
  readonly score: number;
}

type BestPassages = ReadonlyMap<number, BestPassage>;

const ROWS = "FROM json_each(?) CROSS JOIN memories ON memories.number = value";

/** Candidates with their scores, computed from their terms and vectors as they were written. */
export class SqliteHits {
  readonly #tables: SqliteTables;

  constructor(tables: SqliteTables) {
    this.#tables = tables;
  }

  of(memories: readonly number[], { words, vectors, shelves }: Asked): MemoryHit[] {
    const numbers = JSON.stringify(memories);
    const byWords = this.#words(numbers, words);
    const byVectors = vectors.map((asked) => ({ name: asked.embedder.name, best: this.#cosines(numbers, asked) }));
    const open = shelves.isAll ? undefined : new Set(shelves.numbers);
    return this.#rows(numbers)
      .filter(({ shelf }) => open === undefined || open.has(Number(shelf)))
      .map((row) => hitOf(row, byWords, byVectors));
  }

  #rows(numbers: string): SqliteRow[] {
    const sql = `SELECT memories.number, memories.id, memory_scopes.key AS scope, memory_threads.thread, place, time, until, speaker, shelf, first, passages
      ${ROWS} CROSS JOIN memory_threads ON memory_threads.number = memories.thread
      CROSS JOIN memory_scopes ON memory_scopes.number = memory_threads.scope`;
    return this.#tables.all(sql, numbers);
  }

  #words(numbers: string, words: AskedWords): BestPassages {
    if (words.terms.length === 0) return new Map();
    const sql = `SELECT memory, memory_passages.number AS passage, length, terms ${ROWS}
      CROSS JOIN memory_passages ON memory_passages.number >= first AND memory_passages.number < first + passages`;
    const scoreOf = scorer(words);
    const best = new Map<number, BestPassage>();
    for (const { memory, passage, length, terms } of this.#tables.all(sql, numbers)) {
      const score = scoreOf(String(terms), Number(length));
      const known = best.get(Number(memory));
      if (score > (known?.score ?? 0)) best.set(Number(memory), { passage: Number(passage), score });
    }
    return best;
  }

  #cosines(numbers: string, { embedder, values }: AskedVectors): BestPassages {
    const sql = `SELECT memories.number AS memory, memory_vectors.place AS place, vector ${ROWS}
      CROSS JOIN memory_vectors ON memory_vectors.place >= ? + first AND memory_vectors.place < ? + first + passages
      WHERE code > 0`;
    const start = embedder.number * PASSAGES;
    const rows = this.#tables.all(sql, numbers, start, start);
    const owners = new Map(rows.map(({ place, memory }) => [Number(place) - start, Number(memory)]));
    const vectors = rows.map(({ place, vector }) => ({
      key: Number(place) - start,
      vector: floatsOf(vector as Uint8Array),
    }));
    const best = new Map<number, BestPassage>();
    for (const { key: passage, score } of rescore(values, vectors)) {
      const memory = owners.get(passage)!;
      if (!best.has(memory)) best.set(memory, { passage, score });
    }
    return best;
  }
}

/** BM25 of a passage, given as the tokens of its terms. */
function scorer({ terms, ...counts }: AskedWords): (tokens: string, length: number) => number {
  const average = averageLength(counts);
  const weights = new Map(terms.map(({ token, holding }) => [token, termWeight(counts, holding)]));
  return (tokens, length) => {
    const found = new Map<string, number>();
    for (const token of tokens.split(" ")) if (weights.has(token)) found.set(token, (found.get(token) ?? 0) + 1);
    let sum = 0;
    for (const [token, count] of found) sum += weights.get(token)! * termScore(count, length, average);
    return sum;
  };
}

function hitOf(
  row: SqliteRow,
  byWords: BestPassages,
  byVectors: readonly { readonly name: string; readonly best: BestPassages }[],
): MemoryHit {
  const number = Number(row.number);
  const words = byWords.get(number);
  const near = byVectors.flatMap(({ name, best }) => {
    const found = best.get(number);
    return found === undefined ? [] : [{ name, ...found }];
  });
  const passage = words?.passage ?? near[0]?.passage;
  return {
    id: unescaped(String(row.id)),
    scope: String(row.scope),
    thread: unescaped(String(row.thread)),
    place: Number(row.place),
    time: Number(row.time),
    until: row.until === null ? undefined : Number(row.until),
    speaker: unescaped(String(row.speaker)),
    words: words?.score ?? 0,
    cosines: Object.fromEntries(near.map(({ name, score }) => [name, score])),
    passage: passage === undefined ? 0 : passage - Number(row.first),
    passages: Number(row.passages),
  };
}

/** Numbers from a column; copied where they do not lie as four-byte numbers must. */
function floatsOf(bytes: Uint8Array): Float32Array {
  const { buffer, byteOffset, byteLength } = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice();
  return new Float32Array(buffer, byteOffset, byteLength / 4);
}
