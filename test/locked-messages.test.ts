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
  test("stay whole however often a session is compacted, as far as they are below the target", async () => {
    const session = await (await openVarve()).session("s", { window: 8_000, strategy: strategy({ lockLast: 30 }) });
    await session.append(turns(240));
    const locked = session.entries().slice(-30);
    for (let round = 0; round < 6; round++) {
      await session.compact().catch((error) => expect(error).toMatchObject({ code: "nothing-removed" }));
      const { messages } = await session.view();
      expect(messages.slice(-30)).toEqual(locked.map(({ message }) => message));
    }
    await expect(session.compact()).rejects.toMatchObject({ code: "nothing-removed" });
  });
});
