/** A log that takes the place of another: made whole beside it, and put there by one rename. */
import { rmSync } from "node:fs";
import { basename, join } from "node:path";
import { type Change, firstVersion } from "../store.js";
import { removeBeside, removeContext } from "./file-context.js";
import { changeBytes, withHead } from "./file-lines.js";
import { LOG_ENDING, logPathOf } from "./file-name.js";
import { namesIn, syncFolder, writeAtomically } from "./file-system.js";

export interface WholeLog {
  readonly bytes: Buffer;
  readonly version: number;
}

export function wholeLog(sessionId: string, changes: readonly Omit<Change, "version">[]): WholeLog {
  const pieces: Buffer[] = [];
  let version = firstVersion() - 1;
  let head = -1;
  for (const change of changes) {
    const commit = changeBytes(change, { version, head });
    pieces.push(commit.bytes);
    head = commit.head;
    version++;
  }
  return { bytes: withHead(sessionId, Buffer.concat(pieces)), version };
}

/**
 * Puts a log in its place. The document of the session before goes first: whoever opens a session without one makes it
 * from the log, whichever that is by then.
 */
export function putLog(folder: string, sessionId: string, { bytes }: WholeLog): void {
  const path = logPathOf(folder, sessionId);
  removeContext(folder, sessionId);
  syncFolder(folder);
  writeAtomically(path, bytes);
  removeBeside(folder, basename(path));
}

const LEFT = new RegExp(`${LOG_ENDING.replaceAll(".", "\\.")}\\.\\d+-\\d+\\.tmp$`);

/** Names of logs that a process was killed over. Only who has the lock knows that nobody writes them any more. */
export const leftLogs = (folder: string): string[] => namesIn(folder).filter((name) => LEFT.test(name));

export function sweepLogs(folder: string): void {
  for (const name of leftLogs(folder)) rmSync(join(folder, name), { force: true });
}
