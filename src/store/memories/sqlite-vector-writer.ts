import { quantise } from "../vectors/quantise.js";
import type { PassageRange } from "./sqlite-passages.js";
import type { SqliteTables } from "./sqlite-tables.js";
import { deleteVectors, type KnownEmbedder, PASSAGES, type SqliteVectors } from "./sqlite-vectors.js";
import { otherSize } from "./vector-set.js";

/** A row that vectors are given to. */
export interface VectorOwner extends PassageRange {
  readonly shelf: number;
}

/** A row whose vectors are none, for want of text, has an empty one in the place of its first, and no codes. */
const NO_CODE = 0;
const INSERT_VECTOR = "INSERT INTO memory_vectors (place, code, vector) VALUES (?, ?, ?)";
const INSERT_CODES = "INSERT INTO memory_codes (place, shelf, scale, codes) VALUES (?, ?, ?, ?)";

/** Writes the vectors of the rows of one transaction. The counts of rows by embedder are written once, by `finish`. */
export class SqliteVectorWriter {
  readonly #tables: SqliteTables;
  readonly #vectors: SqliteVectors;
  readonly #embedders = new Map<string, KnownEmbedder>();
  readonly #counts = new Map<number, number>();

  constructor(tables: SqliteTables, vectors: SqliteVectors) {
    this.#tables = tables;
    this.#vectors = vectors;
  }

  /** A row has come, with its vectors if there are any. */
  add(owner: VectorOwner, vectors: { embedder: string; values: readonly Float32Array[] } | undefined): void {
    const embedder = vectors && this.#embedder(vectors.embedder, vectors.values);
    this.#count(embedder?.number ?? 0, 1);
    if (embedder !== undefined) this.#insertAll(owner, embedder, vectors!.values);
  }

  /** Gives a row that is there vectors, in the place of those that it has of this embedder. */
  replace(owner: VectorOwner, name: string, values: readonly Float32Array[]): void {
    const embedder = this.#embedder(name, values);
    const before = this.#vectors.holders(owner);
    if (before.includes(embedder.number)) this.#delete(embedder.number, owner);
    else this.#count(embedder.number, 1);
    if (before.length === 0) this.#count(0, -1);
    this.#insertAll(owner, embedder, values);
  }

  /** A row goes, and its vectors with it. */
  remove(range: PassageRange): void {
    const holders = this.#vectors.holders(range);
    for (const embedder of holders) {
      this.#delete(embedder, range);
      this.#count(embedder, -1);
    }
    if (holders.length === 0) this.#count(0, -1);
  }

  finish(): void {
    const sql = "UPDATE memory_embedders SET rows = rows + ? WHERE number = ?";
    for (const [embedder, change] of this.#counts) this.#tables.run(sql, change, embedder);
  }

  #embedder(name: string, [vector]: readonly Float32Array[]): KnownEmbedder {
    const known = this.#embedders.get(name);
    if (known !== undefined && (known.dimensions > 0 || vector === undefined)) return known;
    const embedder = this.#vectors.make(name, vector?.length ?? 0);
    this.#embedders.set(name, embedder);
    return embedder;
  }

  #insertAll(owner: VectorOwner, embedder: KnownEmbedder, values: readonly Float32Array[]): void {
    const place = embedder.number * PASSAGES + owner.first;
    if (values.length === 0) this.#tables.run(INSERT_VECTOR, place, NO_CODE, new Uint8Array());
    for (const [at, vector] of values.slice(0, owner.passages).entries()) {
      if (vector.length !== embedder.dimensions) throw otherSize(embedder.name, embedder.dimensions, vector.length);
      this.#insert(place + at, owner.shelf, vector);
    }
  }

  #insert(place: number, shelf: number, vector: Float32Array): void {
    const { codes, scale } = quantise(vector);
    const code = this.#tables.insert(INSERT_CODES, place, shelf, scale, bytesOf(codes));
    this.#tables.run(INSERT_VECTOR, place, code, bytesOf(vector));
  }

  #delete(embedder: number, { first, passages }: PassageRange): void {
    const from = embedder * PASSAGES + first;
    deleteVectors(this.#tables, { from, to: from + passages, limit: passages });
  }

  #count(embedder: number, change: number): void {
    this.#counts.set(embedder, (this.#counts.get(embedder) ?? 0) + change);
  }
}

const bytesOf = (numbers: Float32Array | Int8Array): Uint8Array =>
  new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
