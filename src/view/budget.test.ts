import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createTokenCounter } from "../tokens/create-token-counter.js";
import { ContextBudget, resolveBudget } from "./budget.js";
import { fillLevel } from "./fill.js";
import { resolveSettings } from "./settings.js";

const counter = createTokenCounter();

describe("resolveBudget", () => {
  it("leaves the reserve and what the counter may have missed out of what views may take", () => {
    expect(resolveBudget({ window: 10_000, reserve: 2_000, errorBound: 0.25 })).toMatchObject({
      usable: 6_400,
      trigger: 6_400,
      target: 4_480,
    });
  });

  it.each([
    [{ window: 0 }, "window"],
    [{ window: Number.NaN }, "window"],
    [{ window: 100, reserve: 100 }, "reserve"],
    [{ window: 100, trigger: 1.5 }, "trigger"],
    [{ window: 100, trigger: 0.5, target: 0.6 }, "target"],
    [{ window: 100, errorBound: Number.NaN }, "errorBound"],
    [{ window: 100, maxInput: 0 }, "maxInput"],
    [{ window: "100" as unknown as number }, "window"],
    [{ window: 100, trigger: "0.5" as unknown as number }, "trigger"],
  ])("refuses %j and says what is allowed", (options, option) => {
    expect(() => resolveBudget(options)).toThrow(
      expect.objectContaining({ code: "invalid-option", details: expect.objectContaining({ option }) }),
    );
  });

  it("keeps what a request takes beside its messages out of what views may take", () => {
    expect(resolveBudget({ window: 1_000, frame: 3 }).usable).toBe(997);
    expect(resolveSettings({ window: 1_000 }).budget.usable).toBe(997);
  });

  it("aims for seven tenths of the trigger where no target is given", () => {
    expect(resolveBudget({ window: 1_000, trigger: 0.5 })).toMatchObject({ trigger: 500, target: 350 });
  });

  it("shows a value of the wrong type as what it is", () => {
    expect(() => resolveBudget({ window: "8000" as unknown as number })).toThrow('The option window is "8000".');
  });
});

describe("ContextBudget", () => {
  it.each([undefined, null, {}, { ...counter, text: 5 }])("refuses %s as a counter", (bad) => {
    expect(() => new ContextBudget({ window: 20, counter: bad as unknown as typeof counter })).toThrow(
      expect.objectContaining({ code: "invalid-option", details: expect.objectContaining({ option: "counter" }) }),
    );
  });

  const message = { role: "user" as const, content: "one two three" };
  const NO_NUMBERS = [Number.NaN, -5, Number.POSITIVE_INFINITY, "x", null] as number[];
  const refusal = (option: string) =>
    expect.objectContaining({ code: "invalid-option", details: expect.objectContaining({ option }) });

  it.each(NO_NUMBERS)("refuses %s as a number of tokens, and its account stays as it was", async (tokens) => {
    if (tokens !== null)
      expect(() => new ContextBudget({ window: 20, counter, used: tokens })).toThrow(refusal("used"));
    const budget = new ContextBudget({ window: 20, counter, used: 3, free: () => tokens });
    const entered = refusal(typeof tokens === "number" ? "tokens" : "message");
    expect(() => budget.add(tokens)).toThrow(entered);
    expect(() => budget.hasSpace(tokens)).toThrow(entered);
    await expect(budget.makeSpace(tokens)).rejects.toEqual(refusal("tokensNeeded"));
    if (tokens !== null) await expect(budget.makeSpace(19)).rejects.toEqual(refusal("free"));
    expect(budget.used).toBe(3);
  });

  it("refuses what can never fit before anything is freed", async () => {
    let asked = 0;
    const free = (tokens: number) => {
      asked++;
      return tokens;
    };
    const budget = new ContextBudget({ window: 100, counter, used: 80, free });
    await expect(budget.makeSpace(101)).rejects.toMatchObject({
      code: "floor-exceeds-window",
      details: { needed: 101 },
    });
    expect([asked, budget.used]).toEqual([0, 80]);
    expect(await budget.makeSpace(100)).toBe(80);
    expect([asked, budget.hasSpace(100)]).toEqual([1, true]);
  });

  it("counts nothing as used where more was freed than was entered", async () => {
    const budget = new ContextBudget({ window: 20, used: 15, counter, free: () => 40 });
    expect(await budget.makeSpace(10)).toBe(40);
    expect(budget.used).toBe(0);
  });

  it("says whether a message fits, and how much is used", () => {
    const budget = new ContextBudget({ window: 20, counter });
    expect(budget.hasSpace(message)).toBe(true);
    budget.add(message);
    budget.add(message);
    expect(budget.used).toBe(14);
    expect(budget.hasSpace(message)).toBe(false);
    expect(budget.percentUsed()).toBeCloseTo(0.7);
  });

  it("makes space through the caller's compaction, and only when there is none", async () => {
    const asked: number[] = [];
    const budget = new ContextBudget({ window: 20, used: 15, counter, free: (tokens) => asked.push(tokens) && tokens });
    expect(await budget.makeSpace(5)).toBe(0);
    expect(await budget.makeSpace(8)).toBe(3);
    expect(asked).toEqual([3]);
    expect(budget.used).toBe(12);
  });

  it("refuses to go on where too little was freed", async () => {
    const budget = new ContextBudget({ window: 20, used: 15, counter, free: () => 2 });
    await expect(budget.makeSpace(18)).rejects.toMatchObject({
      code: "floor-exceeds-window",
      details: { freed: 2, used: 13 },
    });
  });
});

describe("fillLevel", () => {
  it("never lets the pieces exceed the space, and wastes less than one token a piece", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(500), { minLength: 1 }), fc.nat(5_000), (sizes, space) => {
        const level = fillLevel(sizes, space);
        const filled = sizes.reduce((sum, size) => sum + Math.min(size, level), 0);
        expect(filled).toBeLessThanOrEqual(space);
        if (sizes.some((size) => size > level)) expect(space - filled).toBeLessThan(sizes.length);
      }),
    );
  });
});
