import fc from "fast-check";
import { expect, test } from "vitest";

test("properties draw the same cases in every run, whatever runs before them", () => {
  const draw = () => fc.sample(fc.integer(), { numRuns: 5 });
  const first = draw();
  fc.assert(fc.property(fc.string(), () => true));
  expect(draw()).toEqual(first);
  expect(fc.sample(fc.integer(), { numRuns: 5, seed: 1 })).not.toEqual(first);
});
