import { InvertedIndex } from "./inverted-index.js";
import type { Amendment, MemoryChange, MemoryRow, NewMemory, RowVectors } from "./memories.js";
import { RowList } from "./row-list.js";
import { type Kept, type Shelf, ShelfSet, threadOf } from "./shelves.js";
import { VectorSet } from "./vector-set.js";

/** Rows with all that they are found by, in this process's memory. What `check` lets through, `apply` carries out whole. */
export class MemoryRows {
  readonly shelves = new ShelfSet();
  readonly index = new InvertedIndex();
  readonly vectors = new VectorSet();
  readonly list = new RowList();
  readonly byId = new Map<string, Kept>();
  readonly byKey = new Map<string, Set<Kept>>();
  /** By the number of a passage: whose it is. */
  readonly owners: (Kept | undefined)[] = [];
  readonly #freePassages: number[] = [];
  /** The highest that a row was given. */
  order = 0;
  #sortedIds: readonly string[] | undefined;

  versionOf(scope: string): number {
    return this.shelves.find(scope)?.version ?? 0;
  }

  /** Throws where a change cannot be carried out. */
  check({ scope, put = [] }: Pick<MemoryChange, "scope" | "put">): void {
    for (const key of new Set([scope, ...put.map((memory) => memory.scope)])) this.shelves.of(key);
    this.vectors.check(put.flatMap(({ vectors }) => vectors ?? []));
  }

  /** Carries a change out, and returns the version after it. A removal has the last word. */
  apply({ scope, put = [], amend = [], remove = [] }: MemoryChange): number {
    for (const memory of put) this.put(memory);
    for (const amendment of amend) this.#amend(amendment);
    for (const id of remove) this.#remove(id);
    return ++this.shelves.of(scope).version;
  }

  /** The place is the next one of its thread, or that of the row that it takes the place of, unless given. */
  put(memory: NewMemory, given: { readonly place?: number; readonly order?: number } = {}): void {
    const before = this.byId.get(memory.id);
    const shelf = this.shelves.of(memory.scope);
    const place = given.place ?? (before && placeIn(before, memory)) ?? threadOf(shelf, memory.thread).next;
    if (before !== undefined) this.#clear(before);
    const order = given.order ?? this.order + 1;
    const kept = before ?? this.#add(order, shelf, { ...memory, place });
    const { shelf: from, row } = kept;
    this.#fill(kept, memory, place);
    if (before !== undefined) dropEmpty(from, row.thread);
  }

  addVectors(embedder: string, vectors: readonly RowVectors[]): void {
    this.vectors.check(vectors.map(({ values }) => ({ embedder, values })));
    for (const { id, body, values } of vectors) {
      const kept = this.byId.get(id);
      if (kept?.row.body === body) this.#setVectors(kept, embedder, values);
    }
  }

  dropVectors(embedder: string): void {
    this.vectors.drop(embedder);
    for (const kept of this.byId.values()) kept.embedders.delete(embedder);
  }

  /** Ids in their order, from the one behind `after` on. */
  idsBehind(after: string | undefined): readonly string[] {
    this.#sortedIds ??= [...this.byId.keys()].sort();
    if (after === undefined) return this.#sortedIds;
    return this.#sortedIds.slice(firstBehind(this.#sortedIds, after));
  }

  #add(order: number, shelf: Shelf, row: MemoryRow): Kept {
    const kept: Kept = { order, row, shelf, passages: [], embedders: new Set(), isGone: false };
    this.order = Math.max(this.order, order);
    this.byId.set(row.id, kept);
    this.list.add(kept);
    this.#sortedIds = undefined;
    return kept;
  }

  #fill(kept: Kept, memory: NewMemory, place: number): void {
    const { passages, vectors, ...rest } = memory;
    const shelf = this.shelves.of(memory.scope);
    const thread = threadOf(shelf, memory.thread);
    kept.shelf = shelf;
    kept.row = Object.freeze({ ...rest, place });
    kept.passages = passages.map((terms) => this.#addPassage(kept, terms));
    thread.rows.set(place, kept);
    thread.next = Math.max(thread.next, place + 1);
    this.#link(kept);
    if (vectors !== undefined) this.#setVectors(kept, vectors.embedder, vectors.values);
  }

  #addPassage(kept: Kept, terms: readonly string[]): number {
    const passage = this.#freePassages.pop() ?? this.owners.length;
    this.owners[passage] = kept;
    this.index.add(passage, kept.shelf.number, terms);
    kept.shelf.passages++;
    kept.shelf.length += terms.length;
    return passage;
  }

  #setVectors(kept: Kept, embedder: string, values: readonly Float32Array[]): void {
    kept.embedders.add(embedder);
    for (const [at, passage] of kept.passages.entries()) {
      const vector = values[at];
      if (vector !== undefined) this.vectors.open(embedder, vector.length).set(passage, vector, kept.shelf.number);
    }
  }

  #amend({ id, until, keys, body }: Amendment): void {
    const kept = this.byId.get(id);
    if (kept === undefined) return;
    this.#unlink(kept);
    kept.row = Object.freeze({ ...kept.row, until, keys, body });
    this.#link(kept);
  }

  #remove(id: string): void {
    const kept = this.byId.get(id);
    if (kept === undefined) return;
    this.#clear(kept);
    dropEmpty(kept.shelf, kept.row.thread);
    this.byId.delete(id);
    kept.isGone = true;
    this.list.drop();
    this.#sortedIds = undefined;
  }

  /** Takes out all that a row is found by. */
  #clear(kept: Kept): void {
    this.#unlink(kept);
    kept.shelf.threads.get(kept.row.thread)?.rows.delete(kept.row.place);
    for (const passage of kept.passages) this.#dropPassage(kept, passage);
    kept.passages = [];
    kept.embedders.clear();
  }

  #dropPassage({ shelf }: Kept, passage: number): void {
    shelf.passages--;
    shelf.length -= this.index.lengthOf(passage);
    this.index.remove(passage);
    this.vectors.delete(passage);
    this.owners[passage] = undefined;
    this.#freePassages.push(passage);
  }

  #link(kept: Kept): void {
    for (const key of kept.row.keys) {
      const rows = this.byKey.get(key) ?? new Set();
      this.byKey.set(key, rows.add(kept));
    }
  }

  #unlink(kept: Kept): void {
    for (const key of kept.row.keys) {
      const rows = this.byKey.get(key);
      rows?.delete(kept);
      if (rows?.size === 0) this.byKey.delete(key);
    }
  }
}

/** Where no row is left of a conversation, its name goes too. */
function dropEmpty({ threads }: Shelf, thread: string): void {
  if (threads.get(thread)?.rows.size === 0) threads.delete(thread);
}

/** The place that a row may keep: undefined where it moves to another thread. */
const placeIn = ({ row }: Kept, { scope, thread }: NewMemory): number | undefined =>
  row.scope === scope && row.thread === thread ? row.place : undefined;

function firstBehind(sorted: readonly string[], after: string): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! > after) high = middle;
    else low = middle + 1;
  }
  return low;
}
