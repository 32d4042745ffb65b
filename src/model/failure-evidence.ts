import { isObject } from "../wire/value.js";

/** What an error of any client or provider says of itself, without the request it carries: that holds other words. */
export interface FailureEvidence {
  readonly status: number | undefined;
  /** Machine-readable codes, types and names, lower case. */
  readonly codes: readonly string[];
  /** All its messages, lower case. */
  readonly text: string;
  /** Codes of the operating system or the HTTP client, as they are. */
  readonly system: readonly string[];
}

const NESTED = ["error", "errors", "lastError", "cause", "response", "data", "details", "detail", "metadata"];
const TEXTS = [
  "message",
  "msg",
  "responseBody",
  "body",
  "reason",
  "raw",
  "detail",
  "error",
  "data",
  "error_description",
];
const CODES = ["code", "type", "name", "errorCode", "status", "__type", "err_code"];
const STATUSES = ["status", "statusCode", "status_code", "httpStatusCode", "code"];
const DEEPEST = 6;
const LONGEST = 20_000;

interface Collector {
  status: number | undefined;
  readonly codes: Set<string>;
  readonly texts: Set<string>;
  readonly seen: Set<unknown>;
}

/** Reads an error, its causes, and the response body inside it, JSON or not. */
export function evidenceOf(error: unknown): FailureEvidence {
  const found: Collector = { status: undefined, codes: new Set(), texts: new Set(), seen: new Set() };
  collect(error, found, 0);
  const codes = [...found.codes];
  return {
    status: found.status,
    codes: codes.map((code) => code.toLowerCase()),
    text: [...found.texts].join("\n").slice(0, LONGEST).toLowerCase(),
    system: codes.filter((code) => /^(E[A-Z_]{3,}|UND_ERR_\w+)$/.test(code)),
  };
}

function collect(value: unknown, found: Collector, depth: number): void {
  if (typeof value === "string") collectText(value, found, depth);
  if (typeof value !== "object" || value === null || depth > DEEPEST || found.seen.has(value)) return;
  found.seen.add(value);
  if (Array.isArray(value)) for (const item of value) collect(item, found, depth + 1);
  else if (isObject(value)) collectFields(value, found, depth);
}

function collectFields(value: Readonly<Record<string, unknown>>, found: Collector, depth: number): void {
  for (const key of TEXTS) if (typeof value[key] === "string") collectText(value[key], found, depth);
  for (const key of CODES) if (typeof value[key] === "string") found.codes.add(value[key]);
  for (const key of STATUSES) found.status ??= statusIn(value[key]);
  for (const key of [...NESTED, "$metadata"]) {
    if (typeof value[key] !== "string") collect(value[key], found, depth + 1);
  }
}

function statusIn(value: unknown): number | undefined {
  const status = typeof value === "string" && /^[45]\d\d$/.test(value) ? Number(value) : value;
  return typeof status === "number" && status >= 400 && status < 600 ? status : undefined;
}

/** A text that holds JSON is read for its codes as well. */
function collectText(text: string, found: Collector, depth: number): void {
  found.texts.add(text.slice(0, LONGEST));
  const start = text.search(/[[{]/);
  if (start < 0 || depth > DEEPEST || text.length > LONGEST) return;
  try {
    collect(JSON.parse(text.slice(start)), found, depth + 1);
  } catch {
    // Not JSON: its words were taken already.
  }
}
