import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createInk } from "./colour.js";
import { displayWidth } from "./format.js";
import { cellsOf, gridLines, LOOKS, type Segment, type SegmentKind } from "./grid.js";
import { LEGEND_WIDTH, legendLines } from "./legend.js";

const KINDS = Object.keys(LOOKS) as SegmentKind[];
const segments = fc.array(fc.record({ kind: fc.constantFrom(...KINDS), tokens: fc.integer({ min: 1, max: 3_000 }) }), {
  minLength: 1,
  maxLength: 40,
});

const runs = (cells: readonly SegmentKind[]): string => cells.map((cell) => LOOKS[cell].letter).join("");

describe("cells", () => {
  test("are shares of the window, in its order", () => {
    const window: Segment[] = [
      { kind: "system", tokens: 100 },
      { kind: "user", tokens: 100 },
      { kind: "results", tokens: 300 },
      { kind: "user", tokens: 100 },
      { kind: "free", tokens: 400 },
    ];
    expect(runs(cellsOf(window, 10))).toBe("SURRRU....");
  });

  test("go to the kind that holds most of them", () => {
    const window: Segment[] = [
      { kind: "system", tokens: 149 },
      { kind: "tools", tokens: 151 },
      { kind: "free", tokens: 100 },
    ];
    expect(runs(cellsOf(window, 4))).toBe("STT.");
  });

  test("add up what one kind holds of them in several pieces", () => {
    const window: Segment[] = [
      { kind: "user", tokens: 30 },
      { kind: "assistant", tokens: 40 },
      { kind: "user", tokens: 30 },
      { kind: "free", tokens: 200 },
      { kind: "assistant", tokens: 100 },
    ];
    expect(runs(cellsOf(window, 4))).toBe("U..A");
  });

  test("show a kind that is too small for a cell of its own", () => {
    const window: Segment[] = [
      { kind: "system", tokens: 300 },
      { kind: "note", tokens: 20 },
      { kind: "free", tokens: 680 },
    ];
    expect(runs(cellsOf(window, 10))).toBe("SSSN......");
  });

  test("are as many as asked for, and only of kinds that are there", () => {
    fc.assert(
      fc.property(segments, fc.integer({ min: 1, max: 400 }), (window, count) => {
        const cells = cellsOf(window, count);
        expect(cells).toHaveLength(count);
        const kinds = new Set(window.map(({ kind }) => kind));
        expect(cells.every((cell) => kinds.has(cell))).toBe(true);
      }),
    );
  });

  test("lie within one cell of the true share when each kind is one stretch", () => {
    const stretches = fc.uniqueArray(
      fc.record({ kind: fc.constantFrom(...KINDS), tokens: fc.integer({ min: 200, max: 3_000 }) }),
      {
        selector: ({ kind }) => kind,
        minLength: 1,
      },
    );
    fc.assert(
      fc.property(stretches, (window) => {
        const total = window.reduce((sum, { tokens }) => sum + tokens, 0);
        const cells = cellsOf(window, 200);
        for (const { kind, tokens } of window) {
          const shown = cells.filter((cell) => cell === kind).length;
          expect(Math.abs(shown - (200 * tokens) / total)).toBeLessThanOrEqual(1.01);
        }
      }),
    );
  });
});

describe("lines of cells", () => {
  test("are letters without colour and squares with it", () => {
    const cells: SegmentKind[] = ["system", "tools", "results", "free"];
    expect(gridLines(cells, 2, createInk(0))).toEqual(["S T", "R ."]);
    const coloured = gridLines(cells, 4, createInk(256)).join("");
    expect(coloured).toContain("■");
    expect(coloured).toContain("\u001b[38;5;68m");
    expect(displayWidth(coloured)).toBe(7);
  });

  test("have a letter for each kind that no other has", () => {
    expect(new Set(KINDS.map((kind) => LOOKS[kind].letter)).size).toBe(KINDS.length);
  });
});

describe("the legend", () => {
  const window: Segment[] = [
    { kind: "system", tokens: 416 },
    { kind: "results", tokens: 1_000 },
    { kind: "results", tokens: 584 },
    { kind: "free", tokens: 6_000 },
  ];

  test("adds up each kind and aligns the numbers", () => {
    expect(legendLines(window, ["system", "results", "note", "free"], createInk(0))).toEqual([
      "S System prompt       416    5.2\u00a0%",
      "R Tool results      1,584   19.8\u00a0%",
      "N Note                  0    0.0\u00a0%",
      ". Free              6,000   75.0\u00a0%",
    ]);
  });

  test("takes the columns it says", () => {
    for (const line of legendLines(window, KINDS, createInk(256))) expect(displayWidth(line)).toBe(LEGEND_WIDTH);
  });
});
