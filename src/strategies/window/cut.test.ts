import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findCut } from "./cut.js";

const base = { first: 0, lockedFrom: Number.POSITIVE_INFINITY, previous: 0, lead: () => 0 };
const sizes = fc.array(fc.integer({ min: 0, max: 100 }), { minLength: 1, maxLength: 60 });
const sum = (list: readonly number[], from: number) => list.slice(from).reduce((total, size) => total + size, 0);

describe("findCut", () => {
  it("stays where it was while the tail fits the trigger", () => {
    const tokens = [50, 10, 10, 10];
    expect(findCut({ ...base, previous: 1, last: 3, tokens: (at) => tokens[at]!, trigger: 30, target: 10 }).at).toBe(1);
  });

  it("cuts down to the target, and no further, once the trigger is passed", () => {
    fc.assert(
      fc.property(sizes, fc.integer({ min: 1, max: 400 }), fc.integer({ min: 1, max: 400 }), (list, one, other) => {
        const [target, trigger] = one < other ? [one, other] : [other, one];
        const last = list.length - 1;
        const { at, tokens } = findCut({ ...base, last, tokens: (index) => list[index]!, trigger, target });
        expect(tokens).toBe(sum(list, at));
        const fits = sum(list, 0) <= trigger;
        if (fits) expect(at).toBe(0);
        if (fits) return;
        if (at < last) expect(tokens).toBeLessThanOrEqual(target);
        if (at > 0 && at < last) expect(sum(list, at - 1)).toBeGreaterThan(target);
      }),
    );
  });

  it("spares the locked tail as long as that fits the trigger", () => {
    const tokens = (at: number) => [40, 40, 40, 40][at]!;
    expect(findCut({ ...base, last: 3, lockedFrom: 1, tokens, trigger: 130, target: 50 }).at).toBe(1);
    expect(findCut({ ...base, last: 3, lockedFrom: 0, tokens, trigger: 130, target: 50 }).at).toBe(1);
  });

  it("keeps the last exchange even where it alone is too large", () => {
    expect(findCut({ ...base, last: 2, tokens: () => 500, trigger: 100, target: 50 })).toEqual({
      at: 2,
      tokens: 500,
      whole: false,
    });
  });

  it("looks at no more than the tail", () => {
    const looked = new Set<number>();
    const tokens = (at: number) => {
      looked.add(at);
      return 10;
    };
    findCut({ ...base, last: 100_000, tokens, trigger: 1_000, target: 500 });
    expect(looked.size).toBeLessThan(110);
  });
});
