import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { quantise } from "./quantise.js";

const finite = fc.float({ noNaN: true, noDefaultInfinity: true });

describe("quantise", () => {
  test("keeps each number of the direction within half a step", () => {
    fc.assert(
      fc.property(fc.float32Array({ noNaN: true, noDefaultInfinity: true, minLength: 1, maxLength: 40 }), (vector) => {
        const largest = Math.max(...vector.map(Math.abs));
        fc.pre(largest > 0);
        const { codes } = quantise(vector);
        for (const [at, each] of vector.entries()) {
          expect(Math.abs(codes[at]! - (each / largest) * 127)).toBeLessThanOrEqual(0.5 + 1e-6);
        }
      }),
    );
  });

  test("gives codes that have length 1 with their scale, whatever the length of the vector", () => {
    fc.assert(
      fc.property(fc.array(finite, { minLength: 1, maxLength: 40 }), (numbers) => {
        fc.pre(numbers.some((each) => each !== 0));
        const { codes, scale } = quantise(Float32Array.from(numbers));
        expect(Math.hypot(...[...codes].map((code) => code * scale))).toBeCloseTo(1, 5);
      }),
    );
  });

  test("gives a vector of zeros no direction", () => {
    expect(quantise(new Float32Array(3))).toEqual({ codes: new Int8Array(3), scale: 0 });
  });

  test.each([Number.NaN, Number.POSITIVE_INFINITY])("refuses %d", (number) => {
    expect(() => quantise(Float32Array.of(1, number))).toThrow(expect.objectContaining({ code: "invalid-option" }));
  });
});
