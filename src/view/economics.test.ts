import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { payingTarget } from "./depth.js";
import { cutEconomics, stepsUntil } from "./economics.js";

const CLAUDE = { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 };
const cut = { tokensBefore: 120_000, tokensAfter: 90_000, prefix: 10_000, steps: 40, cold: false };

describe("the sum of a cut", () => {
  it("sets what the steps save against what is written anew, in money where prices are known", () => {
    const sum = cutEconomics({ ...cut, price: CLAUDE });
    expect(sum.unit).toBe("USD");
    expect(sum.saving).toBeCloseTo((30_000 * 0.3 * 40) / 1e6);
    expect(sum.cost).toBeCloseTo((80_000 * 3.45) / 1e6);
    expect(sum.pays).toBe(true);
    expect(sum.text).toBe("The cut pays: $0.3600 saved in 40 steps for $0.2760.");
  });

  it("is in tokens without prices, a cached one a tenth", () => {
    const sum = cutEconomics(cut);
    expect(sum).toMatchObject({ unit: "tokens", pays: true });
    expect(sum.saving).toBeCloseTo(120_000);
    expect(sum.cost).toBeCloseTo(72_000);
    expect(sum.lines).toEqual([
      "saving: 30,000 tokens in each of 40 steps, read from the cache = 120,000 tokens",
      "cost: 80,000 tokens written to the cache anew = 72,000 tokens",
    ]);
  });

  it("says that few steps do not pay for a warm cache, and do for a cold one", () => {
    expect(cutEconomics({ ...cut, steps: 4 }).pays).toBe(false);
    expect(cutEconomics({ ...cut, steps: 4 }).text).toContain("does not pay by itself");
    expect(cutEconomics({ ...cut, steps: 1, cold: true })).toMatchObject({ saving: 30_000, cost: 0, pays: true });
  });

  it("counts the summariser's call", () => {
    const summariser = { input: 30_000, output: 1_000 };
    const sum = cutEconomics({ ...cut, cold: true, steps: 1, price: CLAUDE, summariser });
    expect(sum.cost).toBeCloseTo((30_000 * 3 + 1_000 * 15) / 1e6);
    expect(sum.lines.at(-1)).toBe("cost: a summariser reads 30,000 tokens and writes 1,000 = $0.1050");
  });

  it("sees no cost in rewriting where a model has no cache", () => {
    expect(cutEconomics({ ...cut, price: { input: 10, output: 30 } }).cost).toBe(0);
  });

  it("saves more with more steps and with more removed, and costs no more on a cold cache", () => {
    const tokens = fc.integer({ min: 0, max: 200_000 });
    const terms = fc.record({
      after: tokens,
      removed: tokens,
      steps: fc.integer({ min: 1, max: 500 }),
      cold: fc.boolean(),
    });
    fc.assert(
      fc.property(terms, ({ after, removed, steps, cold }) => {
        const given = { tokensBefore: after + removed, tokensAfter: after, prefix: Math.floor(after / 3), steps, cold };
        const sum = cutEconomics(given);
        expect(cutEconomics({ ...given, steps: steps + 1 }).saving).toBeGreaterThanOrEqual(sum.saving);
        expect(cutEconomics({ ...given, tokensBefore: given.tokensBefore + 10 }).saving).toBeGreaterThan(sum.saving);
        expect(cutEconomics({ ...given, cold: true }).cost).toBeLessThanOrEqual(
          cutEconomics({ ...given, cold: false }).cost,
        );
      }),
    );
  });
});

describe("the steps until the next cut", () => {
  it("follow from the growth so far, and from a guess where there is none", () => {
    expect(stepsUntil(10_000, 500)).toBe(20);
    expect(stepsUntil(10_000, undefined)).toBe(10);
    expect(stepsUntil(10, 500)).toBe(1);
    expect(stepsUntil(1_000_000, 0)).toBe(1_000);
  });
});

describe("the depth of a cut", () => {
  const depth = { price: CLAUDE, trigger: 100_000, target: 75_000, floor: 50_000, prefix: 10_000 };

  it("stays where the cuts are far apart", () => {
    expect(payingTarget({ ...depth, growth: 500 })).toBe(75_000);
  });

  it("lies between where they come now and then, with prices that are known and without", () => {
    for (const price of [CLAUDE, undefined]) {
      const target = payingTarget({ ...depth, price, growth: 3_000 });
      expect(target).toBeGreaterThan(50_000);
      expect(target).toBeLessThan(75_000);
    }
  });

  it("is greater where a cut would follow every other step", () => {
    expect(payingTarget({ ...depth, growth: 15_000 })).toBeLessThan(65_000);
  });

  it("is never beyond the floor, and never less than usual", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 200_000 }), fc.integer({ min: 0, max: 75_000 }), (growth, floor) => {
        const target = payingTarget({ ...depth, growth, floor });
        expect(target).toBeGreaterThanOrEqual(floor);
        expect(target).toBeLessThanOrEqual(75_000);
      }),
    );
  });
});
