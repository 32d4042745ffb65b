import { escaped } from "../drivers/escaped-text.js";
import type { Amendment, NewMemory, RowVectors } from "./memories.js";
import { SqliteKeyWriter } from "./sqlite-key-writer.js";
import { memorySum, memoryWith } from "./sqlite-memory-row.js";
import type { SqlitePassages } from "./sqlite-passages.js";
import { type Shelf, SqliteShelfWriter } from "./sqlite-shelf-writer.js";
import type { SqliteShelves } from "./sqlite-shelves.js";
import type { SqliteTables, SqliteValue } from "./sqlite-tables.js";
import { SqliteVectorWriter, type VectorOwner } from "./sqlite-vector-writer.js";
import type { SqliteVectors } from "./sqlite-vectors.js";

/** The parts of the file that belong to rows. */
export interface MemoryParts {
  readonly tables: SqliteTables;
  readonly shelves: SqliteShelves;
  readonly passages: SqlitePassages;
  readonly vectors: SqliteVectors;
}

/** A row that is there, as far as writing needs it. */
interface Standing extends VectorOwner {
  readonly number: number;
  readonly thread: number;
  readonly place: number;
  readonly keys: string;
  readonly body: string;
}

const FIELDS = ["shelf", "thread", "place", "time", "until", "speaker", "first", "passages", "keys", "body", "sum"];
const INSERT = `INSERT INTO memories (${FIELDS.join(", ")}, id) VALUES (${"?, ".repeat(FIELDS.length)}?)
  ON CONFLICT (id) DO NOTHING`;
const UPDATE = `UPDATE memories SET ${FIELDS.map((field) => `${field} = ?`).join(", ")} WHERE number = ?`;

/** A row has a passage at least, so that it has a number for its vectors. */
const NO_PASSAGE = [[]];

/** Writes rows with all that belongs to them, in one transaction; `finish` comes last. */
export class SqliteMemoryWriter {
  readonly #parts: MemoryParts;
  readonly #shelves: SqliteShelfWriter;
  readonly #vectors: SqliteVectorWriter;
  readonly #keys: SqliteKeyWriter;
  #nextPassage: number | undefined;

  constructor(parts: MemoryParts) {
    this.#parts = parts;
    this.#shelves = new SqliteShelfWriter(parts.tables);
    this.#vectors = new SqliteVectorWriter(parts.tables, parts.vectors);
    this.#keys = new SqliteKeyWriter(parts.tables);
  }

  put(memory: NewMemory): void {
    const passages = memory.passages.length === 0 ? NO_PASSAGE : memory.passages;
    const shelf = this.#shelves.shelf(memory.scope, memory.tags);
    const owner = { shelf: shelf.number, first: this.#takePassages(passages.length), passages: passages.length };
    const number = this.#insert(memory, owner) ?? this.#replace(memory, owner);
    this.#parts.passages.add({ memory: number, first: owner.first, owners: shelf.owners }, passages);
    this.#vectors.add(owner, memory.vectors);
    this.#keys.add({ number, shelf: owner.shelf }, memory.keys);
    this.#count(shelf, passages);
  }

  /** One that is damaged stays as it is. */
  amend({ id, until, keys, body }: Amendment): void {
    const row = this.#find(id);
    const memory = row && memoryWith(this.#parts.tables, id);
    if (row === undefined || memory === undefined) return;
    this.#keys.remove(row, keysOf(row));
    const sum = memorySum({ ...memory, until, keys: JSON.stringify(keys), body });
    const sql = "UPDATE memories SET until = ?, keys = ?, body = ?, sum = ? WHERE number = ?";
    this.#parts.tables.run(sql, until ?? null, JSON.stringify(keys), body, sum, row.number);
    this.#keys.add(row, keys);
  }

  remove(id: string): void {
    const row = this.#find(id);
    if (row === undefined) return;
    this.#clear(row);
    this.#parts.tables.run("DELETE FROM memories WHERE number = ?", row.number);
    this.#shelves.dropThread(row.thread);
  }

  addVectors(embedder: string, { id, body, values }: RowVectors): void {
    const row = this.#find(id);
    if (row?.body === body) this.#vectors.replace(row, embedder, values);
  }

  finish(): void {
    this.#shelves.finish();
    this.#vectors.finish();
    this.#keys.finish();
  }

  #find(id: string): Standing | undefined {
    const sql = "SELECT number, shelf, thread, place, first, passages, keys, body FROM memories WHERE id = ?";
    return this.#parts.tables.get(sql, escaped(id)) as unknown as Standing | undefined;
  }

  /** Returns the number of the first. */
  #takePassages(count: number): number {
    const first = this.#nextPassage ?? this.#parts.passages.next();
    this.#nextPassage = first + count;
    return first;
  }

  /** Returns the number of the new row; undefined where there is one with this id. */
  #insert(memory: NewMemory, owner: VectorOwner): number | undefined {
    const thread = this.#shelves.thread(memory.scope, memory.thread);
    const values = valuesOf(memory, owner, { thread: thread.number, place: thread.next });
    const number = this.#parts.tables.tryInsert(INSERT, ...values, escaped(memory.id));
    if (number !== undefined) thread.next++;
    return number;
  }

  /** Returns the number of the row with this id; one that stays in its thread keeps its place. */
  #replace(memory: NewMemory, owner: VectorOwner): number {
    const before = this.#find(memory.id)!;
    this.#clear(before);
    const thread = this.#shelves.thread(memory.scope, memory.thread);
    const place = before.thread === thread.number ? before.place : thread.next++;
    this.#parts.tables.run(UPDATE, ...valuesOf(memory, owner, { thread: thread.number, place }), before.number);
    if (before.thread !== thread.number) this.#shelves.dropThread(before.thread);
    return before.number;
  }

  #count({ number }: Shelf, passages: NewMemory["passages"]): void {
    const terms = passages.reduce((sum, { length }) => sum + length, 0);
    this.#shelves.count(number, { rows: 1, passages: passages.length, terms });
  }

  /** Takes out all that a row is found by. */
  #clear(row: Standing): void {
    this.#keys.remove(row, keysOf(row));
    this.#vectors.remove(row);
    const terms = this.#parts.passages.remove(row);
    this.#shelves.count(row.shelf, { rows: -1, passages: -row.passages, terms: -terms });
  }
}

/** The values of `FIELDS`. */
function valuesOf(
  memory: NewMemory,
  { shelf, first, passages }: VectorOwner,
  { thread, place }: Pick<Standing, "thread" | "place">,
): SqliteValue[] {
  const { time, until, speaker, body } = memory;
  const keys = JSON.stringify(memory.keys);
  const sum = memorySum({ ...memory, place, keys });
  return [shelf, thread, place, time, until ?? null, escaped(speaker), first, passages, keys, body, sum];
}

const keysOf = ({ keys }: Standing): readonly string[] => JSON.parse(keys);
