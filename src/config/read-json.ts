import { VarveError } from "../errors.js";
import { jsonFault } from "./json-fault.js";

/** The value of a JSON text; the error names line and column. */
export function parseJson(text: string, file: string): unknown {
  const plain = text.replace(/^\uFEFF/, "");
  try {
    return JSON.parse(plain);
  } catch (cause) {
    const { line, column, expected } = jsonFault(plain) ?? { line: 1, column: 1, expected: "JSON" };
    throw new VarveError({
      code: "invalid-document",
      message: `${file} is no JSON: line ${line}, column ${column}.`,
      hint: `Expected there: ${expected}.`,
      cause,
      details: { file, line, column },
    });
  }
}
