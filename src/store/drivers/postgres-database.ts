/**
 * The connections to one server. A statement that may be sent twice without harm is sent again, on another connection,
 * while the server is away; any other is sent again only where it certainly never arrived.
 */
import { setTimeout as wait } from "node:timers/promises";
import type { VarveError } from "../../errors.js";
import { closedStore } from "../store-errors.js";
import { codeOf, isPassing, postgresError } from "./postgres-errors.js";
import type { PostgresSettings } from "./postgres-options.js";

export interface Statement {
  readonly text: string;
  readonly values?: readonly unknown[];
  /** Rows as lists rather than objects: less work for many rows. */
  readonly rowMode?: "array";
}

/** One connection, or what stands for any. */
export interface Connection {
  query(statement: Statement): Promise<{ readonly rows: readonly unknown[] }>;
}

export interface PooledConnection extends Connection {
  release(broken?: boolean): void;
}

export interface Pool extends Connection {
  connect(): Promise<PooledConnection>;
  end(): Promise<void>;
}

/** What PostgreSQL calls the type of its 64-bit numbers; those that are kept here stay far below 2^53. */
const INT8 = 20;
const STARTING_UP = "57P03";
const FIRST_PAUSE = 50;
const LONGEST_PAUSE = 1_000;
/** A client waits longer than the server lets a statement run, so that it gives up only on a connection that is dead. */
const GRACE = 5_000;

export class PostgresDatabase {
  readonly settings: PostgresSettings;
  readonly pool: Pool;
  readonly #told = new Set<string>();
  #closing: Promise<void> | undefined;

  readonly #isPassing = (error: unknown): boolean => isPassing(error, this.settings.place);

  private constructor(settings: PostgresSettings, pool: Pool) {
    this.settings = settings;
    this.pool = pool;
  }

  static async open(settings: PostgresSettings): Promise<PostgresDatabase> {
    const { default: pg } = await import("pg");
    const numbers = (type: number, format?: "text" | "binary") =>
      type === INT8 ? Number : pg.types.getTypeParser(type, format);
    return new PostgresDatabase(settings, await openPool(settings, { getTypeParser: numbers }));
  }

  /** Says once what is damaged. */
  tell(damage: VarveError): void {
    if (!this.#told.has(damage.message)) this.settings.onWarning(damage);
    this.#told.add(damage.message);
  }

  /** Runs a statement that does no harm when it is carried out twice. */
  repeatable<Row>(statement: Statement): Promise<readonly Row[]> {
    return this.persist(async () => (await this.pool.query(statement)).rows as readonly Row[]);
  }

  /** Runs the first statement of all: where there is no server, to say so is better than to wait for one. */
  first<Row>(statement: Statement): Promise<readonly Row[]> {
    const work = async () => (await this.pool.query(statement)).rows as readonly Row[];
    return this.persist(work, (error) => codeOf(error) === STARTING_UP);
  }

  /** Runs a statement whose answer would be another the second time. */
  async once<Row>(statement: Statement): Promise<readonly Row[]> {
    const connection = await this.persist(() => this.pool.connect());
    try {
      return (await released(connection, () => connection.query(statement))).rows as readonly Row[];
    } catch (error) {
      throw postgresError(error, this.settings.place);
    }
  }

  /** Runs work in one transaction; the work does no harm when it is done twice. */
  transaction<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    return this.persist(async () => {
      const connection = await this.pool.connect();
      return released(connection, async () => {
        await connection.query({ text: "BEGIN ISOLATION LEVEL READ COMMITTED" });
        const result = await work(connection);
        await connection.query({ text: "COMMIT" });
        return result;
      });
    });
  }

  /**
   * Does work that does no harm when it is done twice, and again while the server is away, or while an error is one of
   * those that are waited for.
   */
  async persist<T>(work: () => Promise<T>, waitsFor = this.#isPassing): Promise<T> {
    const { place, retryFor } = this.settings;
    const deadline = Date.now() + retryFor;
    for (let pause = FIRST_PAUSE; ; pause = Math.min(2 * pause, LONGEST_PAUSE)) {
      if (this.#closing !== undefined) throw closedStore();
      try {
        return await work();
      } catch (error) {
        if (!waitsFor(error) || Date.now() + pause > deadline) throw postgresError(error, place);
      }
      await wait(pause * (0.5 + Math.random() / 2));
    }
  }

  close(): Promise<void> {
    this.#closing ??= this.pool.end();
    return this.#closing;
  }
}

/** Gives a connection back after the work, or away where the work failed: nobody knows what state it is in. */
async function released<T>(connection: PooledConnection, work: () => Promise<T>): Promise<T> {
  let done = false;
  try {
    const result = await work();
    done = true;
    return result;
  } finally {
    connection.release(!done);
  }
}

interface TypeParsers {
  getTypeParser(type: number, format?: "text" | "binary"): (value: string) => unknown;
}

/** Connections of one's own to the server of these settings. */
export async function openPool(settings: PostgresSettings, types?: TypeParsers): Promise<Pool> {
  const { default: pg } = await import("pg");
  const { url, poolSize, statementTimeout, connectTimeout } = settings;
  const pool = new pg.Pool({
    connectionString: url,
    max: poolSize,
    connectionTimeoutMillis: connectTimeout,
    ...(statementTimeout > 0 && { statement_timeout: statementTimeout, query_timeout: statementTimeout + GRACE }),
    keepAlive: true,
    allowExitOnIdle: true,
    fallback_application_name: "varve",
    ...(types && { types }),
  });
  // A connection may break while no statement is under way: the next statement finds out. Unheard, it ends the process.
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
  return pool;
}
