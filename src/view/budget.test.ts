import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { EXACT } from "../../test/support/exact.js";
import { resolveBudget } from "./budget.js";
import { resolveSettings } from "./settings.js";
import { fillLevel } from "./shrink.js";

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
    expect(resolveSettings({ ...EXACT, window: 1_000 }).budget.usable).toBe(997);
  });

  it("aims for seven tenths of the trigger where no target is given", () => {
    expect(resolveBudget({ window: 1_000, trigger: 0.5 })).toMatchObject({ trigger: 500, target: 350 });
  });

  it("shows a value of the wrong type as what it is", () => {
    expect(() => resolveBudget({ window: "8000" as unknown as number })).toThrow('The option window is "8000".');
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
