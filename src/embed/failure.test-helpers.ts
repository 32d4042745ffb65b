import { expect } from "vitest";
import { VarveError } from "../errors.js";

/** The VarveError that a promise is to end with. */
export async function failureOf(promise: Promise<unknown>): Promise<VarveError> {
  const error = await promise.then(
    () => expect.fail("it should have failed"),
    (thrown: unknown) => thrown,
  );
  if (!VarveError.isInstance(error)) throw error;
  return error;
}

export const dot = (a: Float32Array, b: Float32Array): number => a.reduce((sum, each, at) => sum + each * b[at]!, 0);
