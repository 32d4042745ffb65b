import { describe, expect, it } from "vitest";
import { type Message, openVarve, slidingWindow } from "../src/index.js";
import { calls, result, says, user, words } from "./support/build.js";

const open = async (window: number) =>
  (await openVarve()).session("s", {
    model: "claude-sonnet-4-5",
    window,
    reserve: 0,
    strategy: slidingWindow({ lockLast: 0 }),
  });
const step = (id: string, size: number): Message[] => [calls(id), result(id, words(size))];

describe("reported usage", () => {
  it("never leads to a view that is over, or to one refused", async () => {
    for (let run = 0; run < 40; run++) {
      const session = await open(3_000);
      for (let turn = 0; turn < 16; turn++) {
        await session.append([user(`request ${turn}`), says(words(90 + run * 7)), ...step(`c${turn}`, 60 + turn * 9)]);
        const view = await session.view();
        expect(view.tokens).toBeLessThanOrEqual(view.budget.usable);
        session.reportUsage({ inputTokens: Math.round(view.tokens * (0.8 + ((run * 7 + turn * 3) % 11) / 20)) });
      }
    }
  });

  it("leaves results in the form in which they were shown", async () => {
    const session = await open(4_000);
    await session.append([user("go"), ...step("long", 3_000), ...step("short", 700)]);
    const before = await session.view();
    for (let report = 0; report < 4; report++) session.reportUsage({ inputTokens: Math.round(before.tokens * 1.25) });
    expect(session.status().counter).toMatch(/×1\.25$/);
    await session.append(says("done"));
    const after = await session.view();
    expect(after.messages.slice(0, before.messages.length)).toEqual(before.messages);
    expect(after.receipt).toBeUndefined();
  });
});
