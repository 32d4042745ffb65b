/**
 * Candidates by words. The index finds passages, SQL counts and puts them in a rough order, and the best of them get
 * their scores here, from their terms. Work is bounded: of a term that is everywhere the count is an estimate, and
 * where rarer ones find enough only those decide what is looked at.
 */
import type { PostgresDatabase } from "../drivers/postgres-database.js";
import { Best } from "./best.js";
import { averageLength, type PassageCounts, termScore, termWeight } from "./bm25.js";
import type { ScopeParts } from "./memories.js";
import { Bindings, ownersCondition, passageCondition, type SearchRange } from "./postgres-bindings.js";
import { countsIn, lexemeOf, queryText, scopeLexemes } from "./postgres-lexemes.js";

/** Terms of a question that are looked for; the rest of a longer one is left out. */
const MOST_TERMS = 256;
/** Passages with a term that are counted; what is seen by a reader of no more has exact counts. */
const COUNTED = 5_000;
/** Passages with a term from which on a sample says how many there are, where more are seen. */
const FREQUENT = 1_000;
const SAMPLED = 2_000;
/** Passages that are looked at. */
const LOOKED_AT = 6_000;
/** Passages whose terms are fetched, at least. */
const SCORED = 500;

interface Weighed {
  readonly lexeme: string;
  /** Passages that it stands in. */
  readonly holding: number;
  readonly weight: number;
}

/** Scores passages for the terms of one question. */
export class WordScores {
  readonly #weights: readonly number[];
  readonly #average: number;
  readonly #places: ReadonlyMap<string, number>;

  constructor(terms: readonly Weighed[], average: number) {
    this.#weights = terms.map(({ weight }) => weight);
    this.#average = average;
    this.#places = new Map(terms.map(({ lexeme }, at) => [lexeme, at]));
  }

