/**
 * Work for later, kept where sessions are kept: any process may do it, and one that is killed in the middle loses
 * nothing. A job is done at least once: it is begun again where its worker died, so that a handler gives its effect a
 * key of its own, such as the job's id as the key of a commit, and the effect is there exactly once.
 */
export interface Queue {
  /** Puts a job into the queue; it is there for good when this resolves. */
  enqueue(kind: string, payload: unknown, options?: EnqueueOptions): Promise<void>;
  /** Does jobs of a kind in this process until the worker is stopped. */
  work(kind: string, handler: JobHandler, options?: WorkOptions): Promise<Worker>;
  /** Stops this process's workers, each after the job that it is at, and lets go of connections. */
  close(): Promise<void>;
}

export interface EnqueueOptions {
  /** Of the jobs of a kind that wait, only the latest with this key is done; one that is being done is not touched. */
  readonly key?: string;
  /** Milliseconds before which it is not begun; 0 unless given. */
  readonly delay?: number;
  /** How often it is tried, with growing pauses, before it is given up; 25 unless given. */
  readonly attempts?: number;
}

export interface Job {
  /** The same for every attempt at this job. */
  readonly id: string;
  readonly kind: string;
  /** What was enqueued, as JSON keeps it. */
  readonly payload: unknown;
  /** 1 for the first. */
  readonly attempt: number;
  /** Aborts when the queue is closed and the job takes too long to end. */
  readonly signal: AbortSignal;
}

/** Does one job. A rejection means that it is tried again later. */
export type JobHandler = (job: Job) => Promise<void>;

export interface WorkOptions {
  /** Jobs done at the same time; 1 unless given. */
  readonly concurrency?: number;
}

export interface Worker {
  /** Takes no further jobs; resolves when those under way are done. */
  stop(): Promise<void>;
  /** Resolves when the worker was stopped; rejects where it cannot go on. */
  readonly ended: Promise<void>;
}
