/**
 * Turns become memories through the queue of a store: whoever completes a turn enqueues its session, and any process that
 * uses memories learns from it. A process that is killed loses nothing: what it had enqueued is done by another.
 */
import { VarveError } from "../errors.js";
import { isObject } from "../message/plain-value.js";
import type { Job, Queue } from "../store/queue.js";
import type { Store } from "../store/store.js";
import type { Session } from "./session.js";

export interface BackgroundLearningOptions {
  readonly store: Store;
  readonly warn: (warning: VarveError) => void;
  /** Opens a session for one job, apart from those that the application has open. */
  readonly open: (sessionId: string) => Promise<Session | undefined>;
}

const KIND = "learning";

export class BackgroundLearning {
  readonly #queue: Queue;
  readonly #options: BackgroundLearningOptions;

  private constructor(queue: Queue, options: BackgroundLearningOptions) {
    this.#queue = queue;
    this.#options = options;
  }

  /** Undefined where the store has no queue, or it cannot be used: then each session learns by itself. */
  static async start(options: BackgroundLearningOptions): Promise<BackgroundLearning | undefined> {
    try {
      const queue = await options.store.queue?.();
      if (queue === undefined) return undefined;
      const learning = new BackgroundLearning(queue, options);
      await queue.work(KIND, (job) => learning.#do(job));
      return learning;
    } catch (error) {
      if (!VarveError.isInstance(error)) throw error;
      options.warn(error);
      return undefined;
    }
  }

  /** Resolves when the work is in the queue. */
  due(sessionId: string): Promise<void> {
    return this.#queue.enqueue(KIND, { session: sessionId }, { key: sessionId });
  }

  close(): Promise<void> {
    return this.#queue.close();
  }

  async #do({ payload }: Job): Promise<void> {
    const session = await this.#options.open(isObject(payload) ? String(payload.session) : "");
    if (session === undefined) return;
    try {
      await session.learn();
    } finally {
      await session.close();
    }
  }
}
