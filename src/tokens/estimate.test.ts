import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createEstimator, estimateTokens } from "./estimate.js";
import { countO200k } from "./o200k.js";
import { CODE, noise } from "./sample-code.test-helpers.js";
import { OUTPUT } from "./sample-output.test-helpers.js";
import { PROSE } from "./sample-prose.test-helpers.js";

const texts = Object.entries({ ...PROSE, ...CODE, ...OUTPUT });
const ratio = (text: string): number => estimateTokens(text) / countO200k(text);

/** Where every percent counts; other scripts and signs lean up, so that the bound holds for all of their languages. */
const main = [
  ...Object.entries(CODE),
  ...texts.filter(([name]) => /^(English|Markdown|a table|a coloured|short rules|line breaks|tabs)/.test(name)),
];

describe("the estimate", () => {
  it.each(texts)("is at most a tenth under and not twice as much on %s", (_, text) => {
    expect(countO200k(text)).toBeGreaterThanOrEqual(200);
    expect(ratio(text)).toBeGreaterThan(1 / 1.1);
    expect(ratio(text)).toBeLessThan(1.8);
  });

  it("is off by less than 6 % in the median on English, code and data", () => {
    const errors = main.map(([, text]) => Math.abs(ratio(text) - 1)).toSorted((a, b) => a - b);
    expect(errors[Math.floor(errors.length / 2)]).toBeLessThan(0.06);
    expect(errors.at(-1)).toBeLessThan(0.15);
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
    const plain = createEstimator({ fitted: "claude" });
    expect(createEstimator({ fitted: "claude", factor: 1.3 })(CODE.Go!) / plain(CODE.Go!)).toBeCloseTo(1.3, 1);
  });

  it("gives each digit a token where the family does", () => {
    const digits = noise("0123456789", 600);
    expect(createEstimator({ fitted: "qwen" })(digits)).toBeGreaterThanOrEqual(600 / 1.1);
    expect(estimateTokens(digits)).toBeLessThan(230);
  });

  it("knows which scripts a family's tokenizer covers badly", () => {
    const hindi = PROSE["Hindi story"]!;
    expect(createEstimator({ fitted: "qwen" })(hindi) / estimateTokens(hindi)).toBeGreaterThan(1.7);
    expect(createEstimator({ fitted: "qwen" })(CODE.Go!) / estimateTokens(CODE.Go!)).toBeLessThan(1.1);
  });
});
