import { invalidOption, VarveError } from "../../errors.js";

/** Throws unless a list has as many numbers as are wanted. */
export function checkLength(name: string, list: ArrayLike<number>, wanted: number): void {
  if (list.length === wanted) return;
  throw new VarveError({
    code: "invalid-option",
    message: `There are ${list.length} numbers in the ${name} where ${wanted} are wanted.`,
    hint: "Compare vectors of one embedder only, and give lists of rows that are equally long.",
    details: { option: name, wanted, found: list.length },
  });
}

/** Throws unless a value is a vector. */
export function checkVector(option: string, value: unknown): void {
  if (!(value instanceof Float32Array)) throw invalidOption({ option, value, allowed: "a Float32Array" });
}
