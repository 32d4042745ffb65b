import { Best } from "./best.js";
import type { PassageScores, Shelves } from "./inverted-index.js";
import type { MemoryHit, MemoryQuestion, ScopeParts } from "./memories.js";
import type { MemoryRows } from "./memory-rows.js";
import { asUnit, type PassageVectors } from "./passage-vectors.js";
import type { Kept } from "./shelves.js";

/** What a search asks of one embedder's vectors. */
interface Asked {
  readonly embedder: string;
  readonly vectors: PassageVectors;
  readonly query: Float32Array;
}

interface Search {
  readonly rows: MemoryRows;
  readonly shelves: Shelves;
  readonly limit: number;
  readonly admits: (kept: Kept) => boolean;
}

/** The best rows by words and by each embedder, each with all its scores. */
export function searchRows(rows: MemoryRows, scope: ScopeParts, question: MemoryQuestion): MemoryHit[] {
  const { limit, terms } = question;
  const shelves = rows.shelves.openTo(scope);
  const search: Search = { rows, shelves, limit, admits: admission(scope, question) };
  const asked = askedOf(rows, question);
  return rows.index.score(terms, shelves, (found) => {
    const best = new Set(bestByWords(search, found));
    for (const each of asked) for (const kept of nearest(search, each)) best.add(kept);
    return [...best].map((kept) => hitOf(kept, found, asked));
  });
}

function askedOf(rows: MemoryRows, { vectors }: MemoryQuestion): Asked[] {
  return vectors.flatMap(({ embedder, values }) => {
    const known = rows.vectors.of(embedder);
    return known?.dimensions === values.length ? [{ embedder, vectors: known, query: asUnit(values) }] : [];
  });
}

/** What a row must be like, its owners aside. */
function admission(scope: ScopeParts, { from, to, openAt }: MemoryQuestion): (kept: Kept) => boolean {
  const { tags = [] } = scope;
  return ({ row }) =>
    (from === undefined || row.time >= from) &&
    (to === undefined || row.time < to) &&
    (openAt === undefined || row.until === undefined || row.until > openAt) &&
    tags.every((tag) => row.tags.includes(tag));
}

/** Each row is offered once, with its best passage. */
function bestByWords({ rows, limit, admits }: Search, found: PassageScores): readonly Kept[] {
  const best = new Best<Kept>(limit);
  for (const passage of found.touched) {
    if (found.scores[passage]! < best.floor) continue;
    const kept = rows.owners[passage]!;
    if (kept.passages.length > 1 && bestPassage(kept, found) !== passage) continue;
    if (admits(kept)) best.offer(kept, found.scores[passage]!);
  }
  return best.items;
}

function bestPassage({ passages }: Kept, { scores }: PassageScores): number | undefined {
  let best = passages[0];
  for (const passage of passages) if (scores[passage]! > scores[best!]!) best = passage;
  return best;
}

/** Rows looked at beyond those wanted: the order by the table's scores is near enough to the exact one for this. */
const MARGIN = 10;
const WIDER = 4;

/** Looks further where most of what is near is not admitted, or belongs to the same rows. */
function nearest(search: Search, asked: Asked): readonly Kept[] {
  const { rows, limit, admits } = search;
  const shelves = openIn(search.shelves);
  for (let count = 2 * (limit + MARGIN); limit > 0; count *= WIDER) {
    const passages = asked.vectors.nearest(asked.query, count, shelves);
    const found = new Set(passages.map((passage) => rows.owners[passage]!).filter(admits));
    if (found.size >= limit + MARGIN || passages.length < count) return exactly(found, asked, limit);
  }
  return [];
}

function exactly(found: Iterable<Kept>, asked: Asked, limit: number): readonly Kept[] {
  const best = new Best<Kept>(limit);
  for (const kept of found) best.offer(kept, nearestPassage(kept, asked)?.cosine ?? 0);
  return best.items;
}

function openIn({ open }: Shelves): number[] {
  const numbers: number[] = [];
  for (let shelf = 0; shelf < open.length; shelf++) if (open[shelf] === 1) numbers.push(shelf);
  return numbers;
}

interface Near {
  readonly cosine: number;
  /** Counted from the row's first passage. */
  readonly at: number;
}

function nearestPassage({ passages }: Kept, { vectors, query }: Asked): Near | undefined {
  let best: Near | undefined;
  for (const [at, passage] of passages.entries()) {
    const cosine = vectors.cosine(passage, query);
    if (cosine !== undefined && !(best !== undefined && best.cosine >= cosine)) best = { cosine, at };
  }
  return best;
}

function hitOf(kept: Kept, found: PassageScores, asked: readonly Asked[]): MemoryHit {
  const { id, scope, thread, place, time, until, speaker } = kept.row;
  const best = bestPassage(kept, found);
  const words = best === undefined ? 0 : found.scores[best]!;
  const near = asked.flatMap((each) => {
    const one = nearestPassage(kept, each);
    return one === undefined ? [] : [{ ...one, embedder: each.embedder }];
  });
  const cosines = Object.fromEntries(near.map(({ embedder, cosine }) => [embedder, cosine]));
  const passage = words > 0 ? kept.passages.indexOf(best!) : (near[0]?.at ?? 0);
  const passages = Math.max(1, kept.passages.length);
  return { id, scope, thread, place, time, until, speaker, words, cosines, passage, passages };
}
