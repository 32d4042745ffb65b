import { describe, expect, it } from "vitest";
import { says, user, words } from "../../../test/support/build.js";
import { hierarchical } from "./hierarchical.js";
import { importance } from "./importance.js";
import { slidingWindow } from "./sliding-window.js";

const turns = (count: number) =>
  Array.from({ length: count }, (_, at) => [user(`request ${at}`), says(`answer ${at} ${words(10)}`)]).flat();

describe.each([
  ["slidingWindow", slidingWindow],
  ["hierarchical", hierarchical],
  ["importance", importance],
])("%s with a limit on the history", (_, create) => {
  it("shows no more entries in full than it allows, though more would fit", async () => {
    const strategy = create({ window: 64_000, after: { entries: 20 } });
    let most = 0;
    for (let count = 1; count <= 40; count++) {
      const history = turns(count);
      const { messages } = await strategy.composePayload("Be brief.", history, []);
      await strategy.onTurnComplete(history);
      const shown = messages.filter(
        ({ content }) => typeof content === "string" && /^(?:request|answer) \d/.test(content),
      );
      most = Math.max(most, shown.length);
    }
    expect(most).toBeGreaterThan(15);
    expect(most).toBeLessThanOrEqual(22);
  });

  it("refuses a limit that is none", () => {
    expect(() => create({ after: { entries: 0 } })).toThrow(expect.objectContaining({ code: "invalid-option" }));
  });
});
