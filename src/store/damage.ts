/** What is said of stored data that is not as it was written. */
import { VarveError } from "../errors.js";
import type { EntryRow } from "./stored-entry.js";

export const REPAIR = "`varve store repair` makes a backup, keeps everything intact and says what is gone";

const damage = (message: string, details: Readonly<Record<string, unknown>>, hint: string): VarveError =>
  new VarveError({ code: "store-damaged", message, hint, details });

export const damagedEntry = (session: string, sequence: number): VarveError =>
  damage(
    `The entry e${sequence} of the session "${session}" is damaged in the store.`,
    { session, entry: `e${sequence}` },
    `Restore the store from a copy or an export; or: ${REPAIR}.`,
  );

export const damagedSession = (session: string): VarveError =>
  damage(
    `What the store says of the session "${session}" as a whole is damaged.`,
    { session },
    `Restore the store from a copy or an export; or: ${REPAIR}.`,
  );

export const damagedDocument = (session: string, document: string): VarveError =>
  damage(
    `The document "${document}" of the session "${session}" is damaged in the store, and is left out.`,
    { session, document },
    `The session goes on without it; ${REPAIR}.`,
  );

/** `rows` says which: `keys`. */
export const missingRows = (session: string, rows: string): VarveError =>
  damage(
    `Of the ${rows} of the session "${session}" some are missing in the store.`,
    { session, rows },
    `The session goes on without them; ${REPAIR}.`,
  );

export const damagedKey = (session: string, key: string): VarveError =>
  damage(
    `The key "${key}" of an append to the session "${session}" is damaged in the store.`,
    { session, key },
    `Append with another key; ${REPAIR}.`,
  );

export const damagedMemory = (memory: string): VarveError =>
  damage(`The memory "${memory}" is damaged in the store, and is left out.`, { memory }, `Store it again; ${REPAIR}.`);

export const damagedFile = (path: string, says: string): VarveError =>
  damage(`The file "${path}" is damaged: ${says}.`, { path }, `Restore it from a copy or an export; or: ${REPAIR}.`);

export const unreadableFile = (path: string, cause: unknown): VarveError =>
  new VarveError({
    code: "store-damaged",
    message: `Nothing can be saved of "${path}": it is no database, or its list of tables is gone.`,
    hint: "The file was not changed. Restore it from a copy or an export, or move it away to begin anew.",
    cause,
    details: { path },
  });

export const damagedList = (path: string, cause?: unknown): VarveError =>
  new VarveError({
    code: "store-damaged",
    message: `The list of sessions in the store "${path}" is damaged: some may be missing.`,
    hint: `Restore the store from a copy or an export; or: ${REPAIR}.`,
    cause,
    details: { path },
  });

/** What stands in the place of an entry that is gone: the log has no gaps, and what came behind it names what came before. */
export const goneRow = (session: string, sequence: number, time: number): EntryRow => ({
  sequence,
  parent: sequence - 1,
  time,
  role: "assistant",
  blank: false,
  message: JSON.stringify({ role: "assistant", content: "[This message was damaged in the store and is gone.]" }),
  damage: damagedEntry(session, sequence),
});
