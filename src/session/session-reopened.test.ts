import { describe, expect, test } from "vitest";
import { calls, result, says, user, words } from "../../test/support/build.js";
import type { Summariser } from "../digest/summariser.js";
import type { Message } from "../message/types.js";
import { memoryStore } from "../store/drivers/memory.js";
import { hierarchical } from "../view/strategies/hierarchical.js";
import type { Strategy } from "../view/strategy.js";
import type { ViewRequest } from "../view/view.js";
import { openVarve } from "./open-varve.js";
import type { Session } from "./session.js";

const ENDINGS: Record<string, readonly Message[]> = {
  "long request": [user(words(900))],
  "long result": [user("go"), calls("x"), result("x", words(900))],
  "short answer": [user("q"), says("hello")],
};

const PROSE: Summariser = {
  name: "brief",
  summarise: async () => ({ text: "## Goal\n- Answer q 0", madeBy: "brief" }),
};

/** What comes between the views of one process and the opening by the next. */
const ACTS: Record<string, { readonly request?: ViewRequest; act?(session: Session): Promise<unknown> }> = {
  nothing: {},
  "a context that was shortened": { request: { context: words(800) } },
  "reports of usage that correct the counts": {
    act: async (session) => {
      for (let report = 0; report < 6; report++) {
        const { tokens } = await session.view();
        session.reportUsage({ inputTokens: Math.round(tokens * 1.1) });
      }
    },
  },
  "a checkpoint that was restored": {
    act: async (session) => {
      await session.checkpoint("here");
      await session.append(says("more"));
      await session.view();
      await session.restore("here");
    },
  },
};

const cases = Object.keys(ACTS).flatMap((act) =>
  Object.keys(ENDINGS).flatMap((ending) =>
    ["sliding-window", "hierarchical"].flatMap((strategy) => [0, 8].map((turns) => ({ act, ending, strategy, turns }))),
  ),
);

describe("a session that is opened again", () => {
  test.each<[string, string | Strategy]>([
    ["sliding-window", "sliding-window"],
    ["hierarchical", "hierarchical"],
    ["importance", "importance"],
    ["hierarchical, with prose", hierarchical({ summariser: PROSE })],
  ])("is not written anew by those who only look at it: %s", async (_, strategy) => {
    const store = memoryStore();
    const open = async () => (await openVarve({ store })).session("s", { window: 700, strategy });
    const [one, other] = [await open(), await open()];
    for (let turn = 0; turn < 12; turn++) {
      await one.append([user(`q ${turn}`), says(words(60, `a${turn}`))]);
      await one.view();
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    await one.view();
    expect(one.receipts().length).toBeGreaterThan(0);
    await other.view();
    const version = await store.version("s");
    const views = [];
    for (const session of [one, other, await open(), one, other]) views.push((await session.view()).messages);
    expect(new Set(views.map((view) => JSON.stringify(view))).size).toBe(1);
    expect(await store.version("s")).toBe(version);
  });

  test.each(cases)(
    "shows the same and tells nothing twice after $act: $ending, $strategy, $turns turns",
    async (each) => {
      const { request = {}, act } = ACTS[each.act]!;
      const store = memoryStore();
      const session = await (await openVarve({ store })).session("s", { window: 700, strategy: each.strategy });
      for (let turn = 0; turn < each.turns; turn++)
        await session.append([user(`q ${turn}`), says(words(60, `a${turn}`))]);
      await session.view(request);
      await session.append(ENDINGS[each.ending]!);
      await session.view(request);
      await act?.(session);
      await session.view(request);
      const expected = await session.view(request);
      await session.flush();
      const again = await (await openVarve({ store })).session("s");
      const view = await again.view(request);
      expect(view.messages).toEqual(expected.messages);
      expect([view.receipt, expected.receipt]).toEqual([undefined, undefined]);
    },
  );
});
