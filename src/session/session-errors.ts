/** What a session says when it cannot do what it is asked. */
import { VarveError } from "../errors.js";

/** What an engine says of its latest view. */
interface Reduced {
  readonly log: { readonly entries: readonly unknown[] };
  readonly latest: { readonly leftOut: number } | undefined;
}

/** Where a reduction would leave nothing out. */
export const nothingRemoved = (sessionId: string, { log, latest }: Reduced): VarveError =>
  new VarveError({
    code: "nothing-removed",
    message: `The session "${sessionId}" has nothing to leave out: without its oldest part the view would be no smaller.`,
    hint: "Append more messages first, unpin something, or choose a smaller target.",
    details: { entries: log.entries.length, leftOut: latest?.leftOut ?? 0 },
  });

export const alwaysOvertaken = (
  sessionId: string,
  { attempts, cause }: { attempts: number; cause: unknown },
): VarveError =>
  new VarveError({
    code: "store-busy",
    message: `Others have reduced the view of the session "${sessionId}" ${attempts} times while one was made.`,
    hint: "Try again.",
    retryable: true,
    cause,
  });

export const closedSession = (sessionId: string): VarveError =>
  new VarveError({
    code: "closed",
    message: `The session "${sessionId}" is closed.`,
    hint: "Open it again with varve.session().",
    details: { session: sessionId },
  });

export const notFound = (entryId: string, sessionId: string): VarveError =>
  new VarveError({
    code: "not-found",
    message: `The session "${sessionId}" has no such entry "${entryId}".`,
    hint: "Use an id from session.entries() or from what session.append() returned; pinned ones are in session.status().pins.",
    details: { entry: entryId },
  });

export const deletedSession = (id: string): VarveError =>
  new VarveError({
    code: "not-found",
    message: `The session "${id}" was deleted.`,
    hint: "It was deleted, or replaced by an import, here or by another process; varve.session() opens what is under its id now.",
    details: { session: id },
  });

export const reusedKey = (id: string, key: string): VarveError =>
  new VarveError({
    code: "key-reused",
    message: `The session "${id}" knows the key ${JSON.stringify(key)} of an append with other messages; nothing was added.`,
    hint: "Give each append a key of its own. One that is tried again is made with the messages that it had at first.",
    details: { session: id, key },
  });
