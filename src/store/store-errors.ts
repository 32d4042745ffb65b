import { VarveError, type VarveErrorCode } from "../errors.js";

/** What can be the matter with a store, in words that follow its path. */
export interface StoreFault {
  readonly code: VarveErrorCode;
  readonly says: string;
  readonly hint: string;
  readonly retryable?: true;
}

export const FAILED: StoreFault = { code: "store-failed", says: "could not be used", hint: "See the cause." };
export const FULL: StoreFault = {
  code: "store-full",
  says: "has no room left",
  hint: "Free space on its disk; what was committed is safe.",
  retryable: true,
};

export const storeError = ({ says, ...fault }: StoreFault, path: string, cause: unknown): VarveError =>
  new VarveError({ ...fault, message: `The store "${path}" ${says}.`, cause, details: { path } });

export const closedStore = (): VarveError =>
  new VarveError({ code: "closed", message: "This store is closed.", hint: "Open it again with openVarve()." });
