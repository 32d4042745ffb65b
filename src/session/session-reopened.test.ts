import { describe, expect, it, test } from "vitest";
import { calls, result, says, user, words } from "../../test/support/build.js";
import type { Message } from "../message/types.js";
import type { Summariser } from "../notes/summariser.js";
import { memoryStore } from "../store/drivers/memory.js";
import { hierarchical } from "../view/strategies/hierarchical.js";
import type { Strategy } from "../view/strategy.js";
import type { ViewRequest } from "../view/view.js";
import { openVarve } from "./open-varve.js";
import type { Session } from "./session.js";
import type { SessionStatus } from "./session-options.js";

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

  it("is not written by views that only grow, with a context that changes", async () => {
    const store = memoryStore();
    const session = await (await openVarve({ store })).session("s", { window: 9_000 });
    for (let step = 0; step < 5; step++) {
      await session.append([user(`q ${step}`), says(words(20))]);
      const version = await store.version("s");
      await session.view({ context: `step ${step}` });
      expect(await store.version("s")).toBe(version);
    }
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

describe("a session that is opened again before its next view", () => {
  const LAST: Record<string, (session: Session) => Promise<unknown>> = {
    "settings that were changed and changed back": async (session) => {
      session.configure({ window: 900 });
      session.configure({ window: 700 });
    },
    "a pin that came and went": async (session) => {
      session.pin("e2");
      await session.view();
      session.unpin("e2");
    },
    "reports that change little": async (session) => {
      for (let report = 0; report < 5; report++) {
        const { tokens } = await session.view();
        session.reportUsage({ inputTokens: tokens });
      }
    },
  };
  const strategies = ["sliding-window", "summarization", "importance", "hierarchical"];
  const thought = (at: number): Message => ({
    role: "assistant",
    content: [
      { type: "reasoning", text: "Hm.", providerOptions: { anthropic: { signature: `signed ${at}` } } },
      { type: "text", text: words(at < 14 ? 60 : 3, `a${at}`) },
    ],
  });

  const each = Object.keys(LAST).flatMap((last) =>
    strategies.flatMap((strategy) =>
      ["claude-opus-4-5", "claude-sonnet-5-5"].map((model) => ({ last, strategy, model })),
    ),
  );

  test.each(each)(
    "shows what one that lives on shows, after $last: $strategy, $model",
    async ({ last, strategy, model }) => {
      const store = memoryStore();
      const session = await (await openVarve({ store })).session("s", {
        ...{ window: 700, reserve: 0, model, strategy },
      });
      await session.append([user("src/a.ts port 5433"), { role: "assistant", content: "ok" }]);
      await session.append({ role: "system", content: "Be brief." });
      for (let turn = 0; turn < 14; turn++) {
        await session.append([user(`q ${turn} src/a.ts`), thought(turn)]);
        await session.view();
      }
      await LAST[last]!(session);
      await session.append([user("and src/a.ts?"), thought(14)]);
      await session.flush();
      const again = await (await openVarve({ store })).session("s");
      expect(again.status().budget).toEqual(session.status().budget);
      expect((await again.view()).messages).toEqual((await session.view()).messages);
    },
  );
});

describe("the status of a session", () => {
  const settings = { window: 1_500, model: "gpt-4.1", reserve: 0 };
  const known = ({ tokens, percentUsed, leftOut, blocks, nextCut }: SessionStatus) => ({
    ...{ tokens, percentUsed, leftOut, blocks, nextCut },
  });
  const unknown = { tokens: undefined, percentUsed: undefined, leftOut: undefined, blocks: [], nextCut: undefined };

  it("is known at once where it is opened again", async () => {
    const store = memoryStore();
    const varve = await openVarve({ store });
    const session = await varve.session("s", settings);
    expect(known(session.status())).toEqual(unknown);
    await session.append([user("q"), says(words(60))]);
    const { tokens, blocks } = await session.view({ system: "Be brief." });
    const before = session.status();
    expect(before).toMatchObject({ tokens, blocks, leftOut: 0, percentUsed: tokens / 1_497 });
    await session.close();
    expect((await (await openVarve({ store })).session("s")).status()).toEqual(before);
  });

  it("does not tell of a view that was taken back", async () => {
    const session = await (await openVarve()).session("s", settings);
    await session.append(Array.from({ length: 10 }, (_, at) => [user(`q ${at}`), says(words(60))]).flat());
    await session.view();
    await session.compact();
    await session.undo();
    expect(known(session.status())).toEqual(unknown);
    const { tokens } = await session.view();
    expect(session.status().tokens).toBe(tokens);
  });
});

describe("a session that is opened again after a while", () => {
  it("knows that the cache is cold", async () => {
    const store = memoryStore();
    let time = 0;
    const now = () => time;
    const open = async () => (await openVarve({ store, now })).session("s", { window: 2_000, model: "gpt-4.1" });
    const session = await open();
    while ((await session.append(user(words(60)))) && (await session.view()).tokens < 1_300);
    time = 6 * 60_000;
    expect((await (await open()).explain())?.leftOut).toBeDefined();
    expect((await (await open()).view()).receipt?.reason).toContain("cold");
  });

  it("takes in what the provider counted for the view before", async () => {
    const store = memoryStore();
    const open = async () => (await openVarve({ store })).session("s", { window: 20_000, model: "claude-sonnet-4-5" });
    let [session, tokens] = [await open(), 0];
    for (let report = 0; report < 6; report++) {
      await session.append(user(words(220)));
      ({ tokens } = await session.view());
      await session.flush();
      session = await open();
      session.reportUsage({ inputTokens: Math.round(tokens * 1.2) });
      await session.flush();
    }
    expect((await session.view()).tokens).toBeCloseTo(tokens * 1.2, -1);
  });
});
