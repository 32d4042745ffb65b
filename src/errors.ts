/** Every way varve refuses to go on. The code is stable and meant to be switched on; the message is for people. */
export type VarveErrorCode =
  | "floor-exceeds-window"
  | "too-many-messages"
  | "unknown-model"
  | "invalid-message"
  | "invalid-option"
  | "invalid-document"
  | "invalid-plugin"
  | "untrusted"
  | "option-not-stored"
  | "repaired"
  | "listener-failed"
  | "unknown-format"
  | "not-found"
  | "key-reused"
  | "too-large"
  | "unscoped"
  | "memory-request"
  | "memory-unavailable"
  | "nothing-removed"
  | "undo-refused"
  | "pin-refused"
  | "closed"
  | "store-failed"
  | "store-full"
  | "store-read-only"
  | "store-busy"
  | "store-newer"
  | "store-damaged"
  | "store-unreachable"
  | "store-denied"
  | "model-failed"
  | "model-timeout"
  | "context-overflow"
  | "embedder-unavailable"
  | "embedding-failed"
  | "aborted";

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

  constructor(options: VarveErrorOptions) {
    if (typeof options !== "object" || options === null)
      throw invalidOption({ option: "options", value: options, allowed: "an object with a code and a message" });
    const { code, message, hint, cause, retryable = false, details = {} } = options;
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

export interface OptionRefusal {
  /** Its name, as the caller writes it. */
  readonly option: string;
  readonly value: unknown;
  /** What may stand there: "a number of tokens from 1". */
  readonly allowed: string;
}

/** The error for an option that cannot be what it is. */
export function invalidOption({ option, value, allowed }: OptionRefusal): VarveError {
  return new VarveError({
    code: "invalid-option",
    message: `The option ${option} is ${describeValue(value)}.`,
    hint: `Give ${option} as ${allowed}.`,
    details: { option, value },
  });
}

/** A value in a few words, for error messages. */
export function describeValue(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value.slice(0, 40));
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object" && value !== null) return "an object";
  return typeof value === "function" || typeof value === "symbol" ? `a ${typeof value}` : String(value);
}

/** The error for what is larger than it may be. */
export const tooLarge = (what: string, limit: number, hint: string): VarveError =>
  new VarveError({
    code: "too-large",
    message: `${what} is larger than ${limit.toLocaleString("en-US")} characters.`,
    hint,
    details: { limit },
  });
