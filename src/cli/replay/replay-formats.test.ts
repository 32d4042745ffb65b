import { expect, it } from "vitest";
import { createTokenCounter, readRecording } from "../../index.js";
import { SAMPLES } from "../../wire/recordings/samples.test-helpers.js";
import { runSetting, totalWork } from "./compare.js";
import { ratesOf } from "./figures.js";
import { playedOf } from "./prepare.js";

/** That of opencode has no message of an agent. */
const samples = Object.entries(SAMPLES).filter(([format]) => format !== "varve-export" && format !== "opencode");

it.each(samples)("a recording of %s replays within its window, legal for every provider", async (format, text) => {
  const counter = createTokenCounter();
  const recording = readRecording(text);
  const played = playedOf([{ file: `${format}.json`, ...recording }], counter);
  const setting = { name: "hierarchical", strategy: "hierarchical", window: 4_000 };
  let work = 0;
  const onProgress = (amount: number) => {
    work += amount;
  };
  const tools = { counter, model: undefined, reserve: undefined, rates: ratesOf(undefined), now: () => 0, onProgress };
  const { total, unfit } = await runSetting(played, setting, tools);
  expect(recording.format).toBe(format);
  expect(total.views).toBeGreaterThan(0);
  expect({ over: total.over, illegal: total.illegal, unfit }).toEqual({ over: 0, illegal: 0, unfit: 0 });
  expect(work).toBe(totalWork(played, [setting]));
});
