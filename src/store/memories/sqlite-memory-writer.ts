import { escaped } from "../drivers/escaped-text.js";
import type { Amendment, NewMemory, RowVectors } from "./memories.js";
import { SqliteKeyWriter } from "./sqlite-key-writer.js";
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

const FIELDS = ["shelf", "thread", "place", "time", "until", "speaker", "first", "passages", "keys", "body"];
const INSERT = `INSERT INTO memories (${FIELDS.join(", ")}, id) VALUES (${"?, ".repeat(FIELDS.length)}?)`;
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
    const before = this.#find(memory.id);
    if (before !== undefined) this.#clear(before);
    const passages = memory.passages.length === 0 ? NO_PASSAGE : memory.passages;
    const shelf = this.#shelves.shelf(memory.scope, memory.tags);
    const owner = { shelf: shelf.number, first: this.#takePassages(passages.length), passages: passages.length };
    const number = this.#write(memory, owner, before);
    this.#parts.passages.add({ memory: number, first: owner.first, owners: shelf.owners }, passages);
    this.#vectors.add(owner, memory.vectors);
    this.#keys.add({ number, shelf: owner.shelf }, memory.keys);
    this.#count(shelf, passages);
  }

  amend({ id, until, keys, body }: Amendment): void {
    const row = this.#find(id);
    if (row === undefined) return;
    this.#keys.remove(row, keysOf(row));
    const sql = "UPDATE memories SET until = ?, keys = ?, body = ? WHERE number = ?";
    this.#parts.tables.run(sql, until ?? null, JSON.stringify(keys), body, row.number);
    this.#keys.add(row, keys);
  }

  remove(id: string): void {
    const row = this.#find(id);
    if (row === undefined) return;
    this.#clear(row);
    this.#parts.tables.run("DELETE FROM memories WHERE number = ?", row.number);
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

  /** Returns the row's number; one that stays in its thread keeps its place. */
  #write(memory: NewMemory, { shelf, first, passages }: VectorOwner, before: Standing | undefined): number {
    const { time, until = null, speaker, keys, body } = memory;
    const thread = this.#shelves.thread(memory.scope, memory.thread);
    const place = before?.thread === thread.number ? before.place : thread.next++;
    const rest = [time, until, escaped(speaker), first, passages, JSON.stringify(keys), body];
    const values: SqliteValue[] = [shelf, thread.number, place, ...rest];
    if (before === undefined) return this.#parts.tables.insert(INSERT, ...values, escaped(memory.id));
    this.#parts.tables.run(UPDATE, ...values, before.number);
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

const keysOf = ({ keys }: Standing): readonly string[] => JSON.parse(keys);
