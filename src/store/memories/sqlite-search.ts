import type { MemoryHit, MemoryQuestion, ScopeParts } from "./memories.js";
import { type AskedVectors, type AskedWords, SqliteHits } from "./sqlite-hits.js";
import type { MemoryParts } from "./sqlite-memory-writer.js";
import type { Candidate } from "./sqlite-passages.js";
import type { OpenShelves } from "./sqlite-shelves.js";
import { ownerTokens, tokenOf } from "./sqlite-tokens.js";
import type { SqliteVectorTables } from "./sqlite-vector-tables.js";

/** More passages than rows are wanted: a row may have several, and the order that they are found in is about right. */
const MORE = 1.25;
const AT_LEAST_MORE = 50;
const NEXT_TIME = 4;

/** Where a question has more terms than this, the rarest decide which rows are looked at. */
const MOST_TERMS = 1_000;

/** Candidates of some way to ask: as many passages as it is told to look for, and whether there are no more. */
type Ask = (count: number) => { readonly found: readonly Candidate[]; readonly isAll: boolean };

/** The best rows by words and by each embedder, each with all its scores, within the transaction of its caller. */
export class SqliteSearch {
  readonly #parts: MemoryParts;
  readonly #near: SqliteVectorTables;
  readonly #hits: SqliteHits;

  constructor(parts: MemoryParts, near: SqliteVectorTables) {
    this.#parts = parts;
    this.#near = near;
    this.#hits = new SqliteHits(parts.tables);
  }

  search(scope: ScopeParts, question: MemoryQuestion): MemoryHit[] {
    const shelves = this.#parts.shelves.openTo(scope);
    if (shelves.numbers.length === 0 || question.limit < 1) return [];
    const vectors = this.vectorsOf(question);
    const words = this.#words(shelves, { scope, terms: question.terms });
    const memories = new Set([...this.#byWords(words, question), ...this.#byVectors(vectors, shelves, question)]);
    const hits = this.#hits.of([...memories], { words, vectors, shelves });
    return bestOf(hits, question);
  }

  /** The vectors that can be asked for: those of another size than the embedder's are of another model. */
  vectorsOf({ vectors }: MemoryQuestion): AskedVectors[] {
    return vectors.flatMap(({ embedder: name, values }) => {
      const embedder = values.length === 0 ? undefined : this.#parts.vectors.find(name);
      return embedder?.dimensions === values.length ? [{ embedder, values }] : [];
    });
  }

  #words(shelves: OpenShelves, { scope, terms }: { scope: ScopeParts; terms: readonly string[] }): AskedWords {
    const owners = shelves.isAll ? [] : ownerTokens(scope);
    const tokens = [...new Set(terms)].filter((term) => term !== "").map(tokenOf);
    const holding = tokens.map((token) => this.#parts.passages.holding(owners, token));
    const { passages, length } = shelves;
    return { owners, terms: tokens.map((token, at) => ({ token, holding: holding[at]! })), passages, length };
  }

  #byWords({ owners, terms }: AskedWords, question: MemoryQuestion): Iterable<number> {
    const known = terms.filter(({ holding }) => holding > 0).sort((left, right) => left.holding - right.holding);
    if (known.length === 0) return [];
    const rarest = known.slice(0, MOST_TERMS).map(({ token }) => token);
    const asked = { owners, terms: rarest, ...timesOf(question) };
    return openRows(question.limit, (count) => {
      const found = this.#parts.passages.candidates(asked, count);
      return { found, isAll: found.length < count };
    });
  }

  #byVectors(vectors: readonly AskedVectors[], shelves: OpenShelves, question: MemoryQuestion): number[] {
    return vectors.flatMap((asked) => {
      while (!this.#near.read(asked.embedder));
      const near = { ...asked, shelves, ...timesOf(question) };
      return [...openRows(question.limit, (count) => this.#near.candidates(near, count))];
    });
  }
}

const timesOf = ({ from, to, openAt }: MemoryQuestion) => ({ from, to, openAt });

/** As many rows as are wanted and some more, or all there are: asks again where too many are closed or come twice. */
function openRows(limit: number, ask: Ask): Set<number> {
  for (let count = Math.ceil(Math.max(limit * MORE, limit + AT_LEAST_MORE)); ; count *= NEXT_TIME) {
    const { found, isAll } = ask(count);
    const rows = new Set(found.filter(({ isOpen }) => isOpen).map(({ memory }) => memory));
    if (isAll || rows.size >= limit) return rows;
  }
}

/** The best by words, and the best by each embedder. */
function bestOf(hits: readonly MemoryHit[], { limit, vectors }: MemoryQuestion): MemoryHit[] {
  const best = new Set(firstBy(hits, limit, ({ words }) => words || undefined));
  for (const { embedder } of vectors)
    for (const hit of firstBy(hits, limit, ({ cosines }) => cosines[embedder])) best.add(hit);
  return [...best];
}

function firstBy(hits: readonly MemoryHit[], limit: number, scoreOf: (hit: MemoryHit) => number | undefined) {
  const scored = hits.flatMap((hit) => {
    const score = scoreOf(hit);
    return score === undefined ? [] : [{ hit, score }];
  });
  return scored
    .sort((left, right) => right.score - left.score)
    .slice(0, limit)
    .map(({ hit }) => hit);
}
