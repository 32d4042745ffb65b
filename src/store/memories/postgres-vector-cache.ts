/**
 * The codes of one embedder's vectors in this process, as a search finds them at the server: what was written since the
 * last time is loaded first, known by the transactions that wrote it. What was removed stays until somebody says so.
 */

import type { PostgresDatabase } from "../drivers/postgres-database.js";
import { quoted } from "../drivers/postgres-schema.js";
import { VectorTable } from "../vectors/vector-table.js";
import { Bindings, passageCondition, type SearchRange } from "./postgres-bindings.js";
import type { AskedEmbedder } from "./postgres-vectors.js";

/** Rows loaded at once. */
const PAGE = 10_000;

interface CodeRow {
  /** The first transaction that is still under way. */
  readonly horizon: string;
  readonly passage: number;
  readonly scope: number;
  readonly codes: Buffer | null;
  readonly scale: number;
}

export class VectorCache {
  readonly table: VectorTable;
  readonly #database: PostgresDatabase;
  readonly #embedder: number;
  /** Everything that earlier transactions wrote is loaded. */
  #horizon = "0";
  /** By a scope's number, which may be large, its number in the table. */
  readonly #groups = new Map<number, number>();
  #turn: Promise<void> = Promise.resolve();

  constructor(database: PostgresDatabase, { number, dimensions }: AskedEmbedder) {
    this.#database = database;
    this.#embedder = number;
    this.table = new VectorTable(dimensions);
  }

  /** Loads what was written until now, one load at a time. */
  catchUp(): Promise<void> {
    const turn = this.#turn.then(() => this.#load());
    this.#turn = turn.catch(() => {});
    return turn;
  }

  groupsOf(scopes: readonly number[]): number[] {
    return scopes.flatMap((scope) => this.#groups.get(scope) ?? []);
  }

  /** A table of only those vectors that are in a range: for one that leaves nearly all of them out. */
  async only(range: SearchRange): Promise<VectorTable> {
    const bindings = new Bindings();
    const source = `${this.#name("memory_vectors")} v JOIN ${this.#name("memory_passages")} p ON p.number = v.passage`;
    const condition = passageCondition(range, bindings);
    const table = new VectorTable(this.table.dimensions);
    for await (const rows of this.#pages({ source, condition, bindings })) fill(table, rows);
    return table;
  }

  /** Rows become visible in another order than that of their transactions: the horizon is the first still under way. */
  async #load(): Promise<void> {
    const bindings = new Bindings();
    const condition = `v.change >= ${bindings.bind(this.#horizon, "xid8")}`;
    let horizon: string | undefined;
    for await (const rows of this.#pages({ source: `${this.#name("memory_vectors")} v`, condition, bindings })) {
      fill(this.table, rows, ({ scope }) => this.#groupOf(scope));
      horizon ??= rows[0]?.horizon;
    }
    this.#horizon = horizon ?? this.#horizon;
  }

  /** Each page has a row at least, so that it can say how late it is; one without a passage is none. */
  async *#pages({ source, condition, bindings }: PageSource): AsyncGenerator<readonly CodeRow[]> {
    const embedder = bindings.bind(this.#embedder, "integer");
    const after = bindings.values.length;
    const text = `SELECT horizon, passage, scope, codes, scale
      FROM (SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS horizon) now LEFT JOIN (
        SELECT v.passage, v.scope, v.codes, v.scale FROM ${source}
        WHERE v.embedder = ${embedder} AND ${condition} AND v.passage > ${bindings.bind(0, "bigint")}
        ORDER BY v.passage LIMIT ${PAGE}
      ) page ON true ORDER BY passage`;
    for (let last: number | undefined = 0; last !== undefined; ) {
      const values: unknown[] = bindings.values.with(after, last);
      const rows: readonly CodeRow[] = await this.#database.repeatable<CodeRow>({ text, values });
      yield rows;
      last = rows.length < PAGE ? undefined : rows.at(-1)!.passage;
    }
  }

  #groupOf(scope: number): number {
    const known = this.#groups.get(scope) ?? this.#groups.size;
    this.#groups.set(scope, known);
    return known;
  }

  #name(table: string): string {
    return `${quoted(this.#database.settings.schema)}.${table}`;
  }
}

interface PageSource {
  readonly source: string;
  readonly condition: string;
  readonly bindings: Bindings;
}

function fill(table: VectorTable, rows: readonly CodeRow[], groupOf: (row: CodeRow) => number = () => 0): void {
  const whole = rows.filter(({ codes }) => codes?.length === table.dimensions);
  const codes = new Int8Array(whole.length * table.dimensions);
  for (const [at, row] of whole.entries()) codes.set(new Int8Array(row.codes!), at * table.dimensions);
  const keys = whole.map(({ passage }) => passage);
  table.load({ keys, codes, scales: whole.map(({ scale }) => scale), groups: whole.map(groupOf) });
}
