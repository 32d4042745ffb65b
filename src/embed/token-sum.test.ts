import fc from "fast-check";
import { expect, test } from "vitest";
import { plainSum, type TokenRows, tokenSum } from "./token-sum.js";

const table = (dimensions: number, tokens: number): TokenRows => ({
  dimensions,
  scales: Float32Array.from({ length: tokens }, (_, at) => 0.001 * (at + 1)),
  rows: Int8Array.from({ length: tokens * dimensions }, (_, at) => ((at * 2_654_435_761) % 255) - 127),
});

test.each([16, 256, 7])("sums in %i dimensions are those of the plain loop", (dimensions) => {
  const rows = table(dimensions, 50);
  const [fast, plain] = [tokenSum(rows), plainSum(rows)];
  fc.assert(
    fc.property(fc.array(fc.nat(49), { maxLength: 200 }), (tokens) => {
      const wanted = [...plain(tokens)];
      for (const [at, value] of [...fast(tokens)].entries()) expect(value).toBeCloseTo(wanted[at]!, 3);
    }),
  );
});

test("a text of more tokens than are handed over at a time is summed whole", () => {
  const rows = table(32, 3);
  const tokens = Array.from({ length: 20_000 }, (_, at) => at % 3);
  const [fast, plain] = [[...tokenSum(rows)(tokens)], [...plainSum(rows)(tokens)]];
  for (const [at, value] of fast.entries()) expect(Math.abs(value - plain[at]!)).toBeLessThan(1);
});

test("nothing sums to nothing", () => {
  expect([...tokenSum(table(16, 2))([])]).toEqual(Array(16).fill(0));
});
