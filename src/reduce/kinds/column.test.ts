import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createColumn, judgeColumn, learnCell } from "./column.js";

function learnt(cells: readonly string[]) {
  const column = createColumn();
  for (const cell of cells) learnCell(column, cell);
  return column;
}
const cells = (count: number, cell: (index: number) => unknown) =>
  Array.from({ length: count }, (_, i) => `${cell(i)}`);
const bits = (given: readonly string[], cell: string) => judgeColumn(learnt(given))?.(cell) ?? 0;

describe("a column", () => {
  it("finds a rare value among few odd, the rarer the more", () => {
    const states = cells(400, (i) => (i === 9 ? "dead" : i % 50 === 3 ? "slow" : i % 2 ? "on" : "off"));
    expect(bits(states, "on")).toBe(0);
    expect(bits(states, "slow")).toBeGreaterThan(0);
    expect(bits(states, "dead")).toBeGreaterThan(bits(states, "slow"));
    expect(bits(states, "never seen")).toBeGreaterThan(0);
  });

  it("finds a number odd that is far outside of the others, on either side", () => {
    const numbers = cells(300, (i) => 1_000 + ((i * 7919) % 100));
    expect(bits(numbers, "1099")).toBe(0);
    expect(bits(numbers, "1200")).toBe(0);
    expect(bits(numbers, "99999")).toBeGreaterThan(bits(numbers, "3000"));
    expect(bits(numbers, "-3000")).toBeGreaterThan(0);
  });

  it("is not led astray by a tenth of far numbers", () => {
    const numbers = cells(300, (i) => (i % 11 === 5 ? 1e9 : (i * 7919) % 100));
    expect(bits(numbers, "99")).toBe(0);
    expect(bits(numbers, "1000000000")).toBeGreaterThan(0);
  });

  it.each([
    ["names", (i: number) => `user ${i}`],
    ["numbers that grow", (i: number) => i ** 3],
    ["numbers that shrink", (i: number) => 1e6 / (i + 1)],
    ["times", (i: number) => new Date(1.7e12 + i * 6e4).toISOString()],
    ["words, each as frequent as the other", (i: number) => `word ${i % 30}`],
  ])("finds nothing odd among %s", (_, cell) => {
    const given = cells(300, cell);
    for (const one of given) expect(bits(given, one)).toBe(0);
  });

  it("finds a number odd that is far outside of a run", () => {
    const run = cells(300, (i) => (i === 177 ? -99_999 : 1.5 * i));
    expect(bits(run, "-99999")).toBeGreaterThan(0);
    for (const inside of ["0", "225", "448.5", "700"]) expect(bits(run, inside)).toBe(0);
    expect(bits(run, "x")).toBe(0);
  });

  it("reads numbers with their units and thousands", () => {
    const sizes = cells(100, (i) => `${900 + ((i * 5) % 37)}M`);
    expect(bits(sizes, "0.92G")).toBe(0);
    expect(bits(sizes, "90G")).toBeGreaterThan(0);
    const prices = cells(100, (i) => `$1,${100 + ((i * 5) % 37)}.00`);
    expect(bits(prices, "$1,150.00")).toBe(0);
    expect(bits(prices, "$91,000.00")).toBeGreaterThan(0);
  });

  it("keeps a bounded number of values and numbers", () => {
    const column = learnt(cells(30_000, (i) => (i * 7919) % 20_011));
    expect(column.values.size).toBeLessThanOrEqual(64);
    expect(column.sample.length).toBeLessThanOrEqual(2_048);
  });

  it("takes a number that is too large for any for text", () => {
    expect(bits(["", "1e999", "0", "1e999", "1e999", "0", "0", "0"], "1e999")).toBe(0);
  });

  it("judges any cell by any others with a finite number of bits", () => {
    const cell = fc.oneof(
      fc.string({ maxLength: 6 }),
      fc.double().map(String),
      fc.constantFrom("", "0", "1", "-", "1e999"),
    );
    fc.assert(
      fc.property(fc.array(cell, { maxLength: 60 }), cell, (given, one) => {
        const found = bits(given, one);
        expect(found).toBeGreaterThanOrEqual(0);
        expect(found).toBeLessThan(Number.POSITIVE_INFINITY);
      }),
    );
  });
});
