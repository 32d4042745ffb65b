/**
 * Work on sessions through the queue of a store: whoever finds that it is due enqueues the session, and any process that
 * has the means does it. A process that is killed loses nothing: what it had enqueued, or was at, is done by another.
 */
import { VarveError } from "../errors.js";
import { isObject } from "../message/plain-value.js";
import type { Job, Queue } from "../store/queue.js";
import type { Store } from "../store/store.js";
import type { Session } from "./session.js";

export interface SessionJobsOptions {
  /** The kind of the jobs. */
  readonly kind: string;
  readonly store: Store;
  readonly warn: (warning: VarveError) => void;
  /** Opens a session for one job, apart from those that the application has open. */
  readonly open: (sessionId: string) => Promise<Session | undefined>;
  /** What is to be done on a session. */
  readonly work: (session: Session, job: Job) => Promise<unknown>;
}

export class SessionJobs {
  readonly #queue: Queue;
  readonly #options: SessionJobsOptions;

  private constructor(queue: Queue, options: SessionJobsOptions) {
    this.#queue = queue;
    this.#options = options;
  }

  /** Undefined where the store has no queue, or it cannot be opened: then each process does its own work. */
  static async start(options: SessionJobsOptions): Promise<SessionJobs | undefined> {
    const queue = await orWarned(() => options.store.queue?.(), options.warn);
    if (queue === undefined) return undefined;
    const jobs = new SessionJobs(queue, options);
    await queue.work(options.kind, (job) => jobs.#do(job));
    return jobs;
  }

  /** Resolves when the work is in the queue. */
  due(sessionId: string): Promise<void> {
    return this.#queue.enqueue(this.#options.kind, { session: sessionId }, { key: sessionId });
  }

  close(): Promise<void> {
    return this.#queue.close();
  }

  async #do(job: Job): Promise<void> {
    const { open, work } = this.#options;
    const session = await open(isObject(job.payload) ? String(job.payload.session) : "");
    if (session === undefined) return;
    try {
      await work(session, job);
    } finally {
      await session.close();
    }
  }
}

/** What there is; nothing, with a warning, where it fails in a way that is known. */
export async function orWarned<T>(
  get: () => Promise<T> | undefined,
  warn: (warning: VarveError) => void,
): Promise<T | undefined> {
  try {
    return await get();
  } catch (error) {
    if (!VarveError.isInstance(error)) throw error;
    warn(error);
    return undefined;
  }
}