  get lexemes(): string[] {
    return [...this.#places.keys()];
  }

  /** BM25 of a passage, from the text of its `tsvector`. */
  of(terms: string, length: number): number {
    const found = countsIn(terms, this.#places);
    // In the order of the question, so that equal passages get scores that are equal to the last bit.
    found.sort(([left], [right]) => left - right);
    return found.reduce((sum, [at, count]) => sum + this.#weights[at]! * termScore(count, length, this.#average), 0);
  }
}

export interface WordCandidates {
  readonly scores: WordScores;
  /** Numbers of memories. */
  readonly memories: readonly number[];
}

interface PassageRow {
  readonly memory: number;
  readonly length: number;
  readonly terms: string;
}

interface Rough {
  /** All terms of the question that are there. */
  readonly weighed: readonly Weighed[];
  readonly average: number;
  /** Of memories. */
  readonly limit: number;
}

export class PostgresWords {
  readonly #database: PostgresDatabase;
  readonly #schema: string;

  constructor(database: PostgresDatabase, schema: string) {
    this.#database = database;
    this.#schema = schema;
  }

  /** Where the rarest terms find too little, as in a range that leaves much out, all are looked for. */
  async find(range: SearchRange, terms: readonly string[], limit: number): Promise<WordCandidates> {
    const lexemes = [...new Set(terms.slice(0, MOST_TERMS).map(lexemeOf))];
    const { counts, weighed } = await this.#weigh(range, lexemes);
    const average = averageLength(counts);
    const scores = new WordScores(weighed, average);
    const look = (wanted: readonly Weighed[]) => this.#look(range, wanted, { weighed, average, limit });
    const rarest = deciding(weighed);
    const rows = rarest.length === 0 ? [] : await look(rarest);
    const memories = bestMemories(rows, scores, limit);
    if (memories.length >= limit || rarest.length === weighed.length) return { scores, memories };
    return { scores, memories: bestMemories([...rows, ...(await look(weighed))], scores, limit) };
  }

  /** The best of the passages with one of some terms, roughly. */
  #look(
    range: SearchRange,
    wanted: readonly Weighed[],
    { weighed, average, limit }: Rough,
  ): Promise<readonly PassageRow[]> {
    const bindings = new Bindings();
    const lexemes = wanted.map(({ lexeme }) => lexeme);
    const text = `SELECT memory, length, terms::text AS terms FROM (
        SELECT p.memory, p.length, p.terms FROM ${this.#schema}.memory_passages p
        WHERE ${passageCondition(range, bindings, lexemes)} LIMIT ${LOOKED_AT}
      ) found ORDER BY ${roughScore(weighed, average, bindings)} DESC LIMIT ${Math.max(SCORED, 4 * limit)}`;
    return this.#database.repeatable<PassageRow>({ text, values: bindings.values });
  }

  /** The terms that are there, with what they weigh among the passages that the reader sees by its owners. */
  async #weigh(
    { scope }: SearchRange,
    lexemes: readonly string[],
  ): Promise<{ counts: PassageCounts; weighed: Weighed[] }> {
    if (lexemes.length === 0) return { counts: { passages: 0, length: 0 }, weighed: [] };
    const bindings = new Bindings();
    const owners = scopeLexemes({ ...scope, tags: [] });
    const queries = lexemes.map((lexeme) => queryText([lexeme], owners));
    const text = `WITH seen AS (
        SELECT coalesce(sum(s.passages), 0)::float8 AS passages, coalesce(sum(s.terms), 0)::float8 AS length
        FROM ${this.#schema}.memory_scopes s WHERE ${ownersCondition(scope, bindings)}
      ), sample AS MATERIALIZED (
        SELECT p.terms FROM ${this.#schema}.memory_passages p
        WHERE (SELECT passages FROM seen) > ${COUNTED} ${this.#ofSeenScopes(scope, bindings)} LIMIT ${SAMPLED}
      )
      SELECT seen.passages, seen.length, CASE WHEN likely.holding > ${FREQUENT} THEN likely.holding ELSE (
        SELECT count(*) FROM (
          SELECT FROM ${this.#schema}.memory_passages p WHERE p.terms @@ t.query::tsquery LIMIT ${COUNTED}
        ) found
      ) END AS holding
      FROM seen
        CROSS JOIN unnest(${bindings.bind(queries, "text[]")}) WITH ORDINALITY AS t (query, n)
        CROSS JOIN LATERAL (
          SELECT seen.passages * avg((sample.terms @@ t.query::tsquery)::integer)::float8 AS holding FROM sample
        ) likely
      ORDER BY t.n`;
    const rows = await this.#database.repeatable<PassageCounts & { holding: number }>({
      text,
      values: bindings.values,
    });
    const weighed = rows.map((counts, at) => {
      const holding = Math.min(counts.holding, counts.passages);
      return { lexeme: lexemes[at]!, holding, weight: termWeight(counts, holding) };
    });
    return { counts: rows[0]!, weighed: weighed.filter(({ holding }) => holding > 0) };
  }

  #ofSeenScopes(scope: ScopeParts, bindings: Bindings): string {
    if (scopeLexemes({ ...scope, tags: [] }).length === 0) return "";
    const condition = ownersCondition(scope, bindings);
    return `AND p.scope IN (SELECT s.number FROM ${this.#schema}.memory_scopes s WHERE ${condition})`;
  }
}

/** The rarest terms, as many as may be looked for. */
function deciding(terms: readonly Weighed[]): Weighed[] {
  let sum = 0;
  return [...terms]
    .sort((left, right) => left.holding - right.holding)
    .filter(({ holding }, at) => {
      sum += holding;
      return at === 0 || sum <= LOOKED_AT;
    });
}

/** SQL for the score that a passage has if each of its terms is there once; all are divided by one number. */
function roughScore(terms: readonly Weighed[], average: number, bindings: Bindings): string {
  const sum = terms.map(({ lexeme, weight }) => {
    const query = bindings.bind(queryText([lexeme], []), "tsquery");
    return `CASE WHEN found.terms @@ ${query} THEN ${bindings.bind(weight, "float8")} ELSE 0 END`;
  });
  const least = 1 / termScore(1, 0, average);
  const growth = (1 / termScore(1, average, average) - least) / average;
  return `(${sum.join(" + ")}) / (${bindings.bind(least, "float8")} + ${bindings.bind(growth, "float8")} * found.length)`;
}

function bestMemories(rows: readonly PassageRow[], scores: WordScores, limit: number): number[] {
  const byMemory = new Map<number, number>();
  for (const { memory, terms, length } of rows)
    byMemory.set(memory, Math.max(byMemory.get(memory) ?? 0, scores.of(terms, length)));
  const best = new Best<{ order: number }>(limit);
  for (const [order, score] of byMemory) best.offer({ order }, score);
  return best.items.map(({ order }) => order);
}
