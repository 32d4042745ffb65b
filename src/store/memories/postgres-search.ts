import { escaped, unescaped } from "../drivers/escaped-text.js";
import type { PostgresDatabase } from "../drivers/postgres-database.js";
import { quoted } from "../drivers/postgres-schema.js";
import { Best } from "./best.js";
import type { MemoryHit, MemoryQuestion, ScopeParts } from "./memories.js";
import { asUnit } from "./passage-vectors.js";
import { Bindings, passageCondition, type SearchRange } from "./postgres-bindings.js";
import { queryText } from "./postgres-lexemes.js";
import type { AskedEmbedder, PostgresVectors } from "./postgres-vectors.js";
import { PostgresWords, type WordScores } from "./postgres-words.js";

interface Search {
  readonly range: SearchRange;
  readonly asked: readonly AskedEmbedder[];
  readonly scores: WordScores;
}

/** A memory with one of its passages, and beside them what the cosines are made of. */
interface PassageRow extends Omit<MemoryHit, "until" | "words" | "cosines" | "passage" | "passages"> {
  readonly number: number;
  readonly until: number | null;
  readonly index: number;
  readonly length: number;
  /** Null where no term of the question is among them. */
  readonly terms: string | null;
  readonly [vector: `vector${number}`]: unknown;
}

/** Searches by words and by vectors at the same time; what both found is then fetched with all its scores. */
export class PostgresSearch {
  readonly #database: PostgresDatabase;
  readonly #schema: string;
  readonly #words: PostgresWords;
  readonly #vectors: () => Promise<PostgresVectors>;

  constructor(database: PostgresDatabase, vectors: () => Promise<PostgresVectors>) {
    this.#database = database;
    this.#schema = quoted(database.settings.schema);
    this.#words = new PostgresWords(database, this.#schema);
    this.#vectors = vectors;
  }

  async search(scope: ScopeParts, question: MemoryQuestion): Promise<MemoryHit[]> {
    const range = { scope, question };
    const [words, near] = await Promise.all([
      this.#words.find(range, question.terms, question.limit),
      this.#nearest(range, question),
    ]);
    const memories = new Set([...words.memories, ...near.memories]);
    if (memories.size === 0) return [];
    const hits = await this.#hits({ range, asked: near.asked, scores: words.scores }, [...memories]);
    return wanted(hits, { byWords: words.memories, asked: near.asked, limit: question.limit });
  }

  async #nearest(
    range: SearchRange,
    question: MemoryQuestion,
  ): Promise<{ asked: AskedEmbedder[]; memories: number[] }> {
    const asked = await this.#asked(question);
    if (asked.length === 0) return { asked, memories: [] };
    const vectors = await this.#vectors();
    const found = await Promise.all(asked.map((each) => vectors.nearest(each, range, question.limit)));
    return { asked, memories: found.flat() };
  }

  /** The embedders that there are vectors of, as long as those of the question. */
  async #asked({ vectors }: MemoryQuestion): Promise<AskedEmbedder[]> {
    if (vectors.length === 0) return [];
    const text = `SELECT name, number, dimensions FROM ${this.#schema}.memory_embedders WHERE name = ANY ($1)`;
    const values = [vectors.map(({ embedder }) => escaped(embedder))];
    const known = await this.#database.repeatable<{ name: string; number: number; dimensions: number }>({
      text,
      values,
    });
    return vectors.flatMap(({ embedder, values: query }) => {
      const found = known.find(({ name, dimensions }) => name === escaped(embedder) && dimensions === query.length);
      return found === undefined ? [] : [{ ...found, name: embedder, query: asUnit(query) }];
    });
  }

  /** What was removed meanwhile is not among them, nor what is out of the range by now. */
  async #hits(search: Search, memories: readonly number[]): Promise<Map<number, MemoryHit>> {
    const vectors = await this.#vectors();
    const bindings = new Bindings();
    const { range, asked, scores } = search;
    const columns = asked.map((each, at) => `, ${vectors.column(`v${at}`, each, bindings)} AS vector${at}`);
    const joins = asked.map(({ number }, at) => {
      const embedder = bindings.bind(number, "integer");
      return `LEFT JOIN ${this.#schema}.memory_vectors v${at} ON v${at}.passage = p.number AND v${at}.embedder = ${embedder}`;
    });
    const { lexemes } = scores;
    const matches = lexemes.length === 0 ? "false" : `p.terms @@ ${bindings.bind(queryText(lexemes, []), "tsquery")}`;
    const text = `SELECT m.number, m.id, s.key AS scope, m.thread, m.place, m.time, m.until, m.speaker,
        p.index, p.length, CASE WHEN ${matches} THEN p.terms::text END AS terms ${columns.join(" ")}
      FROM ${this.#schema}.memories m
        JOIN ${this.#schema}.memory_scopes s ON s.number = m.scope
        JOIN ${this.#schema}.memory_passages p ON p.memory = m.number ${joins.join(" ")}
      WHERE m.number = ANY (${bindings.bind(memories, "bigint[]")}) AND ${passageCondition(range, bindings)}
      ORDER BY m.number, p.index`;
    const rows = await this.#database.repeatable<PassageRow>({ text, values: bindings.values });
    const cosine = (row: PassageRow, at: number) => cosineOf(vectors, row[`vector${at}`], asked[at]!);
    return new Map(Array.from(grouped(rows), ([number, passages]) => [number, hitOf(passages, { ...search, cosine })]));
  }
}

