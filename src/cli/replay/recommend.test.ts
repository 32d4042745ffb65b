import { describe, expect, it } from "vitest";
import type { Run } from "./compare.js";
import { NO_FIGURES, rate, ratesOf } from "./figures.js";
import { recommend } from "./recommend.js";
import { defaultWindows, settingsOf } from "./setting.js";

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

const chosen = (...runs: Run[]) => recommend(runs)?.setting.name;

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
    expect(recommend([{ ...run("a", { found: 0, tokens: 1 }), total: rate(NO_FIGURES, ratesOf(undefined)) }])).toBe(
      undefined,
    );
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

  it("is every strategy with every window and every pair of thresholds", () => {
    const strategies = ["a", "b"].map((name) => ({ name, strategy: name }));
    const settings = settingsOf({ strategies, windows: [1, 2], thresholds: [{}, { trigger: 0.5 }] });
    expect(settings).toHaveLength(8);
    expect(settings.at(-1)).toEqual({ name: "b", strategy: "b", window: 2, trigger: 0.5 });
  });
});
