import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { normaliseTerminal } from "./normalise.js";

describe("normaliseTerminal", () => {
  it("drops colours, links and titles", () => {
    expect(normaliseTerminal("\u001b[1;31mred\u001b[0m \u001b]8;;http://x\u0007link\u001b]8;;\u0007")).toBe("red link");
  });

  it("shows a rewritten line in its last state", () => {
    expect(normaliseTerminal("start\n10 %\r50 %\r100 %\ndone")).toBe("start\n100 %\ndone");
  });

  it("turns CRLF into LF", () => {
    expect(normaliseTerminal("a\r\nb\r\n")).toBe("a\nb\n");
  });

  it("keeps the number of lines", () => {
    const pieces = fc.constantFrom("a", "\r", "\n", "\u001b[0m", "\u001b]", "\u0007", "x y");
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 60 }), (parts) => {
        const text = parts.join("");
        expect(normaliseTerminal(text).split("\n").length).toBe(text.split("\n").length);
        expect(normaliseTerminal(text)).not.toContain("\r");
      }),
    );
  });
});
