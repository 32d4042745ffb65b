/**
 * Summaries through the queue of a store: whoever's view needs one enqueues it, and any process that has a summariser
 * makes it and writes it to the session. A process that is killed loses nothing: what it had enqueued, or was at, is
 * done by another.
 */
import type { Summariser } from "../digest/summariser.js";
import { VarveError } from "../errors.js";
import { isObject } from "../message/plain-value.js";
import type { Job, Queue } from "../store/queue.js";
import type { Store } from "../store/store.js";
import type { Session } from "./session.js";

export interface BackgroundOptions {
  readonly store: Store;
  readonly summariser: Summariser;
  readonly warn: (warning: VarveError) => void;
  /** Opens a session for one job, apart from those that the application has open. */
  readonly open: (sessionId: string) => Promise<Session | undefined>;
}

const KIND = "summary";

export class BackgroundSummaries {
  readonly #queue: Queue;
  readonly #options: BackgroundOptions;

  private constructor(queue: Queue, options: BackgroundOptions) {
    this.#queue = queue;
    this.#options = options;
  }

  /** Undefined where the store has no queue, or it cannot be used: then each process makes its own summaries. */
  static async start(options: BackgroundOptions): Promise<BackgroundSummaries | undefined> {
    const queue = await openQueue(options);
    if (queue === undefined) return undefined;
    const summaries = new BackgroundSummaries(queue, options);
    await queue.work(KIND, (job) => summaries.#do(job));
    return summaries;
  }

  /** Nobody waits for it: where it fails, a later view says again that a summary is due. */
  due(sessionId: string): void {
    this.#queue.enqueue(KIND, { session: sessionId }, { key: sessionId }).catch((error: unknown) => {
      this.#options.warn(notEnqueued(sessionId, error));
    });
  }

  close(): Promise<void> {
    return this.#queue.close();
  }

  async #do({ payload, signal }: Job): Promise<void> {
    const id = isObject(payload) ? String(payload.session) : "";
    const session = await this.#options.open(id);
    if (session === undefined) return;
    try {
      await session.summarise(this.#options.summariser, { signal });
    } finally {
      await session.close();
    }
  }
}

async function openQueue({ store, warn }: BackgroundOptions): Promise<Queue | undefined> {
  try {
    return await store.queue?.();
  } catch (error) {
    if (!VarveError.isInstance(error)) throw error;
    warn(error);
    return undefined;
  }
}

const notEnqueued = (session: string, cause: unknown): VarveError =>
  new VarveError({
    code: "store-failed",
    message: `A summary of the session "${session}" could not be put into the queue.`,
    hint: "Nothing to do: it is tried again with a later view. See the cause.",
    cause,
    details: { session },
  });
