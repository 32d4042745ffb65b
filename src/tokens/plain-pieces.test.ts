import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../../test/support/runs.js";
import { O200K_PIECES } from "./o200k.js";
import { plainPieceEnd } from "./plain-pieces.js";

const piece = fc.constantFrom(
  ..."aZ9 \n\t\r'\"/=\u0000é汉\u00a0",
  "'s",
  "'LL",
  "'ve",
  "the",
  "USA",
  "Foo",
  "123",
  "  ",
);
const texts = fc.array(piece, { maxLength: 20 }).map((parts) => parts.join(""));

const codesOf = (text: string): Uint16Array =>
  Uint16Array.from({ length: text.length }, (_, at) => text.charCodeAt(at));

describe("plainPieceEnd", () => {
  it("ends pieces where the expression of the encoding does, or leaves them to it", () => {
    fc.assert(
      fc.property(texts, (text) => {
        const codes = codesOf(text);
        for (const { index, 0: found } of text.matchAll(O200K_PIECES)) {
          const end = plainPieceEnd(codes, index, text.length);
          if (end !== -1) expect([index, end]).toEqual([index, index + found.length]);
        }
      }),
      { numRuns: runs(3_000) },
    );
  });

  it("leaves no piece of plain text to it", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary-ascii", maxLength: 40 }), (text) => {
        const codes = codesOf(text);
        for (const { index } of text.matchAll(O200K_PIECES))
          expect(plainPieceEnd(codes, index, text.length)).toBeGreaterThan(index);
      }),
    );
  });
});
