import { describe, expect, test } from "vitest";
import { VarveError } from "../errors.js";
import { classifyModelError, isContextOverflow } from "./overflow.js";
import { type Case, OTHERS, OVERFLOWS } from "./overflow-cases.test-helpers.js";

/** The same failure as different clients throw it. */
function shapesOf({ status, says }: Case): unknown[] {
  const body = typeof says === "string" ? says : JSON.stringify(says);
  const failed = status === 200 ? undefined : status;
  return [
    Object.assign(new Error(body), { status: failed }),
    Object.assign(new Error("Bad Request"), {
      statusCode: failed,
      responseBody: body,
      requestBodyValues: { prompt: "context_length_exceeded: prompt is too long" },
    }),
    Object.assign(new Error("Request failed"), { response: { status: failed, data: says } }),
    new Error("outer", { cause: Object.assign(new Error(body), { status: failed }) }),
  ];
}

describe("25: telling overflow from other errors", () => {
  test.each(OVERFLOWS)("$provider: $says is overflow", (failure) => {
    for (const error of shapesOf(failure)) expect(isContextOverflow(error)).toBe(true);
  });

  test.each(OTHERS)("$provider: $says is not", (failure) => {
    for (const error of shapesOf(failure)) expect(isContextOverflow(error)).toBe(false);
  });

  test("what the request says does not count", () => {
    const error = { statusCode: 400, message: "Invalid role", requestBodyValues: { content: "prompt is too long" } };
    expect(isContextOverflow(error)).toBe(false);
  });

  test("a plain text and our own error are understood; nothing at all is no overflow", () => {
    expect(isContextOverflow("prompt is too long: 5 tokens > 4 maximum")).toBe(true);
    expect(isContextOverflow(new VarveError({ code: "context-overflow", message: "no" }))).toBe(true);
    for (const nothing of [undefined, null, 0, "", {}, [], new Error("")])
      expect(isContextOverflow(nothing)).toBe(false);
  });

  test("an error that holds itself is read to its end", () => {
    const error: Error & { error?: unknown } = new Error("boom");
    error.error = error;
    expect(classifyModelError(error)).toEqual({ kind: "other", retryable: false, status: undefined });
  });
});

describe("kinds of failure", () => {
  const kinds = (shape: unknown): [string, boolean] => {
    const { kind, retryable } = classifyModelError(shape);
    return [kind, retryable];
  };

  test.each([
    [{ status: 529, message: "Overloaded" }, "overloaded", true],
    [{ status: 503, message: "Service Unavailable" }, "overloaded", true],
    [{ status: 429, message: "Too Many Requests" }, "rate-limit", true],
    [{ status: 429, code: "insufficient_quota", message: "You exceeded your current quota" }, "quota", false],
    [
      { status: 413, message: "Request too large on tokens per minute (TPM): Limit 6000, Requested 7145" },
      "rate-limit",
      false,
    ],
    [
      { status: 429, message: "Rate limit reached on tokens per min (TPM): Limit 30000, Used 29000, Requested 1500" },
      "rate-limit",
      true,
    ],
    [{ status: 401, message: "bad key" }, "access", false],
    [{ status: 400, message: "Invalid role" }, "invalid-request", false],
    [{ message: "fetch failed", cause: { code: "ECONNREFUSED" } }, "connection", true],
    [{ name: "AbortError", message: "This operation was aborted" }, "aborted", false],
  ])("%j is %s", (shape, kind, retryable) => {
    expect(kinds(shape)).toEqual([kind, retryable]);
  });
});
