import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createTokenCounter } from "./create-token-counter.js";

describe("half of a surrogate pair", () => {
  test.each(["gpt-5", "gpt-4", "claude-sonnet-4-5"])("counts as what is sent for it: %s", (model) => {
    const counter = createTokenCounter({ model });
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 12 }), fc.nat(12), (text, at) => {
        const broken = `${text.slice(0, at)}\udbff${text.slice(at)}`;
        expect(counter.text(broken)).toBe(counter.text(broken.toWellFormed()));
      }),
    );
  });
});
