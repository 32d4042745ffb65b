/**
 * Tells living workers from dead ones. A worker holds an advisory lock through a connection of its own: the server takes
 * it away when the process ends, however it ends. Jobs that are held by a worker without its lock are set free.
 */
import type { Pool, PooledConnection } from "./postgres-database.js";
import { quoted } from "./postgres-schema.js";

export interface GuardOptions {
  readonly pool: Pool;
  /** The queue's schema. */
  readonly schema: string;
  /** Milliseconds between sweeps, and those that a worker has to take its lock after it took a job. */
  readonly sweepEvery: number;
}

export class WorkerGuard {
  readonly #options: GuardOptions;
  readonly #workers = new Set<string>();
  readonly #timer: NodeJS.Timeout;
  #connection: PooledConnection | undefined;
  #turn: Promise<void> = Promise.resolve();

  constructor(options: GuardOptions) {
    this.#options = options;
    this.#timer = setInterval(() => this.#sweep(), options.sweepEvery).unref();
  }

  /** Vouches for workers of this process as long as it lives; where the server is away, from the next sweep. */
  async add(workers: readonly string[]): Promise<void> {
    for (const worker of workers) this.#workers.add(worker);
    await this.#each(workers, "pg_advisory_lock").catch(() => {});
  }

  /** Leaves workers that have ended: what they still hold is for others. */
  async remove(workers: readonly string[]): Promise<void> {
    for (const worker of workers) this.#workers.delete(worker);
    if (this.#connection !== undefined) await this.#each(workers, "pg_advisory_unlock").catch(() => {});
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#turn;
    this.#connection?.release(true);
    this.#connection = undefined;
  }

  #each(workers: readonly string[], act: LockFunction): Promise<void> {
    return this.#next(async (connection) => {
      for (const worker of workers) await call(connection, act, [this.#options.schema, worker]);
    });
  }

  /** A sweep that fails, as when the server is away, is made up for by the next. */
  #sweep(): void {
    if (this.#workers.size === 0) return;
    const { schema, sweepEvery } = this.#options;
    const statement = { text: sweepStatement(schema), values: [schema, `${sweepEvery} milliseconds`] };
    this.#next((connection) => connection.query(statement)).catch(() => {});
  }

  /** One thing at a time, on the one connection that holds the locks. */
  #next(work: (connection: PooledConnection) => Promise<unknown>): Promise<void> {
    const turn = this.#turn.then(async () => {
      const connection = await this.#connect();
      try {
        await work(connection);
      } catch (error) {
        this.#connection = undefined;
        connection.release(true);
        throw error;
      }
    });
    this.#turn = turn.catch(() => {});
    return turn;
  }

  async #connect(): Promise<PooledConnection> {
    if (this.#connection !== undefined) return this.#connection;
    const connection = await this.#options.pool.connect();
    for (const worker of this.#workers) await call(connection, "pg_advisory_lock", [this.#options.schema, worker]);
    this.#connection = connection;
    return connection;
  }
}

type LockFunction = "pg_advisory_lock" | "pg_advisory_unlock";

const call = (connection: PooledConnection, act: LockFunction, values: readonly [schema: string, worker: string]) =>
  connection.query({ text: `SELECT ${act}(hashtext($1), hashtext($2))`, values });

/**
 * A worker takes its lock just after it is made, and again after the server came back: both are given time. The
 * statement does no harm to a worker that is alive.
 */
const sweepStatement = (schema: string): string => `
SELECT ${quoted(schema)}.force_unlock_workers(array_agg(id))
FROM (
  SELECT DISTINCT locked_by AS id FROM ${quoted(schema)}.jobs
  WHERE locked_at < now() - $2::interval
    AND (locked_at > pg_postmaster_start_time() OR now() > pg_postmaster_start_time() + interval '10 seconds')
) holders
WHERE NOT EXISTS (
  SELECT FROM pg_locks
  WHERE locktype = 'advisory' AND granted AND objsubid = 2
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
    AND classid = hashtext($1)::oid AND objid = hashtext(id)::oid
)
HAVING count(*) > 0`;
