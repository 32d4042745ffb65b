import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../../test/support/runs.js";
import { jsonFault } from "./json-fault.js";

describe("jsonFault", () => {
  it.each<[string, number, number, string]>([
    ["", 1, 1, "a value"],
    ["  \n ", 2, 2, "a value"],
    ['{"a": 1,}', 1, 9, "a name in quotes"],
    ["{a: 1}", 1, 2, "a name in quotes or }"],
    ['{"a" 1}', 1, 6, ":"],
    ['{"a": 1 "b": 2}', 1, 9, ", or }"],
    ['{\n  "a": 1\n  "b": 2\n}', 3, 3, ", or }"],
    ["[1, 2", 1, 6, ", or ]"],
    ["[1}", 1, 3, ", or ]"],
    ["[,]", 1, 2, "a value or ]"],
    ['{"a": }', 1, 7, "a value"],
    ['{"a": 01}', 1, 8, ", or }"],
    ['{"a": nul}', 1, 7, "a value"],
    ['{"a": "x\ny"}', 1, 7, "a value"],
    ["{} {}", 1, 4, "the end"],
    ["// note\n{}", 1, 1, "a value"],
  ])("finds where %j breaks", (...[text, line, column, expected]) => {
    expect(jsonFault(text)).toEqual({ line, column, expected });
  });

  it("takes the controls that JSON takes", () => {
    expect(jsonFault('"\u007f\u0085"')).toBeUndefined();
    expect(jsonFault('"\u001f"')).toBeDefined();
  });

  it("finds nothing in JSON", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(0, 2), (value, indent) => {
        expect(jsonFault(JSON.stringify(value, undefined, indent))).toBeUndefined();
      }),
    );
  });

  it("agrees with the engine on what is JSON, whatever was struck out or put in", () => {
    const edit = fc.record({ at: fc.nat(200), cut: fc.nat(3), put: fc.constantFrom("", ",", "}", '"', "1", "x", "]") });
    fc.assert(
      fc.property(fc.jsonValue(), edit, (value, { at, cut, put }) => {
        const text = JSON.stringify(value);
        const place = at % (text.length + 1);
        const edited = text.slice(0, place) + put + text.slice(place + cut);
        expect(jsonFault(edited) === undefined).toBe(isJson(edited));
      }),
      { numRuns: runs(1_000) },
    );
  });
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
