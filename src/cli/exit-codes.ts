import type { VarveErrorCode } from "../errors.js";

export const WRONG_USAGE = 2;
export const INTERRUPTED = 130;
const FAILURE = 1;

const BY_CODE: Partial<Record<VarveErrorCode, number>> = {
  "not-found": 4,
  "nothing-removed": 5,
  "invalid-document": 6,
  "invalid-plugin": 6,
  "unknown-format": 6,
};

export const exitCodeOf = (code: VarveErrorCode): number => BY_CODE[code] ?? FAILURE;

export const EXIT_CODES = `
Exit codes:
  0    it worked
  1    it failed; stderr says why and what to do
  2    wrong usage: an unknown command or option
  3    this Node is too old
  4    not found: no such session, checkpoint, entry or file
  5    nothing to do: a compaction would have removed nothing
  6    the configuration or a file is wrong; stderr says where
  130  interrupted`;
