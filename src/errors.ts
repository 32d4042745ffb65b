/** Every way varve refuses to go on. The code is stable and meant to be switched on; the message is for people. */
export type VarveErrorCode =
  | "floor-exceeds-window"
  | "unknown-model"
  | "invalid-message"
  | "invalid-option"
  | "not-found"
  | "closed"
  | "unsupported";

export interface VarveErrorOptions {
  readonly code: VarveErrorCode;
  readonly message: string;
  /** What the reader can do next. */
  readonly hint?: string;
  readonly cause?: unknown;
  /** Whether the same call may succeed later without a change. */
  readonly retryable?: boolean;
  /** Facts for programs: sizes, names, the offending value. */
  readonly details?: Readonly<Record<string, unknown>>;
}

const MARK = Symbol.for("varve.error");

/**
 * The one error class of varve.
 *
 * @example
 * ```ts
 * try {
 *   await session.view({ system });
 * } catch (error) {
 *   if (VarveError.isInstance(error) && error.code === "floor-exceeds-window") console.error(error.hint);
 * }
 * ```
 */
export class VarveError extends Error {
  readonly code: VarveErrorCode;
  readonly hint: string | undefined;
  readonly retryable: boolean;
  readonly details: Readonly<Record<string, unknown>>;
  readonly [MARK] = true;

  constructor({ code, message, hint, cause, retryable = false, details = {} }: VarveErrorOptions) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "VarveError";
    this.code = code;
    this.hint = hint;
    this.retryable = retryable;
    this.details = details;
  }

  /** True for any VarveError, also one thrown by another copy of the package. */
  static isInstance(error: unknown): error is VarveError {
    return typeof error === "object" && error !== null && MARK in error;
  }
}
