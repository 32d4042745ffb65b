/** What can be wrong with the log of a session. */
import { basename } from "node:path";
import { VarveError } from "../../errors.js";
import { REPAIR } from "../damage.js";
import { LOG_FORMAT } from "./file-lines.js";

export const damagedLog = (path: string, at: number): VarveError =>
  new VarveError({
    code: "store-damaged",
    message: `The log "${path}" is damaged behind byte ${at}.`,
    hint: `Restore the file from a copy or an export; or: ${REPAIR}. It was not changed.`,
    details: { path, at },
  });

export const salvagedLog = (
  path: string,
  { session, at, gone }: { readonly session: string; readonly at: number; readonly gone: readonly string[] },
): VarveError =>
  new VarveError({
    code: "store-damaged",
    message: `The log "${path}" of the session "${session}" is damaged behind byte ${at}: ${gone.length === 0 ? "no entry is gone, but documents may be" : `gone are ${gone.join(", ")}`}.`,
    hint: `The session goes on with the rest. Restore the file from a copy or an export; or: ${REPAIR}.`,
    details: { path, session, at, entries: gone },
  });

/** `at` is where the last whole commit ends, and `went` where the last one that was acknowledged did. */
export const cutLog = (
  path: string,
  { session, entries, at, went }: Readonly<Record<"entries" | "at" | "went", number> & { session: string }>,
): VarveError =>
  new VarveError({
    code: "store-damaged",
    message: `The log "${path}" of the session "${session}" was cut short or damaged behind its ${entries} entries: ${went > at ? `${went - at} bytes, which were acknowledged, are gone` : "what came then cannot be read"}.`,
    hint: `The session goes on without them. Restore the file from a copy or an export where they are needed; or: ${REPAIR}. It was not changed.`,
    details: { path, session, entries, at, bytes: Math.max(0, went - at) },
  });

export const lostLog = (path: string, session: string | undefined, backup: string): VarveError =>
  new VarveError({
    code: "store-damaged",
    message: `${session === undefined ? "A session" : `The session "${session}"`} is gone: nothing of its log "${basename(path)}" could be read.`,
    hint: `The log as it was is at ${backup}; restore the session from a copy or an export.`,
    details: { path, backup, ...(session !== undefined && { session }) },
  });

export const newerLog = (path: string, format: number): VarveError =>
  new VarveError({
    code: "store-newer",
    message: `The log "${path}" has format ${format}; this release knows formats up to ${LOG_FORMAT}.`,
    hint: "Update varve. The file was not changed.",
    details: { path, format, known: LOG_FORMAT },
  });

export const droppedCommit = (path: string, bytes: number): VarveError =>
  new VarveError({
    code: "store-damaged",
    message: `The log "${path}" ended with ${bytes} bytes of an unfinished commit; they were dropped.`,
    hint: "Nothing to do: the commit was never acknowledged.",
    details: { path, bytes },
  });

export const commitSetAside = (path: string, aside: string, bytes: number): VarveError =>
  new VarveError({
    code: "store-damaged",
    message: `The last commit of the log "${path}" is damaged: its ${bytes} bytes were set aside as "${aside}".`,
    hint: "The session goes on without what that commit added; restore the log from a copy if it is needed.",
    details: { path, aside, bytes },
  });

export const untidiedLog = (path: string, cause: unknown): VarveError =>
  new VarveError({
    code: "store-failed",
    message: `The log "${path}" has a new commit, but could not be tidied up behind it.`,
    hint: "Nothing is lost: a later commit tries again. See the cause.",
    cause,
    details: { path },
  });
