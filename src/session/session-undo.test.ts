import { describe, expect, it } from "vitest";
import { says, user, words } from "../../test/support/build.js";
import { conversation } from "../../test/support/conversation.js";
import type { Message } from "../message/types.js";
import { memoryStore } from "../store/drivers/memory.js";
import type { PlanInput } from "../view/policy.js";
import { slidingWindow } from "../view/strategies/sliding-window.js";
import { openVarve } from "./open-varve.js";
import type { SessionOptions } from "./session-options.js";

const STRATEGIES = ["sliding-window", "summarization", "importance", "hierarchical"];

async function open(options: SessionOptions, messages: readonly Message[]) {
  const session = await (await openVarve()).session("s", options);
  await session.append(messages);
  return session;
}

const turns = (count: number): Message[] =>
  Array.from({ length: count }, (_, at) => [user(`request ${at} ${words(30)}`), says(words(30))]).flat();

describe.each(STRATEGIES)("a request that is refused, with %s", (strategy) => {
  it.each(["view", "compact"] as const)("by %s leaves the next view as it was", async (act) => {
    const session = await open({ window: 4_000, strategy }, turns(30));
    const before = await session.view();
    await expect(session[act]({ system: "rules ".repeat(9_000) })).rejects.toMatchObject({
      code: "floor-exceeds-window",
    });
    const { messages, leftOut, receipt } = await session.view();
    expect({ messages, leftOut, receipt }).toEqual({ messages: before.messages, leftOut: 0, receipt: undefined });
  });

  it("because the archive fails gives the cut again, with its receipt", async () => {
    let broken = true;
    const archive = () => {
      if (broken) throw new Error("disk full");
    };
    const options = { window: 1_200, strategy };
    const plain = await open(options, turns(30));
    const session = await open({ ...options, archive }, turns(30));
    await expect(session.view()).rejects.toThrow("disk full");
    broken = false;
    const [expected, view] = [await plain.view(), await session.view()];
    expect(view.messages).toEqual(expected.messages);
    expect(view.receipt).toEqual(expected.receipt);
  });
});

describe("a compaction that would make the view no smaller", () => {
  it.each(STRATEGIES)("is refused and changes nothing, with %s", async (strategy) => {
    const messages = [user("What is the port?"), says("5433."), user("And the city?"), says("Oslo.")];
    const session = await open({ window: 8_000, strategy }, messages);
    const before = await session.view();
    await expect(session.compact()).rejects.toMatchObject({ code: "nothing-removed" });
    expect((await session.view()).messages).toEqual(before.messages);
    expect(session.receipts()).toEqual([]);
    await expect(session.undo()).rejects.toMatchObject({ code: "not-found" });
  });

  it("leaves what the strategy keeps as it was, also where its view says nothing of a change", async () => {
    const { policy: _policy, ...inner } = slidingWindow();
    const kept: unknown[] = [];
    const strategy = {
      ...inner,
      plan: async (input: PlanInput) => {
        kept.push(input.state.own);
        const plan = await inner.plan({ ...input, force: false });
        return { ...plan, next: { ...plan.next, own: input.force ? "forced" : input.state.own } };
      },
    };
    const session = await open({ window: 4_000, strategy }, turns(5));
    await session.view();
    await expect(session.compact()).rejects.toMatchObject({ code: "nothing-removed" });
    await session.view();
    expect(kept).not.toContain("forced");
  });

  it("is taken back also where the strategy made it", async () => {
    const { policy: _policy, ...inner } = slidingWindow();
    const strategy = {
      ...inner,
      plan: async (input: PlanInput) => {
        const plan = await inner.plan(input);
        return { ...plan, notes: plan.notes + 100_000 };
      },
    };
    const session = await open({ window: 16_000, strategy }, turns(40));
    const before = await session.view();
    await expect(session.compact()).rejects.toMatchObject({ code: "nothing-removed" });
    expect((await session.view()).messages).toEqual(before.messages);
  });
});

describe("a cut that a view makes of itself", () => {
  it.each(STRATEGIES)("does not make a view larger that fits without it, with %s", async (strategy) => {
    const session = await open({ window: 1_000, trigger: 0.7, target: 0.5, strategy }, [user("Hi."), says("Hello.")]);
    const { tokens } = await session.view();
    await session.append(user(words(750)));
    const view = await session.view();
    expect(view.tokens).toBeGreaterThan(view.budget.trigger);
    expect(view.tokens).toBeLessThanOrEqual(tokens + 754);
    expect(view.leftOut).toBe(0);
  });
});

