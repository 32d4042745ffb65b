import type { VarveError, VarveErrorCode } from "../errors.js";

export const WRONG_USAGE = 2;
export const INTERRUPTED = 130;
const FAILURE = 1;

const BY_CODE: Partial<Record<VarveErrorCode, number>> = {
  "not-found": 4,
  "nothing-removed": 5,
  "undo-refused": 5,
  "invalid-document": 6,
  "invalid-plugin": 6,
  "unknown-format": 6,
  "unknown-model": 6,
  "too-large": 6,
  untrusted: 6,
  unscoped: WRONG_USAGE,
};

/** An option that cannot be so is wrong usage; a variable that is not set belongs to the configuration. */
export function exitCodeOf({ code, details }: VarveError): number {
  if (code !== "invalid-option") return BY_CODE[code] ?? FAILURE;
  if (details.variable !== undefined) return 6;
  return details.option === undefined ? FAILURE : WRONG_USAGE;
}

export const EXIT_CODES = `
Exit codes:
  0    it worked
  1    it failed; stderr says why and what to do
  2    wrong usage: an unknown command or option, or a value that it cannot have
  3    this Node is too old
  4    not found: no such session, checkpoint, entry or file
  5    nothing to do: a compaction would have removed nothing, or one taken back would be made again
  6    the configuration or a file is wrong, or not trusted; stderr says where
  130  interrupted`;
