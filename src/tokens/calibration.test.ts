import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Calibration, calibrate, correctionOf, NO_CALIBRATION } from "./calibration.js";

const feed = (ratios: readonly number[], state: Calibration = NO_CALIBRATION): Calibration =>
  ratios.reduce((current, ratio) => calibrate(current, { estimated: 10_000, reported: 10_000 * ratio }), state);

const trueRatio = fc.double({ min: 0.7, max: 1.8, noNaN: true });
const jitter = fc.array(fc.double({ min: -0.02, max: 0.02, noNaN: true }), { minLength: 12, maxLength: 60 });

describe("calibration", () => {
  it("converges to the ratio of reported to counted tokens", () => {
    fc.assert(
      fc.property(trueRatio, jitter, (ratio, noise) => {
        const { factor } = correctionOf(feed(noise.map((part) => ratio * (1 + part))), 0.1);
        expect(Math.abs(factor / ratio - 1)).toBeLessThan(0.03);
      }),
    );
  });

  it("is not moved by a minority of wild reports, wherever they fall", () => {
    const wild = fc.oneof(
      fc.constant(0),
      fc.double({ min: 0.001, max: 0.6, noNaN: true }),
      fc.double({ min: 2, max: 90, noNaN: true }),
    );
    const reports = fc
      .tuple(fc.array(fc.constant(1.25), { minLength: 16, maxLength: 16 }), fc.array(wild, { maxLength: 7 }))
      .chain(([good, bad]) => fc.shuffledSubarray([...good, ...bad], { minLength: good.length + bad.length }));
    fc.assert(
      fc.property(reports, (ratios) => {
        expect(correctionOf(feed(ratios), 0.1).factor).toBe(1.25);
      }),
    );
  });

  it("follows a lasting change", () => {
    const state = feed(Array(40).fill(1.6), feed(Array(40).fill(1.1)));
    expect(correctionOf(state, 0.1).factor).toBe(1.6);
  });

  it("tightens the bound when reports agree and widens it when they do not", () => {
    const steady = correctionOf(feed(Array(30).fill(1.2)), 0.1).errorBound;
    const scattered = correctionOf(feed(Array.from({ length: 30 }, (_, index) => (index % 3 === 0 ? 1.5 : 1.1))), 0.1);
    expect(steady).toBeLessThan(0.05);
    expect(scattered.errorBound).toBeGreaterThan(0.1);
  });

  it("covers the ratios seen: nine in ten lie within factor and bound", () => {
    const ratio = fc.double({ min: 1, max: 1.25, noNaN: true });
    fc.assert(
      fc.property(fc.array(ratio, { minLength: 10, maxLength: 32 }), (ratios) => {
        const { factor, errorBound } = correctionOf(feed(ratios), 0.1);
        const within = ratios.filter((value) => value <= (factor + 0.005) * (1 + errorBound) + 1e-9).length;
        expect(within / ratios.length).toBeGreaterThanOrEqual(0.9);
      }),
    );
  });

  it("changes nothing on fewer than three reports, and states no bound of its own for them", () => {
    expect(correctionOf(feed([1.5, 1.5]), 0.1)).toEqual({ factor: 1, errorBound: 0.1 });
    expect(correctionOf(NO_CALIBRATION, 0)).toEqual({ factor: 1, errorBound: 0 });
  });

  it("leaves out small requests, missing usage and absurd numbers", () => {
    const state = feed([1.2, 1.2, 1.2]);
    const reports = [
      { estimated: 50, reported: 400 },
      { estimated: 5_000, reported: {} },
      { estimated: 5_000, reported: 0 },
      { estimated: 0, reported: 900 },
      { estimated: Number.NaN, reported: 900 },
      { estimated: 5_000, reported: 90_000 },
    ];
    for (const report of reports) expect(calibrate(state, report)).toBe(state);
    expect(calibrate(state, { estimated: 5_000, reported: { inputTokens: 6_000 } })).not.toBe(state);
  });

  it("takes the factor of a calibrated counter out of what it said", () => {
    const report = { estimated: 12_000, reported: 12_000, factor: 1.2 };
    expect(
      correctionOf(
        [1, 2, 3].reduce((state) => calibrate(state, report), NO_CALIBRATION),
        0.1,
      ).factor,
    ).toBe(1.2);
  });

  it("is plain JSON of bounded size and leaves the state it was given alone", () => {
    const before = feed([1.1]);
    const state = feed(Array(500).fill(1.234567), before);
    expect(before.ratios).toEqual([1.1]);
    expect(JSON.parse(JSON.stringify(state))).toEqual(state);
    expect(JSON.stringify(state).length).toBeLessThan(400);
  });
});
