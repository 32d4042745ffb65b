import type { VarveError } from "../errors.js";
import { isObject } from "../wire/value.js";

/** Milliseconds a provider asked to wait, from the headers it sent with the failure; undefined where it did not say. */
export function retryAfterOf(failure: VarveError, now: number): number | undefined {
  const { headers } = failure.details;
  if (!isObject(headers)) return undefined;
  const milliseconds = Number.parseFloat(String(headers["retry-after-ms"]));
  if (milliseconds >= 0) return milliseconds;
  return readRetryAfter(headers["retry-after"], now);
}

/** `Retry-After` is a number of seconds or a date. */
function readRetryAfter(value: unknown, now: number): number | undefined {
  if (typeof value !== "string") return undefined;
  if (/^\s*\d+(\.\d+)?\s*$/.test(value)) return Number.parseFloat(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
