import type { Shelves } from "./inverted-index.js";
import { type MemoryRow, OWNERS, type ScopeParts, scopeKey, scopeOf, sees } from "./memories.js";

/** A row with the numbers of its passages. It stays the same object, with its place in the order, when it is put again. */
export interface Kept {
  readonly order: number;
  row: MemoryRow;
  shelf: Shelf;
  passages: readonly number[];
  /** Those that it has vectors of. */
  readonly embedders: Set<string>;
  isGone: boolean;
}

/** What is stored with the same owners. It stays when its rows are gone: versions and places go on. */
export interface Shelf {
  readonly number: number;
  readonly key: string;
  readonly owners: ScopeParts;
  version: number;
  passages: number;
  /** Terms in all passages. */
  length: number;
  readonly threads: Map<string, Thread>;
}

export interface Thread {
  next: number;
  readonly rows: Map<number, Kept>;
}

interface Reader {
  open: Uint8Array;
  /** How many shelves were looked at. */
  known: number;
}

/** Readers whose shelves are remembered. */
const READERS = 256;

export class ShelfSet {
  readonly #byKey = new Map<string, Shelf>();
  readonly #all: Shelf[] = [];
  readonly #readers = new Map<string, Reader>();

  get all(): readonly Shelf[] {
    return this.#all;
  }

  find(key: string): Shelf | undefined {
    return this.#byKey.get(key);
  }

  of(key: string): Shelf {
    const known = this.#byKey.get(key);
    if (known !== undefined) return known;
    const counts = { version: 0, passages: 0, length: 0 };
    const shelf = { number: this.#all.length, key, owners: scopeOf(key), ...counts, threads: new Map() };
    this.#byKey.set(key, shelf);
    this.#all.push(shelf);
    return shelf;
  }

  /** The shelves that a scope sees by its owners. */
  openTo(scope: ScopeParts): Shelves {
    const { open } = this.#reader(scope);
    let passages = 0;
    let length = 0;
    for (const shelf of this.#all) {
      if (open[shelf.number] !== 1) continue;
      passages += shelf.passages;
      length += shelf.length;
    }
    return { open, passages, length };
  }

  #reader(scope: ScopeParts): Reader {
    const key = scopeKey(scope);
    const reader = this.#readers.get(key) ?? { open: new Uint8Array(64), known: 0 };
    if (!this.#readers.has(key) && this.#readers.size >= READERS) this.#readers.clear();
    this.#readers.set(key, reader);
    if (reader.open.length < this.#all.length) reader.open = widened(reader.open, this.#all.length * 2);
    for (; reader.known < this.#all.length; reader.known++)
      reader.open[reader.known] = ownersSee(scope, this.#all[reader.known]!.owners) ? 1 : 0;
    return reader;
  }
}

const ownersSee = (scope: ScopeParts, owners: ScopeParts): boolean =>
  sees(Object.fromEntries(OWNERS.map((owner) => [owner, scope[owner]])), owners);

function widened(from: Uint8Array, size: number): Uint8Array {
  const to = new Uint8Array(size);
  to.set(from);
  return to;
}

/** The thread of a row, made where it is not there. */
export function threadOf(shelf: Shelf, name: string): Thread {
  const known = shelf.threads.get(name);
  if (known !== undefined) return known;
  const thread = { next: 0, rows: new Map<number, Kept>() };
  shelf.threads.set(name, thread);
  return thread;
}
