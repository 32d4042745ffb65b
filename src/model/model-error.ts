import { VarveError, type VarveErrorCode } from "../errors.js";
import { classifyModelError, type ModelErrorKind } from "./overflow.js";

const CODES: Partial<Readonly<Record<ModelErrorKind, VarveErrorCode>>> = {
  "context-overflow": "context-overflow",
  aborted: "aborted",
};

const HINTS: Readonly<Record<ModelErrorKind, string>> = {
  "context-overflow": "Send less, or choose a model with a larger window.",
  "rate-limit": "Wait, or ask the provider for a higher rate.",
  quota: "Check the account's plan and balance with the provider.",
  overloaded: "The provider has a problem; try again later.",
  connection: "Check the network and the base URL.",
  timeout: "Raise `timeout`, ask for less output, or choose a faster model.",
  aborted: "Call again with a signal that is not aborted.",
  access: "Check the API key and what it may use.",
  "invalid-request": "Check the model's name and the options against the provider's documentation.",
  other: "Look at `cause` for what the provider said.",
};

/** What a provider's answer told of a failure, for {@link toModelError}. */
export interface ProviderFailure {
  readonly status?: number;
  readonly message: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** An error that stands for an answer of the provider; it is turned into a VarveError where attempts end. */
export class ProviderError extends Error {
  readonly status: number | undefined;
  readonly body: string | undefined;
  readonly headers: Readonly<Record<string, string>> | undefined;

  constructor({ status, message, body, headers }: ProviderFailure) {
    super(message);
    this.name = "ProviderError";
    this.status = status;
    this.body = body;
    this.headers = headers;
  }
}

/** Any failure of a model as a VarveError that says what kind it is. */
export function toModelError(error: unknown, attempts: number): VarveError {
  if (VarveError.isInstance(error)) return error;
  const { kind, retryable, status } = classifyModelError(error);
  const headers = headersOf(error);
  return new VarveError({
    code: CODES[kind] ?? "model-failed",
    message: `The model failed${attempts > 1 ? ` ${attempts} times` : ""}: ${messageOf(error)}`,
    hint: HINTS[kind],
    cause: error,
    retryable,
    details: { kind, attempts, ...(status !== undefined && { status }), ...(headers && { headers }) },
  });
}

const messageOf = (error: unknown): string =>
  (error instanceof Error
    ? [error.message, causeMessage(error.cause)].filter(Boolean).join(": ")
    : String(error)
  ).slice(0, 1_000);

const causeMessage = (cause: unknown): string => (cause instanceof Error ? cause.message : "");

/** Our own errors and those of the AI SDK keep the answer's headers under different names. */
function headersOf(error: unknown): Readonly<Record<string, string>> | undefined {
  if (typeof error !== "object" || error === null) return undefined;
  const { headers, responseHeaders } = error as { headers?: unknown; responseHeaders?: unknown };
  const found = headers ?? responseHeaders;
  if (typeof found !== "object" || found === null) return undefined;
  const wanted = ["retry-after", "retry-after-ms"].flatMap((name): [string, string][] => {
    const value: unknown = (found as Record<string, unknown>)[name];
    return typeof value === "string" ? [[name, value]] : [];
  });
  return wanted.length > 0 ? Object.fromEntries(wanted) : undefined;
}
