/** What can be asked of memories in PostgreSQL, but for searches. */
import { damagedMemory } from "../damage.js";
import { escaped, unescaped } from "../drivers/escaped-text.js";
import type { PostgresDatabase, Statement } from "../drivers/postgres-database.js";
import { intact } from "../drivers/postgres-schema.js";
import { storedId } from "../drivers/postgres-text.js";
import {
  type Found,
  type MemoryListOptions,
  type MemoryPage,
  type MemoryRow,
  type Place,
  type ScopeParts,
  scopeKey,
} from "./memories.js";
import { placeOfMark } from "./page-mark.js";
import { Bindings, rowCondition } from "./postgres-bindings.js";
import { markOf } from "./postgres-write.js";

const PAGE_SIZE = 100;

const COLUMNS = "m.id, s.key AS scope, m.thread, m.place, m.tags, m.time, m.until, m.speaker, m.keys, m.body";

interface StoredRow extends Omit<MemoryRow, "until"> {
  readonly until: number | null;
  /** Null where that is not known. */
  readonly intact: boolean | null;
}

export class PostgresRows {
  readonly #database: PostgresDatabase;
  readonly #schema: string;
  readonly #row: string;
  readonly #rows: string;

  /** The schema's name is quoted. */
  constructor(database: PostgresDatabase, schema: string) {
    this.#database = database;
    this.#schema = schema;
    this.#row = `${COLUMNS}, coalesce(${intact(schema, "m")}, true) AND coalesce(${intact(schema, "s")}, true) AS intact`;
    this.#rows = `${schema}.memories m JOIN ${schema}.memory_scopes s ON s.number = m.scope`;
  }

  /** One statement, and so one state: the version is that of these rows. */
  async find(scope: ScopeParts, keys: readonly string[]): Promise<Found> {
    const bindings = new Bindings();
    const own = bindings.bind(markOf(scopeKey(scope)), "text");
    const marks = bindings.bind(keys.map(markOf), "text[]");
    const text = `SELECT v.version, r.* FROM (
        SELECT coalesce(max(version), 0) AS version FROM ${this.#schema}.memory_scopes WHERE mark = ${own}
      ) v LEFT JOIN (
        SELECT m.number, ${this.#row} FROM ${this.#rows} WHERE ${rowCondition(scope, bindings)} AND EXISTS (
          SELECT FROM ${this.#schema}.memory_keys k WHERE k.mark = ANY (${marks}) AND k.scope = s.number AND k.memory = m.number
        )
      ) r ON true ORDER BY r.number`;
    const rows = await this.#query<StoredRow & { version: number; number: number | null }>(text, bindings);
    return { version: rows[0]!.version, rows: this.#intact(rows.filter(({ number }) => number !== null)) };
  }

  async get(scope: ScopeParts, ids: readonly string[]): Promise<MemoryRow[]> {
    const bindings = new Bindings();
    const wanted = bindings.bind(ids.map(storedId), "text[]");
    const text = `SELECT ${this.#row} FROM ${this.#rows} WHERE m.id = ANY (${wanted}) AND ${rowCondition(scope, bindings)}`;
    const rows = this.#intact(await this.#query<StoredRow>(text, bindings));
    const byId = new Map(rows.map((row) => [row.id, row]));
    return ids.flatMap((id) => byId.get(id) ?? []);
  }

  async at(places: readonly Place[]): Promise<MemoryRow[]> {
    const bindings = new Bindings();
    const columns = [
      bindings.bind(
        places.map(({ scope }) => markOf(scope)),
        "text[]",
      ),
      bindings.bind(
        places.map(({ thread }) => markOf(thread)),
        "text[]",
      ),
      bindings.bind(
        places.map(({ place }) => place),
        "integer[]",
      ),
    ];
    const text = `SELECT ${this.#row} FROM unnest(${columns}) WITH ORDINALITY AS wanted (scope, thread, place, n)
      JOIN ${this.#schema}.memory_scopes s ON s.mark = wanted.scope
      JOIN ${this.#schema}.memories m ON m.scope = s.number AND m.thread_mark = wanted.thread AND m.place = wanted.place
      ORDER BY n`;
    return this.#intact(await this.#query<StoredRow>(text, bindings));
  }

  async list(scope: ScopeParts, { after, limit = PAGE_SIZE, newest = false }: MemoryListOptions): Promise<MemoryPage> {
    const bindings = new Bindings();
    const behind =
      after === undefined ? "TRUE" : `m.number ${newest ? "<" : ">"} ${bindings.bind(placeOfMark(after), "bigint")}`;
    const text = `SELECT m.number, ${this.#row} FROM ${this.#rows} WHERE ${behind} AND ${rowCondition(scope, bindings)}
      ORDER BY m.number ${newest ? "DESC" : "ASC"} LIMIT ${bindings.bind(limit + 1, "integer")}`;
    const rows = await this.#query<StoredRow & { number: number }>(text, bindings);
    const page = rows.slice(0, limit);
    return { rows: this.#intact(page), next: rows.length > limit ? String(page.at(-1)!.number) : undefined };
  }

  async without(embedder: string, { after, limit }: { after?: string; limit: number }): Promise<MemoryRow[]> {
    const bindings = new Bindings();
    const text = `SELECT ${this.#row} FROM ${this.#rows} WHERE m.id > ${bindings.bind(escaped(after ?? ""), "text")} AND NOT EXISTS (
        SELECT FROM ${this.#schema}.memory_embedded JOIN ${this.#schema}.memory_embedders e ON e.number = embedder
        WHERE memory = m.number AND e.name = ${bindings.bind(escaped(embedder), "text")}
      ) ORDER BY m.id LIMIT ${bindings.bind(limit, "integer")}`;
    return this.#intact(await this.#query<StoredRow>(text, bindings));
  }

  async embedders(): Promise<Map<string, number>> {
    const embedded = `${this.#schema}.memory_embedded`;
    const text = `SELECT e.name, count(*) AS rows
      FROM ${this.#schema}.memory_embedders e JOIN ${embedded} ON embedder = e.number GROUP BY e.name
      UNION ALL SELECT '', count(*) FROM ${this.#schema}.memories m
      WHERE NOT EXISTS (SELECT FROM ${embedded} WHERE memory = m.number) HAVING count(*) > 0`;
    const counts = await this.#query<{ name: string; rows: number }>(text, new Bindings());
    return new Map(counts.map(({ name, rows }) => [unescaped(name), rows]));
  }

  /** What is damaged is told and left out. */
  #intact(rows: readonly StoredRow[]): MemoryRow[] {
    for (const { id } of rows.filter((row) => !row.intact)) this.#database.tell(damagedMemory(unescaped(id)));
    return rows.filter((row) => row.intact).map(rowOf);
  }

  #query<Row>(text: string, { values }: Bindings): Promise<readonly Row[]> {
    const statement: Statement = { text, values };
    return this.#database.repeatable<Row>(statement);
  }
}

const rowOf = ({ id, scope, thread, place, tags, time, until, speaker, keys, body }: StoredRow): MemoryRow => ({
  ...{ id: unescaped(id), scope, thread: unescaped(thread), place, tags: tags.map(unescaped), time },
  ...{ until: until ?? undefined, speaker: unescaped(speaker), keys: keys.map(unescaped), body },
});
