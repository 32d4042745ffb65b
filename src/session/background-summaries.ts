import { VarveError } from "../errors.js";
import type { Summariser } from "../notes/summariser.js";
import { SessionJobs, type SessionJobsOptions } from "./session-jobs.js";

export interface BackgroundOptions extends Pick<SessionJobsOptions, "store" | "warn" | "open"> {
  readonly summariser: Summariser;
}

export interface BackgroundSummaries {
  /** Nobody waits for it: where it fails, a later view says again that a summary is due. */
  due(sessionId: string): void;
  close(): Promise<void>;
}

/**
 * Summaries through the queue of a store: whoever's view needs one enqueues it, and any process that has a summariser
 * makes it and writes it to the session. Undefined where that cannot be: then each process makes its own summaries.
 */
export async function startSummaries(options: BackgroundOptions): Promise<BackgroundSummaries | undefined> {
  const { summariser, warn } = options;
  const jobs = await SessionJobs.start({
    ...options,
    kind: "summary",
    work: (session, { signal }) => session.summarise(summariser, { signal }),
  });
  if (jobs === undefined) return undefined;
  return {
    due: (sessionId) => {
      jobs.due(sessionId).catch((error: unknown) => warn(notEnqueued(sessionId, error)));
    },
    close: () => jobs.close(),
  };
}

const notEnqueued = (session: string, cause: unknown): VarveError =>
  new VarveError({
    code: "store-failed",
    message: `A summary of the session "${session}" could not be put into the queue.`,
    hint: "Nothing to do: it is tried again with a later view. See the cause.",
    cause,
    details: { session },
  });
