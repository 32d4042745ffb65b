import { orWarned, SessionJobs, type SessionJobsOptions } from "./session-jobs.js";

/**
 * Turns become memories through the queue of a store: whoever completes a turn enqueues its session, and any process that
 * uses memories learns from it. Undefined where that cannot be: then each session learns by itself.
 */
export const startLearning = (
  options: Pick<SessionJobsOptions, "store" | "warn" | "open">,
): Promise<SessionJobs | undefined> =>
  orWarned(() => SessionJobs.start({ ...options, kind: "learning", work: (session) => session.learn() }), options.warn);
