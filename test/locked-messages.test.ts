import { describe, expect, test } from "vitest";
import { hierarchical, importance, openVarve, slidingWindow, summarization } from "../src/index.js";
import { says, user, words } from "./support/build.js";

const STRATEGIES = { hierarchical, importance, slidingWindow, summarization };
const turns = (count: number) =>
  Array.from({ length: count }, (_, at) => [
    user(`question ${at} ${words(60)}`),
    says(`answer ${at} ${words(60)}`),
  ]).flat();

describe.each(Object.entries(STRATEGIES))("messages locked by %s", (_name, strategy) => {
  const open = async (lockLast: number, window: number) =>
    (await openVarve()).session("s", { window, strategy: strategy({ lockLast }) });

  test("stay whole as long as something else can go, however often a session is compacted", async () => {
    const session = await open(30, 8_000);
    await session.append(turns(240));
    const locked = session.entries().slice(-30);
    for (let round = 0; round < 3; round++) {
      const { leftOut } = await session.compact();
      const { messages } = await session.view();
      expect(messages.slice(-30)).toEqual(locked.map(({ message }) => message));
      if (Number(leftOut?.to.slice(1)) >= locked[0]!.sequence - 1) break;
    }
  });

  test("give way where nothing else is left, so that a view which a provider refused gets smaller", async () => {
    const session = await open(6, 32_000);
    await session.append([user("go"), ...[0, 1, 2].flatMap((at) => [user(`part ${at}`), says(words(5_000))])]);
    const before = await session.view();
    expect((await session.compact()).tokensAfter).toBeLessThan(before.tokens);
  });
});
