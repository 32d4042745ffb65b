import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Candidate, choose } from "./select.js";

const candidate: fc.Arbitrary<Candidate> = fc.record({
  tokens: fc.integer({ min: 1, max: 40 }),
  identifiers: fc.array(fc.constantFrom("a", "b", "c", "d", "e", "f"), { maxLength: 4 }),
  bonus: fc.constantFrom(0, 0, 0.1),
});
const WORTH: Record<string, number> = { a: 1, b: 0.8, c: 0.5, d: 0.3, e: 0.1, f: 0.05 };
const worth = (identifier: string) => WORTH[identifier] ?? 0;

describe("choose", () => {
  it("stays within the tokens, keeps the order and chooses the same again", () => {
    fc.assert(
      fc.property(fc.array(candidate, { maxLength: 40 }), fc.nat(200), (candidates, maxTokens) => {
        const chosen = choose(candidates, maxTokens, worth);
        expect(chosen.reduce((sum, { tokens }) => sum + tokens, 0)).toBeLessThanOrEqual(maxTokens);
        const places = chosen.map((each) => candidates.indexOf(each));
        expect(places).toEqual([...places].sort((a, b) => a - b));
        expect(choose(candidates, maxTokens, worth)).toEqual(chosen);
      }),
    );
  });

  it("never pays twice for one identifier", () => {
    const twice = [
      { tokens: 5, identifiers: ["a"], bonus: 0 },
      { tokens: 5, identifiers: ["a"], bonus: 0 },
    ];
    expect(choose(twice, 100, worth)).toHaveLength(1);
  });

  it("covers everything of worth where there is room", () => {
    fc.assert(
      fc.property(fc.array(candidate, { maxLength: 20 }), (candidates) => {
        const covered = new Set(choose(candidates, 10_000, worth).flatMap(({ identifiers }) => identifiers));
        for (const { identifiers } of candidates) for (const each of identifiers) expect(covered.has(each)).toBe(true);
      }),
    );
  });
});
