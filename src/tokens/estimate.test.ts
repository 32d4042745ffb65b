import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createEstimator, estimateTokens } from "./estimate.js";
import { countO200k } from "./o200k.js";
import { CODE, noise } from "./sample-code.test-helpers.js";
import { OUTPUT } from "./sample-output.test-helpers.js";
import { PROSE } from "./sample-prose.test-helpers.js";

const texts = Object.entries({ ...PROSE, ...CODE, ...OUTPUT });
const ratio = (text: string): number => estimateTokens(text) / countO200k(text);

describe("the estimate", () => {
  it.each(texts)("is at most a tenth under and a quarter over on %s", (_, text) => {
    expect(countO200k(text)).toBeGreaterThanOrEqual(200);
    expect(ratio(text)).toBeGreaterThan(0.9);
    expect(ratio(text)).toBeLessThan(1.25);
  });

  it("is off by less than 7 % in the median", () => {
    const errors = texts.map(([, text]) => Math.abs(ratio(text) - 1)).toSorted((a, b) => a - b);
    expect(errors[Math.floor(errors.length / 2)]).toBeLessThan(0.07);
  });

  it("grows with the text: a text twice over is twice as much, but for the seam", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 200 }), (text) => {
        const once = estimateTokens(`${text}\n`);
        expect(Math.abs(estimateTokens(`${text}\n`.repeat(2)) - 2 * once)).toBeLessThanOrEqual(4);
      }),
    );
  });

  it("never gives less than a token to a text that has one", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", minLength: 1 }), (text) => {
        expect(estimateTokens(`${text}a`)).toBeGreaterThanOrEqual(1);
      }),
    );
    expect(estimateTokens("")).toBe(0);
  });

  it("gives the same number for a text however often and after whatever it is asked", () => {
    const first = estimateTokens(CODE.Go!);
    estimateTokens("漢".repeat(40_000));
    estimateTokens("x");
    expect(estimateTokens(CODE.Go!)).toBe(first);
  });

  it("reads texts longer than its scratch space", () => {
    const text = `${CODE.TypeScript}\n`.repeat(50);
    expect(text.length).toBeGreaterThan(0x8000);
    expect(ratio(text)).toBeCloseTo(ratio(`${CODE.TypeScript}\n`), 1);
  });
});

describe("a family's profile", () => {
  it("scales the estimate by its factor", () => {
    expect(createEstimator({ factor: 1.5 })(CODE.Go!) / estimateTokens(CODE.Go!)).toBeCloseTo(1.5, 1);
  });

  it("gives each digit a token where the family does", () => {
    const digits = noise("0123456789", 600);
    expect(createEstimator({ singleDigits: true })(digits)).toBeGreaterThanOrEqual(600);
    expect(estimateTokens(digits)).toBeLessThan(230);
  });

  it("scales one script and leaves the others", () => {
    const estimate = createEstimator({ scripts: { devanagari: 2 } });
    expect(estimate(PROSE["Hindi story"]!) / estimateTokens(PROSE["Hindi story"]!)).toBeGreaterThan(1.7);
    expect(estimate(CODE.Go!)).toBe(estimateTokens(CODE.Go!));
  });
});
