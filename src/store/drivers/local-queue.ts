import { randomUUID } from "node:crypto";
import { checkNames, type OptionNames } from "../../message/option-names.js";
import type { EnqueueOptions, JobHandler, Queue, Worker, WorkOptions } from "../queue.js";
import { closedStore } from "../store-errors.js";

export interface LocalQueueOptions {
  /** Milliseconds before a job that failed is tried again, doubled each time; 1,000 unless given. */
  readonly pause?: number;
}

const PAUSE = 1_000;
const OPTIONS: OptionNames<LocalQueueOptions> = { pause: true };
const LONGEST_PAUSE = 10 * 60_000;
const ATTEMPTS = 25;

/**
 * A queue within this process, for stores that have none of their own: what is in it when the process ends is lost, so
 * whoever enqueues must be able to find out again what is to be done.
 *
 * @example
 * ```ts
 * const queue = localQueue();
 * await queue.work("greet", async ({ payload }) => console.log(payload));
 * await queue.enqueue("greet", { name: "Ann" });
 * ```
 */
export function localQueue(options: LocalQueueOptions = {}): Queue {
  checkNames(options, OPTIONS, "localQueue");
  const { pause = PAUSE } = options;
  return new LocalQueue(pause);
}

interface Waiting {
  readonly id: string;
  readonly kind: string;
  readonly key: string;
  /** As JSON text: nobody changes a job afterwards. */
  readonly payload: string;
  readonly attempts: number;
  attempt: number;
  /** Milliseconds since the epoch before which it is not begun. */
  due: number;
}

class LocalQueue implements Queue {
  readonly #pause: number;
  /** By kind and key, in the order in which they came. */
  readonly #waiting = new Map<string, Waiting>();
  readonly #workers = new Set<LocalWorker>();
  readonly #abort = new AbortController();
  #isClosed = false;

  constructor(pause: number) {
    this.#pause = pause;
  }

  async enqueue(kind: string, payload: unknown, options: EnqueueOptions = {}): Promise<void> {
    if (this.#isClosed) throw closedStore();
    const { key = randomUUID(), delay = 0, attempts = ATTEMPTS } = options;
    const text = JSON.stringify(payload) ?? "null";
    this.#put({ id: randomUUID(), kind, key, payload: text, attempts, attempt: 0, due: Date.now() + delay });
  }

  async work(kind: string, handler: JobHandler, { concurrency = 1 }: WorkOptions = {}): Promise<Worker> {
    if (this.#isClosed) throw closedStore();
    const worker = new LocalWorker({
      concurrency,
      next: () => this.#next(kind),
      run: (job) => this.#run(job, handler),
    });
    this.#workers.add(worker);
    worker.look();
    return worker;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#waiting.clear();
    const grace = setTimeout(() => this.#abort.abort(), GRACE).unref();
    await Promise.all([...this.#workers].map((worker) => worker.stop()));
    clearTimeout(grace);
  }

  #put(job: Waiting): void {
    this.#waiting.set(JSON.stringify([job.kind, job.key]), job);
    this.#lookWhenDue(job);
  }

  /** Timers may fire a moment early. */
  #lookWhenDue(job: Waiting): void {
    const wait = job.due - Date.now();
    if (wait > 0) setTimeout(() => this.#lookWhenDue(job), wait).unref();
    else this.#look();
  }

  #look(): void {
    for (const worker of this.#workers) worker.look();
  }

  /** Takes the oldest job of a kind that is due. */
  #next(kind: string): Waiting | undefined {
    const now = Date.now();
    for (const [name, job] of this.#waiting) {
      if (job.kind !== kind || job.due > now) continue;
      this.#waiting.delete(name);
      return job;
    }
    return undefined;
  }

  async #run(job: Waiting, handler: JobHandler): Promise<void> {
    const { id, kind } = job;
    job.attempt++;
    try {
      await handler({ id, kind, payload: JSON.parse(job.payload), attempt: job.attempt, signal: this.#abort.signal });
    } catch {
      this.#again(job);
    }
  }

  /** A later job with the same key takes its place. */
  #again(job: Waiting): void {
    if (this.#isClosed || job.attempt >= job.attempts) return;
    if (this.#waiting.has(JSON.stringify([job.kind, job.key]))) return;
    job.due = Date.now() + Math.min(LONGEST_PAUSE, this.#pause * 2 ** (job.attempt - 1));
    this.#put(job);
  }
}

/** How long a job may go on after the queue was closed. */
const GRACE = 5_000;

interface LocalWorkerOptions {
  readonly concurrency: number;
  readonly next: () => Waiting | undefined;
  readonly run: (job: Waiting) => Promise<void>;
}

class LocalWorker implements Worker {
  readonly #options: LocalWorkerOptions;
  readonly #under = new Set<Promise<void>>();
  readonly #end = Promise.withResolvers<void>();
  #isStopped = false;

  constructor(options: LocalWorkerOptions) {
    this.#options = options;
  }

  get ended(): Promise<void> {
    return this.#end.promise;
  }

  /** Begins what is due, as far as there is room. */
  look(): void {
    while (!this.#isStopped && this.#under.size < this.#options.concurrency) {
      const job = this.#options.next();
      if (job === undefined) return;
      const work = this.#options.run(job).finally(() => {
        this.#under.delete(work);
        this.look();
      });
      this.#under.add(work);
    }
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all(this.#under);
    this.#end.resolve();
  }
}
