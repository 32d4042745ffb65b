import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createInk } from "./colour.js";
import { countOf, displayWidth, formatCount, formatPercent, padEnd, padStart, truncate, wrap } from "./format.js";

const text = fc.string({ unit: "grapheme", maxLength: 60 });
const width = fc.integer({ min: 1, max: 50 });

describe("numbers", () => {
  test("have thousands separators", () => {
    expect(formatCount(7912)).toBe("7,912");
    expect(formatCount(1_472_842)).toBe("1,472,842");
  });

  test("of percent have one digit and a space that does not break", () => {
    expect(formatPercent(0.0519)).toBe("5.2\u00a0%");
    expect(formatPercent(1)).toBe("100.0\u00a0%");
  });

  test("agree with their noun", () => {
    expect(countOf(1, "entry", "entries")).toBe("1 entry");
    expect(countOf(0, "token")).toBe("0 tokens");
    expect(countOf(2000, "entry", "entries")).toBe("2,000 entries");
  });
});

describe("the width of a text", () => {
  test.each([
    ["plain", 5],
    ["Zürich", 6],
    ["東京", 4],
    ["한국", 4],
    ["👩‍👩‍👧", 2],
    ["e\u0301", 1],
    ["→ ■ ·", 5],
    ["", 0],
  ])("%s takes %i columns", (each, columns) => {
    expect(displayWidth(each)).toBe(columns);
  });

  test("does not count colours", () => {
    expect(displayWidth(createInk(256).tone("red", createInk(256).bold("stop")))).toBe(4);
  });

  test("decides padding on both sides", () => {
    expect(padEnd("東京", 6)).toBe("東京  ");
    expect(padStart("東京", 6)).toBe("  東京");
    expect(padStart("longer", 3)).toBe("longer");
  });
});

describe("truncating", () => {
  test("marks what is missing and leaves the rest alone", () => {
    expect(truncate("a long line of words", 10)).toBe("a long li…");
    expect(truncate("short", 10)).toBe("short");
    expect(truncate("two\n  lines", 20)).toBe("two lines");
  });

  test("does not split a wide character", () => {
    expect(truncate("東京東京", 6)).toBe("東京…");
    expect(truncate("東京東京", 4)).toBe("東…");
  });

  test("never takes more columns than it may", () => {
    fc.assert(fc.property(text, width, (each, columns) => displayWidth(truncate(each, columns)) <= columns));
  });
});

describe("wrapping", () => {
  test("breaks between words and keeps a number with its percent sign", () => {
    expect(wrap("the quick brown fox", 10)).toEqual(["the quick", "brown fox"]);
    expect(wrap(`about ${formatPercent(0.5)} of it`, 11)).toEqual(["about", "50.0\u00a0% of", "it"]);
  });

  test("never writes a line that is too wide, and loses no word that fits", () => {
    const word = fc.stringMatching(/^[a-zü東]{1,6}$/);
    fc.assert(
      fc.property(fc.array(word), fc.integer({ min: 12, max: 40 }), (words, columns) => {
        const lines = wrap(words.join(" "), columns);
        expect(lines.every((line) => displayWidth(line) <= columns)).toBe(true);
        expect(lines.join(" ").split(" ").filter(Boolean)).toEqual(words);
      }),
    );
  });
});
