import { afterEach, expect, test, vi } from "vitest";
import { says, user, words } from "../../test/support/build.js";
import { eventually } from "../../test/support/eventually.js";
import { historyOf } from "../message/exchanges.js";
import { createTokenCounter } from "../tokens/create-token-counter.js";
import { RunningSummary, type RunningSummaryOptions } from "./running-summary.js";

const unhandled = vi.fn();

afterEach(() => {
  process.off("unhandledRejection", unhandled);
  unhandled.mockReset();
});

test.each<[string, NonNullable<RunningSummaryOptions["onSummary"]>]>([
  [
    "throws",
    () => {
      throw new Error("the listener's own");
    },
  ],
  ["rejects", () => Promise.reject(new Error("the listener's own"))],
])("a listener that %s keeps no summary from being taken, nor the next from being made", async (_, onSummary) => {
  process.on("unhandledRejection", unhandled);
  const summariser = { name: "brief", summarise: async () => ({ text: "They talk.", madeBy: "brief" }) };
  const summary = new RunningSummary(0, { summariser, counter: createTokenCounter(), maxTokens: 200, onSummary });
  const history = historyOf([user(words(50)), says(words(50)), user(words(50)), says(words(50))]);
  for (const cut of [2, 4]) {
    summary.follow(cut, history);
    await eventually(() => expect(summary.upTo).toBe(cut));
  }
  await new Promise((resolve) => setImmediate(resolve));
  expect(summary.text).toBe("They talk.");
  expect(unhandled).not.toHaveBeenCalled();
});
