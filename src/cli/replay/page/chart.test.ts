import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { chartMarkup } from "./chart.js";
import { evenScale, roundScale } from "./scale.js";

describe("a scale", () => {
  it("holds every value between its ends, and its marks are evenly apart", () => {
    const value = fc.double({ min: -1e9, max: 1e9, noNaN: true }).map((number) => Math.round(number * 1_000) / 1_000);
    fc.assert(
      fc.property(fc.array(value, { minLength: 1, maxLength: 20 }), (values) => {
        const { ticks, at } = roundScale(values, { from: 0, to: 100 });
        for (const each of values) {
          expect(at(each)).toBeGreaterThanOrEqual(-1e-6);
          expect(at(each)).toBeLessThanOrEqual(100 + 1e-6);
        }
        expect(ticks.length).toBeGreaterThan(1);
        expect(ticks.length).toBeLessThan(9);
      }),
    );
  });

  it("has round marks", () => {
    expect(roundScale([0.92, 1], { from: 0, to: 1 }).ticks).toEqual([0.92, 0.94, 0.96, 0.98, 1]);
    expect(roundScale([0, 12.5], { from: 0, to: 1 }).ticks).toEqual([0, 5, 10, 15]);
  });

  it("gives windows that double the same room each", () => {
    const { at, ticks } = evenScale([64_000, 16_000, 16_000], { from: 0, to: 100 });
    expect(ticks).toEqual([16_000, 64_000]);
    expect([at(16_000), at(64_000)]).toEqual([25, 75]);
  });
});

it("a chart lets no text of the recordings become markup", () => {
  const axis = { label: "<x>", format: String };
  const curves = [{ tone: 0, points: [{ x: 1, y: 1, says: '"><script>alert(1)</script>' }] }];
  const markup = chartMarkup({ title: "<b>", note: "a & b", curves, x: axis, y: axis });
  expect(markup).not.toMatch(/<script|<b>|<x>/);
  expect(markup).toContain("&lt;script&gt;");
});
