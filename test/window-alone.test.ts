/** What is kept free in a window whose model nobody names. */
import { describe, expect, test } from "vitest";
import { createTokenCounter, openVarve, type SessionOptions, slidingWindow } from "../src/index.js";
import { user, words } from "./support/build.js";

const statusOf = async (options: SessionOptions) => (await (await openVarve()).session("s", options)).status();

describe("a window without a model", () => {
  test("has an error bound and a reserve", async () => {
    const { errorBound, budget } = await statusOf({ window: 128_000 });
    expect(errorBound).toBe(0.05);
    expect(budget.reserve).toBe(1_300);
    expect(budget.usable * (1 + errorBound)).toBeLessThanOrEqual(128_000 - 1_300);
  });

  test("keeps a share free where it is tiny", async () => {
    expect((await statusOf({ window: 4_000 })).budget.reserve).toBe(200);
  });

  test("keeps as much free as one with a model that is not known", async () => {
    const { budget, errorBound } = await statusOf({ window: 128_000, model: "my-own-model" });
    expect([budget.reserve, errorBound]).toEqual([1_300, 0.1]);
  });

  test("is filled to its end on request", async () => {
    const { budget } = await statusOf({
      window: 8_000,
      reserve: 0,
      counter: createTokenCounter({ encoding: "o200k" }),
    });
    expect(budget).toMatchObject({ reserve: 0, usable: 8_000 - 3 });
  });

  test("leaves a counter of the caller's own its bound", async () => {
    const counter = { ...createTokenCounter(), errorBound: 0.3 };
    expect((await statusOf({ window: 8_000, counter })).errorBound).toBe(0.3);
  });

  test("loses its bound to what the provider reports", async () => {
    const session = await (await openVarve()).session("s", { window: 8_000 });
    await session.append(user(words(2_000)));
    for (let at = 0; at < 20; at++) session.reportUsage({ inputTokens: (await session.view()).tokens });
    expect(session.status().errorBound).toBeLessThan(0.05);
  });

  test("leaves the same room where a strategy works alone", async () => {
    const counter = createTokenCounter();
    const history = Array.from({ length: 60 }, () => user(words(100)));
    const { messages } = await slidingWindow({ window: 4_000 }).composePayload("", history, []);
    const tokens = messages.reduce((sum, message) => sum + counter.message(message), 0);
    expect(tokens).toBeLessThanOrEqual((4_000 - 200) / 1.05);
  });
});
