import { describeValue, VarveError } from "../errors.js";
import { isObject, type UnknownFields } from "../message/plain-value.js";

export { isObject };

/** An object that came from outside. */
export type WireObject = UnknownFields;

export interface Refusal {
  /** The wire format, as its documentation names it. */
  format: string;
  index: number;
  problem: string;
  hint: string;
}

/** The error for input that cannot be a message of the format. */
export function invalidMessage({ format, index, problem, hint }: Refusal): VarveError {
  return new VarveError({
    code: "invalid-message",
    message: `${format} message ${index} ${problem}.`,
    hint,
    details: { format, index },
  });
}

/** The error for a message whose role the format does not have. */
export const unknownRole = (role: unknown, { format, index, hint }: Omit<Refusal, "problem">): VarveError =>
  invalidMessage({ format, index, problem: `has the unknown role ${describeValue(role)}`, hint });

export function expectList(value: unknown, format: string): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw new VarveError({
    code: "invalid-message",
    message: `${format} messages must be a list, not ${describeValue(value)}.`,
    hint: "Pass the list itself, as it stands in the request.",
    details: { format },
  });
}

export function expectObject(value: unknown, format: string, index: number): WireObject {
  if (isObject(value)) return value;
  throw invalidMessage({
    format,
    index,
    problem: `is ${describeValue(value)}, not an object`,
    hint: "Each message is an object with a role.",
  });
}
