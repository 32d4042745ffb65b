import { describe, expect, test } from "vitest";
import { z } from "zod";
import { VarveError } from "../errors.js";
import { contextManager } from "../view/alone.js";
import type { Plan, PlanItem } from "../view/plan.js";
import type { PlanInput } from "../view/policy.js";
import { entities } from "../view/strategies/entities/entities.js";
import { hierarchical } from "../view/strategies/hierarchical.js";
import { importance } from "../view/strategies/importance.js";
import { managedStrategy } from "../view/strategies/managed-strategy.js";
import { slidingWindow } from "../view/strategies/sliding-window.js";
import { summarization } from "../view/strategies/summarization.js";
import type { Strategy } from "../view/strategy.js";
import type { MakeStrategy } from "./drive.js";
import { strategyChecks } from "./strategy-checks.js";

const GOOD: Record<string, MakeStrategy> = {
  "sliding-window": slidingWindow,
  summarization,
  "summarization by turns": (settings) => summarization({ ...settings, after: { turns: 4 } }),
  importance,
  hierarchical,
  entities: (settings) => entities({ ...settings, schema: z.object({ port: z.number(), city: z.string() }) }),
};

describe.each(Object.entries(GOOD))("%s", (_, make) => {
  for (const { name, run } of strategyChecks(make, { histories: 3, length: 32 })) test(name, run);
});

/** A sliding window whose plans are tampered with; only the tampering itself is to be found. */
const tampered =
  (change: (plan: Plan, input: PlanInput) => Partial<Plan>): MakeStrategy =>
  (settings) => {
    const strategy = slidingWindow(settings);
    const plan = async (input: PlanInput) => {
      const inner = await strategy.plan(input);
      return recounted({ ...inner, ...change(inner, input) });
    };
    return { ...strategy, plan };
  };

const recounted = (plan: Plan): Plan => {
  const tools = plan.blocks.find(({ name }) => name === "tools")?.tokens ?? 0;
  return { ...plan, tokens: plan.items.reduce((sum, { tokens }) => sum + tokens, tools) };
};

const wrong = (change: (strategy: Strategy) => Partial<Strategy>): MakeStrategy => {
  return (settings) => {
    const strategy = slidingWindow(settings);
    return { ...strategy, ...change(strategy) };
  };
};

const planning =
  (plan: (strategy: Strategy, input: PlanInput) => Plan | Promise<Plan>): MakeStrategy =>
  (settings) => {
    const strategy = slidingWindow(settings);
    return { ...strategy, plan: (input) => plan(strategy, input) };
  };

const isUser = (item: PlanItem, { reading: { log } }: PlanInput): boolean =>
  item.kind === "exchange" && log.entries[item.at]!.role === "user";

const refusal = () =>
  new VarveError({ code: "floor-exceeds-window", message: "No.", hint: "Give up.", details: { needed: 9 } });
let views = 0;
let cut = 0;
const shaken = new WeakSet<object>();

/** For each check, a strategy that it must refuse. */
const BROKEN: Record<string, MakeStrategy> = {
  "a view fits its window and counts itself right": planning(async (strategy, input) => {
    const plan = await strategy.plan(input);
    return { ...plan, tokens: plan.tokens - 1 };
  }),
  "a view is refused only where there is no room for it": planning(() => {
    throw refusal();
  }),
  "a view is legal for every provider": tampered(({ items }, { reading }) => ({
    items: items.map((item): PlanItem => {
      if (item.kind !== "exchange" || item.entries.length < 2) return item;
      const message = reading.log.messageAt(item.at);
      return { kind: "foreign", message, tokens: reading.tokens(message) };
    }),
  })),
  "a view shows the last message of the user": tampered(({ items }, input) => ({
    items: items.toSpliced(
      items.findLastIndex((item) => isUser(item, input)),
      1,
    ),
  })),
  "a view shows messages in the order of the log": tampered(({ items }) => ({ items: items.toReversed() })),
  "a reduction has a receipt that accounts for it": tampered(({ next }, { state }) => ({
    lead: [],
    cut: state.showing?.cut ?? 0,
    changes: [],
    dropped: [],
    notesWhole: true,
    next: { ...next, showing: state.showing },
  })),
  "the same log gives the same views": tampered(({ items }, { reading }) => {
    const message = { role: "system", content: `View ${++views}.` } as const;
    return { items: [{ kind: "system", message, tokens: reading.tokens(message) }, ...items] };
  }),
  "a history that is handed over stays as it is": wrong((strategy) => ({
    onTurnComplete: async (history) => {
      Object.assign(history[0]!, { content: "" });
      await strategy.onTurnComplete(history);
    },
  })),
  "a view that is taken back comes again, byte for byte": planning((strategy, input) => {
    cut = Math.max(cut, input.state.cut);
    const plan = strategy.plan({ ...input, state: { ...input.state, cut } }) as Plan;
    cut = plan.cut;
    return plan;
  }),
  "a payload follows its history, and repeats itself without news": wrong((strategy) => ({
    composePayload: async (...asked) => ({ ...(await strategy.composePayload(...asked)), entries: 1 }),
  })),
  "tools and context count and are passed on": planning((strategy, { request: { context: _, ...request }, ...input }) =>
    strategy.plan({ ...input, request }),
  ),
  "tools beyond the window are refused, with a hint": planning(
    (strategy, { request: { tools: _, ...request }, ...input }) => strategy.plan({ ...input, request }),
  ),
  "a refused request changes nothing": planning((strategy, input) => {
    try {
      return strategy.plan({ ...input, force: shaken.has(input.reading) });
    } catch (error) {
      shaken.add(input.reading);
      throw error;
    }
  }),
};

describe("a broken strategy is found out", () => {
  const names = strategyChecks(slidingWindow).map(({ name }) => name);

  test("by every check there is", () => {
    expect(Object.keys(BROKEN)).toEqual(names);
  });

  test.each(names)("%s", async (name) => {
    const check = strategyChecks(BROKEN[name]!, { histories: 3 }).find((each) => each.name === name);
    await expect(check!.run()).rejects.toThrow(Error);
  });

  test("with the history, the window and the message at which it failed", async () => {
    const [fits] = strategyChecks(tampered(({ items }) => ({ items: items.flatMap((each) => [each, each]) })));
    await expect(fits!.run()).rejects.toThrow(/^history \d+, window \d+, message \d+: the view has \d+ tokens$/);
  });
});

describe("a context manager that only takes the last messages", () => {
  const checks = strategyChecks(
    (settings) => {
      const manager = managedStrategy("last", { composePayload: (_system, history) => history.slice(-6) });
      return { ...manager, ...contextManager(manager, settings) };
    },
    { histories: 2, length: 32 },
  );
  const lacks = ["a view shows the last message of the user", "tools and context count and are passed on"];
  for (const { name, run } of checks.filter((each) => !lacks.includes(each.name))) test(name, run);
});
