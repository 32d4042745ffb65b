import { describe, expect, test } from "vitest";
import { colourDepth, createInk, TONES } from "./colour.js";

const STEPS = [0, 95, 135, 175, 215, 255];

/** Red, green and blue of one of the 256 colours, from 16 on. */
function components(colour: number): number[] {
  if (colour >= 232) return Array<number>(3).fill(8 + 10 * (colour - 232));
  const place = colour - 16;
  return [Math.floor(place / 36), Math.floor(place / 6) % 6, place % 6].map((at) => STEPS[at] ?? Number.NaN);
}

/** Relative luminance as WCAG defines it. */
function luminance(colour: number): number {
  const [red = 0, green = 0, blue = 0] = components(colour).map((value) =>
    value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

describe("tones", () => {
  test.each(Object.entries(TONES))("%s can be seen on black and on white", (_, { of256 }) => {
    expect((luminance(of256) + 0.05) / 0.05).toBeGreaterThanOrEqual(3);
    expect(1.05 / (luminance(of256) + 0.05)).toBeGreaterThanOrEqual(3);
  });

  test("are all different", () => {
    expect(new Set(Object.values(TONES).map(({ of256 }) => of256)).size).toBe(Object.keys(TONES).length);
  });
});

describe("ink", () => {
  test("writes 256 colours, 16, or none", () => {
    expect(createInk(256).tone("red", "no")).toBe("\u001b[38;5;160mno\u001b[39m");
    expect(createInk(16).tone("red", "no")).toBe("\u001b[31mno\u001b[39m");
    expect(createInk(0).tone("red", "no")).toBe("no");
  });

  test("writes bold only where it writes colours", () => {
    expect(createInk(256).bold("x")).toBe("\u001b[1mx\u001b[22m");
    expect(createInk(0).bold("x")).toBe("x");
  });
});

describe("the depth of colour", () => {
  const terminal = { color: true, environment: {}, isTerminal: true, bits: 8 };

  test("is what the terminal can show", () => {
    expect(colourDepth(terminal)).toBe(256);
    expect(colourDepth({ ...terminal, bits: 24 })).toBe(256);
    expect(colourDepth({ ...terminal, bits: 4 })).toBe(16);
    expect(colourDepth({ ...terminal, bits: 1 })).toBe(0);
  });

  test("is none in a pipe, on a dumb terminal, and where NO_COLOR says so", () => {
    expect(colourDepth({ ...terminal, isTerminal: false })).toBe(0);
    expect(colourDepth({ ...terminal, environment: { TERM: "dumb" } })).toBe(0);
    expect(colourDepth({ ...terminal, environment: { NO_COLOR: "1" } })).toBe(0);
  });

  test("ignores an empty NO_COLOR", () => {
    expect(colourDepth({ ...terminal, environment: { NO_COLOR: "" } })).toBe(256);
  });

  test("follows FORCE_COLOR even in a pipe, and the flag before all", () => {
    const forced = { ...terminal, isTerminal: false, environment: { FORCE_COLOR: "1", NO_COLOR: "1" } };
    expect(colourDepth(forced)).toBe(256);
    expect(colourDepth({ ...forced, environment: { FORCE_COLOR: "0" } })).toBe(0);
    expect(colourDepth({ ...forced, color: false })).toBe(0);
  });
});
