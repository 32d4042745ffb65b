/**
 * Text that is taken out of sessions together with memories. Several files change, so that what is to be done is written
 * down first, in one file: that is when it counts. Whoever gets the lock next finishes it, as often as it takes.
 */
import { existsSync, readFileSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { VarveError } from "../../errors.js";
import { messageFromJSON } from "../../message/value-json.js";
import type { Redaction } from "../memories/memories.js";
import { redactedRow } from "../redacted-row.js";
import { commitBytes, documentLine, entryLine, withHead } from "./file-lines.js";
import type { FileLog } from "./file-log.js";
import type { WriteLine } from "./file-memories-lines.js";
import { putLog } from "./file-replacement.js";
import { freeName, makeFolder, syncFolder, writeAtomically } from "./file-system.js";

/** A change of memories with text of sessions to be taken out. */
export interface PendingRedaction {
  readonly write: WriteLine;
  readonly sessions: readonly WrittenRedaction[];
}

export interface WrittenRedaction {
  readonly session: string;
  /** The session's version before it. */
  readonly version: number;
  readonly time: number;
  readonly messages: readonly (readonly [sequence: number, message: string])[];
  /** JSON texts; null for what is to be removed. */
  readonly documents: readonly (readonly [name: string, text: string | null])[];
}

/** Throws where it could not be finished. */
export function writtenRedaction({ session, messages, change }: Redaction): WrittenRedaction {
  for (const message of messages.values()) messageFromJSON(message);
  const documents = [...(change.documents ?? [])].map(([name, value]) => {
    return [name, value === undefined ? null : JSON.stringify(value)] as const;
  });
  return { session, version: change.version, time: change.time, messages: [...messages], documents };
}

export function writePending(path: string, pending: PendingRedaction): void {
  makeFolder(dirname(path));
  writeAtomically(path, JSON.stringify(pending));
}

/** What is still to be done; undefined where there is nothing. */
export function readPending(path: string, warn: (warning: VarveError) => void): PendingRedaction | undefined {
  if (!existsSync(path)) return undefined;
  try {
    return JSON.parse(readFileSync(path, "utf8")) as PendingRedaction;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    warn(setAside(path, error));
    return undefined;
  }
}

export function removePending(path: string): void {
  rmSync(path, { force: true });
  syncFolder(dirname(path));
}

/** Writes the log of a session anew with other texts in it. One that is done already stays as it is. */
export function redactLog(folder: string, log: FileLog, redaction: WrittenRedaction): void {
  if (log.version !== redaction.version) return;
  log.setAside();
  const { id, head, created } = log.info;
  const messages = new Map(redaction.messages);
  const rows = log.rows.map((row) => {
    const message = messages.get(row.sequence);
    return message === undefined ? row : redactedRow(row, message);
  });
  const documents = new Map<string, string | null>([...log.documents, ...redaction.documents]);
  const lines = [...documents].flatMap(([name, text]) => (text === null ? [] : [documentLine(name, text)]));
  const commit = { version: log.version + 1, time: redaction.time, head, created, keys: [...log.keys] };
  const bytes = withHead(id, commitBytes([...rows.map(entryLine), ...lines], commit));
  putLog(folder, id, { bytes, version: commit.version });
}

function setAside(path: string, cause: unknown): VarveError {
  const aside = freeName(`${path}.damaged`);
  renameSync(path, aside);
  return new VarveError({
    code: "store-damaged",
    message: `The redaction "${path}" is damaged and was set aside as "${aside}".`,
    hint: "Forget the memory once more, so that its text is taken out of its sessions.",
    cause,
    details: { path, aside },
  });
}
