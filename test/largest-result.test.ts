import { expect, test } from "vitest";
import { openVarve } from "../src/index.js";
import { calls, result, user, words } from "./support/build.js";

test.each([24_000, 26_000, 29_000, 200_000])(
  "a result of %i words takes 25,000 tokens at most, however large the window",
  async (size) => {
    const session = await (await openVarve()).session("s", { window: 1_000_000 });
    await session.append([user("read it"), calls("a"), result("a", words(size))]);
    const { tokens, receipt } = await session.view();
    expect(tokens).toBeLessThan(25_100);
    expect(receipt === undefined).toBe(size < 25_000);
  },
);