describe("a compaction that only shortens a request in front of the tail", () => {
  const messages = [user("src/a.ts port 5433 timeout. ".repeat(90)), says("ok ".repeat(10)), user("go on")];

  it.each(STRATEGIES)("has a receipt and can be taken back, with %s", async (strategy) => {
    const unlocked = strategy === "sliding-window" ? slidingWindow({ lockLast: 1 }) : strategy;
    const session = await open({ window: 1_200, strategy: unlocked }, messages);
    const before = await session.view();
    const receipt = await session.compact();
    expect(receipt.tokensAfter).toBeLessThan(before.tokens);
    expect((await session.view()).tokens).toBe(receipt.tokensAfter);
    expect((await session.undo()).id).toBe(receipt.id);
    expect((await session.view()).messages).toEqual(before.messages);
  });
});

describe.each(STRATEGIES)("taking back, with %s", (strategy) => {
  it("gives the first view again though a plan was asked for meanwhile", async () => {
    const session = await open({ window: 8_000, strategy }, conversation(16));
    const before = await session.view();
    for (let ticks = 0; ticks < 16; ticks++) {
      const compacted = session.compact();
      await pause(ticks);
      const plan = session.explain();
      await compacted;
      await session.undo();
      await plan;
      expect((await session.view()).messages).toEqual(before.messages);
    }
  });

  it("waits for the compaction under way, and takes that back first", async () => {
    const session = await open({ window: 8_000, strategy }, conversation(20));
    const views = [await session.view()];
    const first = await session.compact();
    views.push(await session.view());
    const [second, undone] = await Promise.all([session.compact(), session.undo()]);
    expect(undone.id).toBe(second.id);
    expect((await session.view()).messages).toEqual(views[1]!.messages);
    expect((await session.undo()).id).toBe(first.id);
    expect((await session.view()).messages).toEqual(views[0]!.messages);
  });
});

async function pause(ticks: number): Promise<void> {
  for (let tick = 0; tick < ticks; tick++) await null;
}

describe.each(STRATEGIES)("a cut that the window demands, with %s", (strategy) => {
  it("is not taken back, for the next view would make it again", async () => {
    const store = memoryStore();
    const session = await (await openVarve({ store })).session("s", { window: 1_000, strategy });
    await session.append(turns(30));
    const { messages, receipt } = await session.view();
    await session.append(user("And now?"));
    const reopened = await (await openVarve({ store })).session("s");
    for (const each of [session, session, reopened])
      await expect(each.undo()).rejects.toMatchObject({
        code: "undo-refused",
        details: { receipt: receipt!.id, tokens: receipt!.tokensBefore, usable: 997 },
      });
    expect((await session.view()).messages.slice(0, messages.length)).toEqual(messages);
    expect(session.receipts()).toEqual([receipt]);
  });

  it("is refused from the second time on where only what came since demands it", async () => {
    const session = await open({ window: 2_000, strategy }, turns(12));
    await session.view();
    await session.compact();
    while ((await session.append(turns(1))) && (await session.view()).tokens < 1_850);
    await session.undo();
    expect((await session.view()).receipt?.demanded).toBe(true);
    await expect(session.undo()).rejects.toMatchObject({ code: "undo-refused" });
  });
});

describe("a digest's id", () => {
  it.each(["summarization", "importance", "hierarchical"])(
    "stays its own after configure, with %s",
    async (strategy) => {
      const session = await open({ window: 2_000, strategy }, conversation(20));
      const before = idsIn((await session.view()).messages);
      const text = session.expand(before[0]!).text;
      for (const options of [{ window: 1_400 }, { strategy: "sliding-window" }, { strategy, window: 1_800 }]) {
        session.configure(options);
        await session.view();
        expect(session.expand(before[0]!).text).toBe(text);
      }
    },
  );
});

function idsIn(messages: readonly Message[]): string[] {
  const ids = messages.flatMap(({ content }) => String(content).match(/\be\d+-e\d+\b/g) ?? []);
  return [...new Set(ids)];
}

describe("many reductions", () => {
  it("go back as far as the store keeps their states, and no further", async () => {
    const session = await open({ window: 2_000 }, turns(4));
    const ids: string[] = [];
    while (ids.length < 60) {
      await session.append([user(`request ${ids.length}`), says(words(40))]);
      ids.push((await session.compact()).id);
    }
    expect(session.receipts().map(({ id }) => id)).toEqual(ids.slice(-50));
    for (const id of ids.slice(-8).reverse()) expect(await session.undo()).toMatchObject({ id });
    await expect(session.undo()).rejects.toMatchObject({ code: "not-found" });
    await session.view();
    expect(session.receipts().map(({ id }) => id)).not.toContain(ids.at(-8));
    expect(session.receipts().map(({ id }) => id)).toContain(ids.at(-9));
  });
});
