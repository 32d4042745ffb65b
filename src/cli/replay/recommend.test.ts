import { describe, expect, it } from "vitest";
import type { Run } from "./compare.js";
import { NO_FIGURES, rate, ratesOf } from "./figures.js";
import { recommend } from "./recommend.js";
import { defaultWindows, ordered, settingsOf } from "./setting.js";

interface Figures {
  readonly found: number;
  readonly tokens: number;
  readonly over?: number;
  readonly compactions?: number;
}

function run(name: string, figures: Figures, unfit = 0): Run {
  const total = rate({ ...NO_FIGURES, views: 10, needed: 1_000, ...figures }, ratesOf(undefined));
  return { setting: { name, strategy: name, window: 8_000 }, total, unfit, conversations: [] };
}

/** A present setting that every other one beats. */
const PRESENT = run("present", { found: 0, tokens: 1 }, 2);
const chosen = (...runs: Run[]) => recommend([...runs, PRESENT], PRESENT).recommended?.setting.name;

describe("the recommendation", () => {
  it("is the cheapest within a point of the best recall", () => {
    const runs = [
      run("best", { found: 990, tokens: 900 }),
      run("near", { found: 980, tokens: 500 }),
      run("cheap", { found: 979, tokens: 100 }),
    ];
    expect(chosen(...runs)).toBe("near");
  });

  it("takes the better one where two cost the same", () => {
    expect(chosen(run("a", { found: 985, tokens: 5 }), run("b", { found: 990, tokens: 5 }))).toBe("b");
    expect(
      chosen(run("a", { found: 990, tokens: 5, compactions: 4 }), run("b", { found: 990, tokens: 5, compactions: 2 })),
    ).toBe("b");
  });

  it("passes over settings with views over the window, and those that a conversation does not fit", () => {
    const sound = run("sound", { found: 700, tokens: 900 });
    expect(chosen(run("over", { found: 990, tokens: 1, over: 1 }), sound)).toBe("sound");
    expect(chosen(run("unfit", { found: 990, tokens: 1 }, 1), sound)).toBe("sound");
    expect(chosen(run("unfit", { found: 990, tokens: 1 }, 1))).toBe("unfit");
  });

  it("is none where no call tells what was needed", () => {
    const silent = { ...PRESENT, total: rate(NO_FIGURES, ratesOf(undefined)) };
    expect(recommend([silent], silent)).toMatchObject({
      recommended: undefined,
      reason: expect.stringMatching("no calls"),
    });
  });

  it("is none where nothing beats what is configured; ties keep it", () => {
    const present = run("present", { found: 990, tokens: 500, compactions: 3 });
    const tie = run("tie", { found: 995, tokens: 500 });
    expect(recommend([tie, present], present)).toMatchObject({
      recommended: undefined,
      reason: expect.stringMatching("better"),
    });
    const cheaper = run("cheaper", { found: 985, tokens: 499 });
    expect(recommend([tie, present, cheaper], present).recommended).toBe(cheaper);
    const unfit = { ...present, unfit: 1 };
    expect(recommend([tie, unfit], unfit).recommended).toBe(tie);
  });

  it("is none where no setting left anything out", () => {
    const present = run("present", { found: 990, tokens: 500 });
    expect(recommend([run("other", { found: 990, tokens: 500 }), present], present).reason).toMatch("fit every window");
  });
});

describe("what is compared", () => {
  it.each([
    [90_000, 200_000, [16_000, 32_000, 64_000]],
    [400_000, 200_000, [64_000, 128_000, 200_000]],
    [9_000, undefined, [4_000, 8_000]],
    [1_000, undefined, [4_000]],
    [1_000, 2_000, [2_000]],
    [64_000, 64_000, [8_000, 16_000, 32_000]],
  ])("for a history of %d and a window of %s are the windows %j", (longest, most, windows) => {
    expect(defaultWindows(longest, most)).toEqual(windows);
  });

  it("is each setting once, the smaller windows first", () => {
    const setting = (name: string, window: number, trigger?: number) => ({
      name,
      strategy: name,
      window,
      ...(trigger !== undefined && { trigger }),
    });
    const settings = [setting("a", 4), setting("a", 2), setting("a", 2, 0.5), setting("a", 4)];
    expect(ordered(settings)).toEqual([setting("a", 2), setting("a", 2, 0.5), setting("a", 4)]);
  });

  it("is every strategy with every window and every pair of thresholds", () => {
    const strategies = ["a", "b"].map((name) => ({ name, strategy: name }));
    const settings = settingsOf({ strategies, windows: [1, 2], thresholds: [{}, { trigger: 0.5 }] });
    expect(settings).toHaveLength(8);
    expect(settings.at(-1)).toEqual({ name: "b", strategy: "b", window: 2, trigger: 0.5 });
  });
});
