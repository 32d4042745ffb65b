import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { safeCut, safeCutAfter } from "./safe-cut.js";

const isWellFormed = (text: string) => !/\p{Surrogate}/u.test(text);

describe("safeCut", () => {
  it("leaves a cut between plain characters where it is", () => {
    expect(safeCut("abcdef", 3)).toBe(3);
  });

  it("moves before a surrogate pair, a family emoji, an accent and a CRLF", () => {
    expect(safeCut("a😀b", 2)).toBe(1);
    expect(safeCut("a👨‍👩‍👧b", 5)).toBe(1);
    expect(safeCut("ae\u0301b", 2)).toBe(1);
    expect(safeCut("a\r\nb", 2)).toBe(1);
  });

  it("moves after the same when asked to", () => {
    expect(safeCutAfter("a😀b", 2)).toBe(3);
    expect(safeCutAfter("a👨‍👩‍👧b", 5)).toBe(9);
  });

  it("never parts a surrogate pair, even in an endless grapheme", () => {
    const text = `e${"\u0301".repeat(500)}${"😀\u200d".repeat(500)}`;
    for (let index = 0; index <= text.length; index += 7) {
      for (const cut of [safeCut(text, index), safeCutAfter(text, index)]) {
        expect(isWellFormed(text.slice(0, cut)) && isWellFormed(text.slice(cut))).toBe(true);
      }
    }
  });

  it("stays in the text and on its side of the index", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 60 }), fc.nat(80), (text, index) => {
        expect(safeCut(text, index)).toBeLessThanOrEqual(index);
        expect(safeCutAfter(text, index)).toBeGreaterThanOrEqual(Math.min(index, text.length));
        expect(safeCutAfter(text, index)).toBeLessThanOrEqual(text.length);
      }),
    );
  });
});
