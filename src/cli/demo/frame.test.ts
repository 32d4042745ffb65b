import { beforeAll, describe, expect, test } from "vitest";
import { createInk } from "../terminal/colour.js";
import { displayWidth } from "../terminal/format.js";
import { collect, type Replayed } from "./collect.js";
import { eventLines, eventsOf } from "./events.js";
import { frameLines } from "./frame.js";
import { replay, type Step } from "./replay.js";
import { sampleSession } from "./sample-session.js";
import { summarize } from "./summary.js";
import { summaryLines } from "./summary-lines.js";

const plain = createInk(0);
const WIDTHS = [36, 39, 60, 71, 79, 103, 104, 200];

let replayed: Replayed;
let last: Step;
beforeAll(async () => {
  replayed = await collect(replay({ sample: sampleSession(), window: 8_000, strategy: "sliding-window" }));
  last = replayed.steps.at(-1)!;
});

const widest = (lines: readonly string[]): number => Math.max(...lines.map(displayWidth));
const frame = (width: number, height = 40) => frameLines(last, { ink: plain, width, height, caption: true });
const isCells = (line: string) => /^ [A-Z.-]( [A-Z.-]){9,}/.test(line);

describe("a frame", () => {
  test.each(WIDTHS)("fits %i columns, with colours too", (width) => {
    expect(widest(frame(width))).toBeLessThanOrEqual(width);
    const coloured = frameLines(last, { ink: createInk(256), width, height: 40, caption: true });
    expect(widest(coloured)).toBeLessThanOrEqual(width);
  });

  test("has ten rows of twenty cells beside the legend on 80 columns", () => {
    const rows = frame(79).filter(isCells);
    expect(rows).toHaveLength(10);
    expect(rows[0]).toMatch(/^( [A-Z.]){20} {3}S System prompt +\d+ +\d+\.\d\u00a0%$/);
    expect(frame(79).join("\n")).toContain("one cell is 40 tokens");
  });

  test("puts the legend below the grid where there is no room beside it", () => {
    const lines = frame(39);
    const legend = lines.findIndex((line) => line.includes("System prompt"));
    expect(lines.findLastIndex(isCells)).toBeLessThan(legend);
  });

  test("takes fewer rows on a low terminal", () => {
    expect(frame(39, 24).filter(isCells).length).toBeLessThan(10);
    expect(frame(39, 24).length).toBeLessThanOrEqual(24);
    expect(frame(79, 14)).toHaveLength(14);
  });

  test("says strategy, window, step, and the tokens of log and view", () => {
    const text = frame(79).slice(0, 2).join("\n");
    expect(text).toContain("varve demo · sliding-window · window 8,000 · step 53 of 53");
    expect(text).toContain(`log ${last.log.tokens.toLocaleString("en-US")} tokens in ${last.log.messages} messages`);
    expect(text).toContain(`view ${last.view.tokens.toLocaleString("en-US")} tokens`);
  });

  test("shows what is kept free where the budget has a reserve", () => {
    const segments = [
      ...last.segments.filter(({ kind }) => kind !== "free" && kind !== "reserve"),
      { kind: "reserve" as const, tokens: 900 },
    ];
    const lines = frameLines({ ...last, segments }, { ink: plain, width: 79, height: 40, caption: false });
    expect(lines.join("\n")).toContain("- Kept free           900");
  });
});

describe("events", () => {
  test("tell of a cut: what, from how much to how much, why, what stands in, how to get it back", () => {
    const step = replayed.steps.find(({ view }) => view.receipt?.leftOut !== undefined)!;
    const { receipt } = step.view;
    const cut = eventsOf(step).find(({ what }) => what === "cut")!;
    const count = (tokens = 0) => tokens.toLocaleString("en-US");
    expect(cut.headline).toContain(`${receipt?.leftOut?.from}–${receipt?.leftOut?.to} left out`);
    expect(cut.headline).toContain(`${count(receipt?.tokensBefore)} → ${count(receipt?.tokensAfter)} tokens`);
    expect(cut.details).toMatch(/^The history exceeded .*A note of \d+ tokens stands in .*session\.entries\(\)/);
  });

  test("name the tool whose result was shortened", () => {
    const events = replayed.steps.flatMap(eventsOf).filter(({ what }) => what === "shortened");
    expect(events.length).toBeGreaterThan(2);
    for (const { headline } of events) expect(headline).toMatch(/^e\d+ \(\w+\): [\d,]+ → [\d,]+ tokens$/);
  });

  test.each(WIDTHS)("fit %i columns, with and without details", (width) => {
    for (const event of replayed.steps.flatMap(eventsOf)) {
      expect(widest(eventLines(event, { width, ink: plain, details: true }))).toBeLessThanOrEqual(width);
      if (width >= 79) expect(eventLines(event, { width, ink: plain, details: false })).toHaveLength(1);
    }
  });
});

describe("the summary in words", () => {
  test.each(WIDTHS)("fits %i columns", (width) => {
    expect(widest(summaryLines(summarize(replayed.steps, replayed.log), { ink: plain, width }))).toBeLessThanOrEqual(
      width,
    );
  });

  test("says so when a view is over the window or refused, or a message lost", () => {
    const bad = { ...summarize(replayed.steps, replayed.log), viewsOverWindow: 2, viewsRefused: 1, messagesKept: 7 };
    const text = summaryLines(bad, { ink: plain, width: 200 }).join("\n");
    expect(text).toContain("2 views over the window");
    expect(text).toContain(`${bad.views - 1} of ${bad.views} views: openai-chat`);
    expect(text).toContain("messages, 7 still there");
    expect(text).not.toContain("never over");
  });
});
