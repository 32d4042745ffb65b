import fc from "fast-check";
import { countTokens as cl100k } from "gpt-tokenizer/encoding/cl100k_base";
import { countTokens as o200k } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, it } from "vitest";
import { cpuTime } from "../../test/support/cpu-time.js";
import { runs } from "../../test/support/runs.js";
import { countCl100k } from "./cl100k.js";
import { countO200k } from "./o200k.js";
import { CODE } from "./sample-code.test-helpers.js";
import { PROSE } from "./sample-prose.test-helpers.js";

const PLAIN = { disallowedSpecial: new Set<string>() };
const texts = Object.entries({ ...PROSE, ...CODE });

/** Marks, halves of pairs, joined emoji, digits of other scripts: what splitting and byte merging stumble over. */
const odd = fc.constantFrom(
  ..."aBß汉한かกक12٣½ \n\t\r\"'/\u0301\uFEFF\uD800\uDC00\u00a0\u2028\u0000\uFFFDſK𝒳",
  "👨‍👩‍👧",
  "'s",
  "  ",
  "==",
);
const oddText = fc.array(fc.oneof(odd, fc.string({ maxLength: 5 })), { maxLength: 14 }).map((parts) => parts.join(""));

describe("exact counting", () => {
  it.each(texts)("agrees with the reference tokenizer on %s", (_, text) => {
    expect(countO200k(text)).toBe(o200k(text, PLAIN));
    expect(countCl100k(text)).toBe(cl100k(text, PLAIN));
  });

  it("agrees with the reference tokenizer on any mix of scripts, marks and broken characters", () => {
    fc.assert(
      fc.property(oddText, (text) => {
        expect(countO200k(text)).toBe(o200k(text, PLAIN));
        expect(countCl100k(text)).toBe(cl100k(text, PLAIN));
      }),
      { numRuns: runs(2000) },
    );
  });

  it("agrees with the reference tokenizer on runs of some length", () => {
    for (const unit of ["a", " ", "=", "\n", "漢字", "😀", "Qx7"]) {
      expect(countO200k(unit.repeat(300))).toBe(o200k(unit.repeat(300), PLAIN));
    }
    for (const unit of ["\n ", "1", "a1", " é"]) {
      expect(countO200k(unit.repeat(20_000))).toBe(o200k(unit.repeat(20_000), PLAIN));
    }
  });

  it("agrees with the reference tokenizer on long texts, whatever stands where they are cut", () => {
    const filler = "ab c1 ".repeat(3_000);
    const ends = fc.oneof(
      oddText,
      fc.constantFrom(" don't", "WE'LL go", "  \n\n  x", "\n            \nx", "12345", "{}\n//", "\u00a0 \n"),
    );
    fc.assert(
      fc.property(fc.integer({ min: 16_370, max: 16_390 }), ends, (length, end) => {
        const text = `${filler.slice(0, length)}${end} and more`;
        expect(countO200k(text)).toBe(o200k(text, PLAIN));
      }),
      { numRuns: runs(200) },
    );
  });

  it("counts control tokens as the text they are", () => {
    expect(countO200k("<|endoftext|>")).toBe(o200k("<|endoftext|>", PLAIN));
    expect(countO200k("<|endoftext|>")).toBeGreaterThan(1);
    expect(countO200k("a<|im_start|>b")).toBeGreaterThan(3);
  });

  it("counts nothing for no text", () => {
    expect(countO200k("")).toBe(0);
    expect(countCl100k("")).toBe(0);
  });
});

describe("texts that are hard to cut", () => {
  it.each(["\0 ", "\u0001\n", "\u0001 \u0002\t\u0003\n", " \u00a0", "a\u0301 ", "\n\u2028"])(
    "takes time in proportion to many of %j",
    async (unit) => {
      for (const count of [countO200k, countCl100k]) {
        count(unit.repeat(2_000));
        const short = await cpuTime(() => count(unit.repeat(5_000)), 3);
        const long = await cpuTime(() => count(unit.repeat(40_000)), 3);
        expect(long / Math.max(short, 1)).toBeLessThan(28);
      }
    },
  );
});

describe("long unbroken runs", () => {
  it.each(["a", "A", " ", "=", "\n", "漢", "ab"])("takes time in proportion to a run of %j", async (unit) => {
    countO200k(unit.repeat(2_000));
    const short = await cpuTime(() => countO200k(unit.repeat(10_000)), 3);
    const long = await cpuTime(() => countO200k(unit.repeat(80_000)), 3);
    // Eight times the text; a quadratic count would take sixty-four times as long.
    expect(long / Math.max(short, 0.5)).toBeLessThan(28);
  });
});
