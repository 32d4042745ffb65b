import { randomUUID } from "node:crypto";
import type { RunnerOptions, WorkerUtils } from "graphile-worker";
import type { Pool as PgPool } from "pg";
import { VarveError } from "../../errors.js";
import { checkNames, type OptionNames } from "../../message/option-names.js";
import type { EnqueueOptions, JobHandler, Queue, Worker, WorkOptions } from "../queue.js";
import { openPool, type Pool, PostgresDatabase } from "./postgres-database.js";
import { postgresError } from "./postgres-errors.js";
import { lockSchema } from "./postgres-migrations.js";
import { POSTGRES_OPTIONS, type PostgresOptions, postgresSettings } from "./postgres-options.js";
import { startWorker } from "./postgres-worker.js";
import { WorkerGuard } from "./postgres-worker-guard.js";

export interface PostgresQueueOptions extends PostgresOptions {
  /** Milliseconds between looks for jobs whose worker died; 5,000 unless given. */
  readonly sweepEvery?: number;
}

const SWEEP_EVERY = 5_000;
const OPTIONS: OptionNames<PostgresQueueOptions> = { ...POSTGRES_OPTIONS, sweepEvery: true };

/** Workers hold a connection for each kind of job for good, so that they must not run out of them. */
const WORKERS = 100;

/** Only so does a runner that is stopped wait until it has said which jobs are done. */
const PRESET = { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } };

/**
 * A queue in a PostgreSQL database, in a schema beside that of the sessions: `varve_queue`. It needs the package
 * `graphile-worker`, and connections that are the server's own: a pooler that shares them between transactions takes the
 * locks away by which a worker is known to be alive.
 *
 * @example
 * ```ts
 * const queue = await postgresQueue({ url: "postgres://ann@db.example/agents" });
 * await queue.work("greet", async ({ payload }) => console.log(payload));
 * await queue.enqueue("greet", { name: "Ann" });
 * ```
 */
export async function postgresQueue(options: PostgresQueueOptions): Promise<Queue> {
  checkNames(options, OPTIONS, "postgresQueue");
  const { sweepEvery = SWEEP_EVERY } = options;
  const library = await loadLibrary();
  const settings = postgresSettings(options);
  const database = await PostgresDatabase.open(settings);
  const pool = await openPool({ ...settings, poolSize: WORKERS });
  try {
    const schema = `${settings.schema}_queue`;
    const shared = { pgPool: pool as PgPool, schema, preset: PRESET, logger: new library.Logger(() => () => {}) };
    await prepare(database, () => library.runMigrations(shared));
    const utilities = await library.makeWorkerUtils({ ...shared, pgPool: database.pool as PgPool });
    const guard = new WorkerGuard({ pool, schema, sweepEvery });
    return new PostgresQueue({ library, database, pool, shared, utilities, guard });
  } catch (error) {
    await Promise.all([database.close(), pool.end()]);
    throw postgresError(error, settings.place);
  }
}

/** Makes the queue's tables, one process at a time. */
async function prepare(database: PostgresDatabase, migrate: () => Promise<void>): Promise<void> {
  await database.first({ text: "SELECT" });
  await database.transaction(async (connection) => {
    await lockSchema(connection, database.settings);
    await migrate();
  });
}

type Library = typeof import("graphile-worker");

/** The library is needed by few and is not small, so that who wants a queue brings it. */
async function loadLibrary(): Promise<Library> {
  try {
    return await import("graphile-worker");
  } catch (cause) {
    throw new VarveError({
      code: "store-failed",
      message: "The queue needs the package graphile-worker.",
      hint: "Install it: npm install graphile-worker@0.17.3",
      cause,
    });
  }
}

interface Parts {
  readonly library: Library;
  readonly database: PostgresDatabase;
  readonly pool: Pool;
  readonly shared: RunnerOptions;
  readonly utilities: WorkerUtils;
  readonly guard: WorkerGuard;
}

class PostgresQueue implements Queue {
  readonly #parts: Parts;
  readonly #workers = new Set<Worker>();
  #closing: Promise<void> | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** The job has a key in any case, so that one that is sent again takes the place of the first. */
  async enqueue(kind: string, payload: unknown, options: EnqueueOptions = {}): Promise<void> {
    const { key = randomUUID(), delay = 0, attempts } = options;
    const runAt = delay > 0 ? { runAt: new Date(Date.now() + delay) } : {};
    const specification = { jobKey: JSON.stringify([kind, key]), ...runAt, ...(attempts && { maxAttempts: attempts }) };
    const { database, utilities } = this.#parts;
    await database.persist(() => utilities.addJob(kind, { payload }, specification));
  }

  async work(kind: string, handler: JobHandler, { concurrency = 1 }: WorkOptions = {}): Promise<Worker> {
    const { library, shared, guard, database } = this.#parts;
    const options = { ...shared, concurrency, noHandleSignals: true, taskList: { [kind]: task(kind, handler) } };
    const worker = await startWorker({ run: library.run, options, guard, database });
    this.#workers.add(worker);
    return worker;
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    const { guard, utilities, pool, database } = this.#parts;
    await Promise.all([...this.#workers].map((worker) => worker.stop()));
    await guard.close();
    await utilities.release();
    await Promise.all([pool.end(), database.close()]);
  }
}

type Task = NonNullable<RunnerOptions["taskList"]>[string];

const task =
  (kind: string, handler: JobHandler): Task =>
  async (body, { job, abortSignal }) => {
    const { payload } = body as { payload: unknown };
    await handler({ id: String(job.id), kind, payload, attempt: job.attempts, signal: abortSignal });
  };
