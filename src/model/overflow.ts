import { VarveError } from "../errors.js";
import { evidenceOf, type FailureEvidence } from "./failure-evidence.js";
import {
  OTHER_LIMITS,
  OUTPUT_LIMITS,
  OVERFLOW,
  OVERFLOW_CODES,
  QUOTA,
  RATE,
  SHARES,
  WEAK_OVERFLOW,
} from "./overflow-wordings.js";

export type ModelErrorKind =
  | "context-overflow"
  | "rate-limit"
  | "quota"
  | "overloaded"
  | "connection"
  | "timeout"
  | "aborted"
  | "access"
  | "invalid-request"
  | "other";

export interface ModelErrorClass {
  readonly kind: ModelErrorKind;
  /** Whether the same request may succeed later. */
  readonly retryable: boolean;
  /** The HTTP status, where there was one. */
  readonly status: number | undefined;
}

/**
 * Whether an error says that the request did not fit the model's window: the one failure that a shorter view mends.
 * Reads errors of any client, response bodies and plain texts.
 *
 * @example
 * ```ts
 * isContextOverflow(new Error("prompt is too long: 213462 tokens > 200000 maximum")); // true
 * isContextOverflow(new Error("daily token limit exceeded")); // false
 * ```
 */
export function isContextOverflow(error: unknown): boolean {
  if (VarveError.isInstance(error)) return error.code === "context-overflow";
  return isOverflow(evidenceOf(error));
}

/**
 * What kind of failure an error of a model is, and whether it may pass by itself.
 *
 * @example
 * ```ts
 * classifyModelError({ status: 529, message: "Overloaded" }); // { kind: "overloaded", retryable: true, status: 529 }
 * ```
 */
export function classifyModelError(error: unknown): ModelErrorClass {
  const evidence = evidenceOf(error);
  const kind = VarveError.isInstance(error) ? kindOfOurs(error, evidence) : kindOf(evidence);
  return { kind, retryable: isPassing(kind, evidence), status: evidence.status };
}

function kindOfOurs(error: VarveError, evidence: FailureEvidence): ModelErrorKind {
  if (error.code === "context-overflow" || error.code === "aborted") return error.code;
  return error.code === "model-timeout" ? "timeout" : kindOf(evidence);
}

/** Codes are looked for by what they contain: each client adds a prefix of its own. */
function kindOf(evidence: FailureEvidence): ModelErrorKind {
  const { status, codes, text } = evidence;
  if (isOverflow(evidence)) return "context-overflow";
  if (codes.includes("aborterror")) return "aborted";
  if (codes.includes("timeouterror") || status === 408 || status === 504) return "timeout";
  const words = `${codes.join("\n")}\n${text}`;
  if (status === 402 || matches(QUOTA, words)) return "quota";
  if (status === 429 || matches(RATE, words)) return "rate-limit";
  if (status === 401 || status === 403) return "access";
  if (status !== undefined && status < 500) return "invalid-request";
  if (status !== undefined || /overloaded|unavailable|internal server error|bad gateway/.test(words))
    return "overloaded";
  return isConnection(evidence) ? "connection" : "other";
}

const isConnection = ({ system, text }: FailureEvidence): boolean =>
  system.length > 0 || /fetch failed|terminated|socket|connection|network|premature close|other side closed/.test(text);

const PASSING: ReadonlySet<ModelErrorKind> = new Set(["rate-limit", "overloaded", "connection", "timeout"]);
const FAULTY_STATUS: ReadonlySet<number> = new Set([501, 505, 511]);

function isPassing(kind: ModelErrorKind, { status, text }: FailureEvidence): boolean {
  if (!PASSING.has(kind) || (status !== undefined && FAULTY_STATUS.has(status))) return false;
  const request = /limit:? (?<limit>[\d,]+)[^\n]*?requested:? (?<requested>[\d,]+)/.exec(text)?.groups;
  return request === undefined || !/request too large/.test(text) || number(request.requested) <= number(request.limit);
}

/** Statuses that never mean overflow, whatever the words. */
const OTHER_STATUS: ReadonlySet<number> = new Set([401, 402, 403, 404, 429, 529]);

function isOverflow({ status, codes, text }: FailureEvidence): boolean {
  if (outputIsAtFault(text)) return false;
  if (codes.some((code) => OVERFLOW_CODES.has(code.replace(/^.*\./, "")))) return true;
  if ((status !== undefined && OTHER_STATUS.has(status)) || matches([...QUOTA, ...RATE, ...OTHER_LIMITS], text)) {
    return false;
  }
  if (codes.some((code) => matches([...QUOTA, ...RATE], code))) return false;
  if (matches(OVERFLOW, text)) return true;
  return !matches(OUTPUT_LIMITS, text) && (status === 413 || matches(WEAK_OVERFLOW, text));
}

/** True where the wished-for output alone fills the window: no shorter input would help. */
function outputIsAtFault(text: string): boolean {
  const shares = SHARES.map((pattern) => pattern.exec(text)?.groups).find((groups) => groups !== undefined);
  return shares !== undefined && number(shares.output) > 0.9 * number(shares.window);
}

const matches = (patterns: readonly RegExp[], text: string): boolean => patterns.some((pattern) => pattern.test(text));

const number = (digits: string | undefined): number => Number((digits ?? "").replaceAll(",", ""));
