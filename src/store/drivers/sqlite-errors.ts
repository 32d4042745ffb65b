import { VarveError } from "../../errors.js";
import { isObject } from "../../message/plain-value.js";
import { REPAIR } from "../damage.js";
import { FAILED, FULL, type StoreFault, storeError } from "../store-errors.js";

const BUSY: StoreFault = {
  code: "store-busy",
  says: "is busy with other writers",
  hint: "Try again; keep transactions of other programs on the file short.",
  retryable: true,
};
export const IN_USE: StoreFault = {
  code: "store-busy",
  says: "is in use by another program",
  hint: "End the programs that use it, and try again.",
  retryable: true,
};
const DAMAGED: StoreFault = {
  code: "store-damaged",
  says: "is damaged or no database",
  hint: `Restore it from a copy or an export, or choose another path. The file was not changed. ${REPAIR}.`,
};

/** By SQLite's primary result codes; 15 comes where too many open one file at the same moment. */
const FAULTS: Readonly<Record<number, StoreFault>> = {
  5: BUSY,
  6: BUSY,
  8: {
    code: "store-read-only",
    says: "is read-only",
    hint: "Give this user the right to write the file and its folder.",
  },
  10: { ...FAILED, says: "could not be read or written", hint: "Check the disk that it is on." },
  11: DAMAGED,
  13: FULL,
  14: { ...FAILED, says: "could not be opened", hint: "Check that the path is a file and its folder can be written." },
  15: BUSY,
  26: DAMAGED,
};

/** Whether others are in the way at this moment. */
export const isBusy = (error: unknown): boolean => FAULTS[primaryCode(error) ?? 0] === BUSY;

/** Whether what was to be read is not there as it was written. */
export const isDamage = (error: unknown): boolean => FAULTS[primaryCode(error) ?? 0] === DAMAGED;

/** Whether a row does not fit its table: a constraint, or a value of another type. */
export const isMisfit = (error: unknown): boolean => [19, 20].includes(primaryCode(error) ?? 0);

/** An error of SQLite or of the file system as one of ours. */
export function sqliteError(error: unknown, path: string): unknown {
  if (VarveError.isInstance(error)) return error;
  if (isStrange(error)) return storeError(DAMAGED, path, error);
  const code = primaryCode(error) ?? systemCode(error);
  if (code === undefined) return error;
  return storeError(FAULTS[code] ?? FAILED, path, error);
}

/** Our statements fit our tables, and our numbers fit Node's: where they do not, something else has been written there. */
const isStrange = (error: unknown): boolean =>
  isObject(error) &&
  (error.code === "ERR_OUT_OF_RANGE" ||
    (error.errcode === 1 && /^(?:no such (?:table|column)|duplicate column name)/.test(String(error.message))));

function primaryCode(error: unknown): number | undefined {
  return isObject(error) && typeof error.errcode === "number" ? error.errcode & 0xff : undefined;
}

const SYSTEM: Readonly<Record<string, number>> = { EACCES: 8, EPERM: 8, EROFS: 8, ENOSPC: 13, EDQUOT: 13 };

/** Making the file and its folder fails before SQLite is asked. */
function systemCode(error: unknown): number | undefined {
  if (!isObject(error) || typeof error.syscall !== "string") return undefined;
  return SYSTEM[String(error.code)] ?? 14;
}
