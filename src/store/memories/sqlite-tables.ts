import type { VarveError } from "../../errors.js";
import type { SqliteConnection } from "../drivers/sqlite-connection.js";

export type SqliteValue = string | number | null | Uint8Array;
export type SqliteRow = Readonly<Record<string, unknown>>;

/** Statements on the tables, within the transaction of their caller. */
export class SqliteTables {
  readonly #connection: SqliteConnection;

  constructor(connection: SqliteConnection) {
    this.#connection = connection;
  }

  /** Says once what is damaged. */
  tell(damage: VarveError): void {
    this.#connection.tell(damage);
  }

  get(sql: string, ...values: SqliteValue[]): SqliteRow | undefined {
    return this.#connection.prepare(sql).get(...values);
  }

  all(sql: string, ...values: SqliteValue[]): SqliteRow[] {
    return this.#connection.prepare(sql).all(...values);
  }

  /** One number of the first row; undefined where there is no row. */
  number(sql: string, ...values: SqliteValue[]): number | undefined {
    const row = this.get(sql, ...values);
    return row && Number(Object.values(row)[0]);
  }

  /** How many rows it changed. */
  run(sql: string, ...values: SqliteValue[]): number {
    return Number(this.#connection.prepare(sql).run(...values).changes);
  }

  /** The number that the added row got; undefined where a conflict kept it out. */
  tryInsert(sql: string, ...values: SqliteValue[]): number | undefined {
    const { changes, lastInsertRowid } = this.#connection.prepare(sql).run(...values);
    return changes === 0 ? undefined : Number(lastInsertRowid);
  }

  /** The number that the added row got. */
  insert(sql: string, ...values: SqliteValue[]): number {
    return Number(this.#connection.prepare(sql).run(...values).lastInsertRowid);
  }
}