interface Wanted {
  /** Numbers of memories. */
  readonly byWords: readonly number[];
  readonly asked: readonly AskedEmbedder[];
  readonly limit: number;
}

/** Those found by words, and for each embedder those that are nearest now that they are compared exactly. */
function wanted(hits: ReadonlyMap<number, MemoryHit>, { byWords, asked, limit }: Wanted): MemoryHit[] {
  const numbers = new Set(byWords);
  for (const { name } of asked) {
    const best = new Best<{ order: number }>(limit);
    for (const [order, { cosines }] of hits) if (cosines[name] !== undefined) best.offer({ order }, cosines[name]);
    for (const { order } of best.items) numbers.add(order);
  }
  return [...numbers].flatMap((number) => hits.get(number) ?? []);
}

const cosineOf = (vectors: PostgresVectors, column: unknown, asked: AskedEmbedder): number | undefined =>
  column === null || column === undefined ? undefined : vectors.cosine(column, asked);

function grouped(rows: readonly PassageRow[]): Map<number, PassageRow[]> {
  const groups = new Map<number, PassageRow[]>();
  for (const row of rows) {
    const group = groups.get(row.number);
    if (group === undefined) groups.set(row.number, [row]);
    else group.push(row);
  }
  return groups;
}

interface Scoring extends Search {
  readonly cosine: (row: PassageRow, at: number) => number | undefined;
}

function hitOf(passages: readonly PassageRow[], { asked, scores, cosine }: Scoring): MemoryHit {
  const { id, scope, thread, place, time, until, speaker } = passages[0]!;
  const byWords = best(passages, ({ terms, length }) => (terms === null ? 0 : scores.of(terms, length)))!;
  const near = asked.map((_, at) => best(passages, (row) => cosine(row, at)));
  const cosines = asked.flatMap(({ name }, at) => (near[at] === undefined ? [] : [[name, near[at].score] as const]));
  const nearest = near.find((found) => found !== undefined);
  return {
    ...{ id: unescaped(id), scope, thread: unescaped(thread), place, time, until: until ?? undefined },
    ...{ speaker: unescaped(speaker), words: byWords.score, cosines: Object.fromEntries(cosines) },
    passage: byWords.score > 0 ? byWords.index : (nearest?.index ?? 0),
    passages: passages.length,
  };
}

/** The first of the passages with the highest score. */
function best(
  passages: readonly PassageRow[],
  scoreOf: (row: PassageRow) => number | undefined,
): { readonly index: number; readonly score: number } | undefined {
  let found: { index: number; score: number } | undefined;
  for (const row of passages) {
    const score = scoreOf(row);
    if (score !== undefined && !(found !== undefined && found.score >= score)) found = { index: row.index, score };
  }
  return found;
}
