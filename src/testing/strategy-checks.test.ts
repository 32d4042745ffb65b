import { describe, expect, test } from "vitest";
import { z } from "zod";
import type { View } from "../compaction/view.js";
import { VarveError } from "../errors.js";
import { entities } from "../strategies/entities/entities.js";
import { hierarchical } from "../strategies/hierarchical/hierarchical.js";
import { importance } from "../strategies/importance/importance.js";
import { managedStrategy } from "../strategies/managed-strategy.js";
import { slidingWindow } from "../strategies/sliding-window/sliding-window.js";
import type { Strategy, StrategyInput, Viewer } from "../strategies/strategy.js";
import { summarization } from "../strategies/summarization/summarization.js";
import { windowStrategy } from "../strategies/window-strategy.js";
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

/** A sliding window whose views are tampered with. */
const tampered =
  (change: (view: View) => Partial<View>, more: Partial<Viewer> = {}): MakeStrategy =>
  (settings) =>
    windowStrategy("tampered", settings, (input) => {
      const inner = slidingWindow().start(input);
      return {
        cut: 0,
        get state() {
          return inner.state;
        },
        restore: (state) => inner.restore?.(state),
        view: async (...asked) => {
          const view = await inner.view(...asked);
          return recounted({ ...view, ...change(view) }, input);
        },
        ...more,
      };
    });

/** Only the tampering itself is to be found, so all that follows from it is put right. */
function recounted(view: View, { counter }: StrategyInput): View {
  const tokens = view.messages.reduce((sum, message) => sum + counter.message(message), counter.tools(view.tools));
  return { ...view, tokens, receipt: view.receipt && { ...view.receipt, tokensAfter: tokens } };
}

const wrong = (change: (strategy: Strategy) => Partial<Strategy>): MakeStrategy => {
  return (settings) => {
    const strategy = slidingWindow(settings);
    return { ...strategy, ...change(strategy) };
  };
};

const withView =
  (change: (view: View) => View): MakeStrategy =>
  (settings) =>
    windowStrategy("other", settings, (input) => {
      const inner = slidingWindow().start(input);
      return { cut: 0, view: async (...asked) => change(await inner.view(...asked)) };
    });

const refusal = () =>
  new VarveError({ code: "floor-exceeds-window", message: "No.", hint: "Give up.", details: { needed: 9 } });
let views = 0;

/** For each check, a strategy that it must refuse. */
const BROKEN: Record<string, MakeStrategy> = {
  "a view fits its window and counts itself right": withView((view) => ({ ...view, tokens: view.tokens - 1 })),
  "a view is refused only where there is no room for it": withView(() => {
    throw refusal();
  }),
  "a view is legal for every provider": tampered(({ messages }) => ({
    messages: messages.filter(({ role }) => role !== "tool"),
  })),
  "a view shows the last message of the user": tampered(({ messages }) => ({
    messages: messages.toSpliced(
      messages.findLastIndex(({ role }) => role === "user"),
      1,
    ),
  })),
  "a view shows messages in the order of the log": tampered(({ messages }) => ({ messages: messages.toReversed() })),
  "a reduction has a receipt that accounts for it": tampered(() => ({ receipt: undefined })),
  "the same log gives the same views": tampered(({ messages }) => ({
    messages: [{ role: "system", content: `View ${++views}.` }, ...messages],
  })),
  "a history that is handed over stays as it is": wrong((strategy) => ({
    onTurnComplete: async (history) => {
      Object.assign(history[0]!, { content: "" });
      await strategy.onTurnComplete(history);
    },
  })),
  "a view that is taken back comes again, byte for byte": tampered(() => ({}), { restore: () => undefined }),
  "a payload follows its history, and repeats itself without news": wrong((strategy) => ({
    composePayload: async (...asked) => ({ ...(await strategy.composePayload(...asked)), entries: 1 }),
  })),
  "tools and context count and are passed on": withView((view) => ({ ...view, tools: [] })),
  "tools beyond the window are refused, with a hint": (settings) =>
    windowStrategy("careless", settings, (input) => {
      const inner = slidingWindow().start(input);
      return { cut: 0, view: ({ tools: _, ...request }, options) => inner.view(request, options) };
    }),
  "a refused request changes nothing": (settings) =>
    windowStrategy("shaken", settings, (input) => {
      const inner = slidingWindow().start(input);
      return {
        cut: 0,
        view: (request, options) =>
          inner.view(request, options).catch(async (error: unknown) => {
            await inner.view({}, { force: true });
            throw error;
          }),
      };
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
    const [fits] = strategyChecks(tampered(({ messages }) => ({ messages: messages.flatMap((each) => [each, each]) })));
    await expect(fits!.run()).rejects.toThrow(/^history \d+, window \d+, message \d+: the view has \d+ tokens$/);
  });
});

describe("a context manager that only takes the last messages", () => {
  const checks = strategyChecks(
    (settings) => {
      const manager = managedStrategy("last", { composePayload: (_system, history) => history.slice(-6) });
      return windowStrategy("last", settings, (input) => manager.start(input));
    },
    { histories: 2, length: 32 },
  );
  const lacks = ["a view shows the last message of the user", "tools and context count and are passed on"];
  for (const { name, run } of checks.filter((each) => !lacks.includes(each.name))) test(name, run);
});
