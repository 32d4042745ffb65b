/**
 * A worker that goes on. The library's runner stops for good when it cannot say that a job is done, as when the server
 * restarts just then; here another takes its place, and the job is done again.
 */
import { EventEmitter } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import type { Runner, RunnerOptions, WorkerEvents } from "graphile-worker";
import { VarveError } from "../../errors.js";
import type { Worker } from "../queue.js";
import type { PostgresDatabase } from "./postgres-database.js";
import type { WorkerGuard } from "./postgres-worker-guard.js";

export interface PostgresWorkerOptions {
  readonly run: (options: RunnerOptions) => Promise<Runner>;
  readonly options: RunnerOptions;
  readonly guard: WorkerGuard;
  readonly database: PostgresDatabase;
}

const PAUSE = 1_000;

export async function startWorker(options: PostgresWorkerOptions): Promise<Worker> {
  const worker = new PostgresWorker(options);
  await worker.start();
  return worker;
}

class PostgresWorker implements Worker {
  readonly #options: PostgresWorkerOptions;
  #runner: Runner | undefined;
  #stopping: Promise<void> | undefined;
  ended: Promise<void> = Promise.resolve();

  constructor(options: PostgresWorkerOptions) {
    this.#options = options;
  }

  async start(): Promise<void> {
    const runs = await this.#run();
    this.ended = this.#goOn(runs);
    this.ended.catch(() => {});
  }

  stop(): Promise<void> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  async #stop(): Promise<void> {
    await this.#runner?.stop().catch(() => {});
    await this.ended.catch(() => {});
  }

  async #goOn(first: Run): Promise<void> {
    for (let run: Run | undefined = first; run !== undefined; run = await this.#next()) {
      await run.over;
      await this.#options.guard.remove(run.names);
    }
  }

  /** Waits for a server that is away as long as it takes. */
  async #next(): Promise<Run | undefined> {
    while (this.#stopping === undefined) {
      await wait(PAUSE);
      try {
        return this.#stopping === undefined ? await this.#run() : undefined;
      } catch (error) {
        if (!VarveError.isInstance(error) || !error.retryable) throw error;
      }
    }
    return undefined;
  }

  async #run(): Promise<Run> {
    const { run, options, guard, database } = this.#options;
    const events: WorkerEvents = new EventEmitter();
    const names: string[] = [];
    events.on("pool:create", ({ workerPool }) => names.push(workerPool.id));
    const runner = await database.persist(() => run({ ...options, events }));
    this.#runner = runner;
    if (this.#stopping !== undefined) await runner.stop().catch(() => {});
    await guard.add(names);
    return { names, over: runner.promise.catch(() => {}) };
  }
}

interface Run {
  /** What the queue's tables call those who do the jobs of this run. */
  readonly names: readonly string[];
  readonly over: Promise<void>;
}
