/** What is kept free in a window by what is known of its model. */
import { expect, test } from "vitest";
import { openVarve, type SessionOptions } from "../src/index.js";

const statusOf = async (options: SessionOptions) => (await (await openVarve()).session("s", options)).status();

test("a model that is not known has a bound and a reserve: a share of a tiny window", async () => {
  const { budget, errorBound } = await statusOf({ window: 128_000, model: "my-own-model" });
  expect([budget.reserve, errorBound]).toEqual([1_300, 0.1]);
  expect((await statusOf({ window: 4_000, model: "my-own-model" })).budget.reserve).toBe(200);
});

test("a window alone is taken at its word", async () => {
  const { budget, errorBound } = await statusOf({ window: 8_000 });
  expect([budget.reserve, budget.usable, errorBound]).toEqual([0, 8_000 - 3, 0]);
});
