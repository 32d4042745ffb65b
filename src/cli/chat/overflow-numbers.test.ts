import { expect, test } from "vitest";
import { openVarve } from "../../session/open-varve.js";
import { learnWindow } from "./learn-window.js";
import { overflowNumbers } from "./overflow-numbers.js";

test.each([
  ["prompt is too long: 213462 tokens > 200000 maximum", 200_000, 213_462],
  [
    "This model's maximum context length is 8,192 tokens. However, your messages resulted in 9,308 tokens.",
    8_192,
    9_308,
  ],
  ["input length and `max_tokens` exceed context limit: 199759 + 8192 > 200000", 200_000, 207_951],
  ["The input token count (1196265) exceeds the maximum number of tokens allowed (1048576).", 1_048_576, 1_196_265],
  ["input token count is 1324567 but model only supports up to 1048576.", 1_048_576, 1_324_567],
  ["Prompt contains 300000 tokens, too large for model with 131072 maximum context length", 131_072, 300_000],
  ["the model is loaded with context length of only 7866 tokens; the first 10136 tokens are kept", 7_866, 10_136],
  ["`inputs` must have less than 4096 tokens. Given: 5012", 4_096, 5_012],
  ["gpt-4o-2024: maximum context length is 8192 tokens", 8_192, undefined],
])("%s", (words, limit, count) => {
  expect(overflowNumbers(new Error(words))).toEqual({ limit, count });
});

test.each([
  "prompt too long; exceeded max context length by 4096 tokens",
  "context window exceeds limit (2013)",
  "Prompt exceeds max length",
])("no window is read from: %s", (words) => {
  expect(overflowNumbers(new Error(words))).toBeUndefined();
});

test("the window learnt is in the session's own count, and can be taken back", async () => {
  const varve = await openVarve({ store: "memory" });
  const session = await varve.session("s", { window: 8_000, reserve: 2_000 });
  await session.append({ role: "user", content: "word ".repeat(2_000) });
  const view = await session.view();
  const refusal = new Error(`prompt is too long: ${view.tokens * 2} tokens > ${view.tokens} maximum`);
  const learnt = learnWindow(session, view, refusal);
  expect(learnt?.window).toBe(Math.floor(view.tokens / 2));
  const { budget } = session.status();
  expect(budget.window).toBe(learnt?.window);
  expect(budget.reserve).toBe(Math.floor(budget.window / 4));
  learnt?.forget();
  expect(session.status().budget).toMatchObject({ window: 8_000, reserve: 2_000 });
  expect(learnWindow(session, view, new Error("maximum context length is 9000 tokens"))).toBeUndefined();
  await varve.close();
});
