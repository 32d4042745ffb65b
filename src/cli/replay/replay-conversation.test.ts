import { describe, expect, it } from "vitest";
import { createTokenCounter, fromOpenAI } from "../../index.js";
import type { RecordedConversation } from "../../wire/recordings/recording.js";
import { NO_FIGURES, rate, ratesOf } from "./figures.js";
import { RecordedSteps } from "./recorded-steps.js";
import { replayConversation } from "./replay-conversation.js";
import type { Setting } from "./setting.js";
import { sharedCounter } from "./shared-counter.js";

const counter = sharedCounter(createTokenCounter({ encoding: "o200k" }));
const now = () => 0;

/** An agent that reads files, and in the end needs a path that stood in the first of them. */
function coding(files: number): RecordedConversation {
  const read = (at: number, path: string) => [
    {
      role: "assistant",
      content: null,
      tool_calls: [{ id: `c${at}`, type: "function", function: { name: "read", arguments: JSON.stringify({ path }) } }],
    },
    { role: "tool", tool_call_id: `c${at}`, content: `${hint(at)}${"lorem ipsum dolor ".repeat(40)}` },
  ];
  const messages = fromOpenAI([
    { role: "user", content: "Find out where the settings are." },
    ...Array.from({ length: files }, (_, at) => read(at, `src/part${at}/index.ts`)).flat(),
    ...read(files, "src/first/settings.ts"),
    { role: "assistant", content: "Done." },
  ]);
  return { system: "You are a careful agent.", messages };
}

const hint = (at: number): string => (at === 0 ? "The settings are in src/first/settings.ts\n" : `The text of ${at}\n`);

const recorded = new RecordedSteps(coding(30), counter);
const setting = (name: string, window: number): Setting => ({ name, strategy: name, window });

describe("the steps of a recording", () => {
  it("are the agent's messages with something before them", () => {
    expect(recorded.steps).toHaveLength(32);
    expect(recorded.steps[0]?.at).toBe(2);
    expect(recorded.longest).toBe(recorded.tokensBefore(64));
    const alone = new RecordedSteps({ messages: [{ role: "assistant", content: "Hello" }] }, counter);
    expect(alone.steps).toEqual([]);
  });

  it("need what was said before, with its distance in tokens", () => {
    const last = recorded.steps[30]!;
    expect(last.needed.map(({ text }) => text)).toEqual(["src/first/settings.ts"]);
    expect(last.needed[0]!.distance).toBeGreaterThan(3_000);
    expect(last.needed[0]!.distance).toBeLessThan(recorded.longest);
    expect(recorded.steps[3]?.needed).toEqual([]);
  });
});

describe("a replay", () => {
  it("in a window that holds everything sends the whole history, and cuts nothing", async () => {
    const { figures, unfit } = await replayConversation(recorded, setting("hierarchical", 100_000), { counter, now });
    expect(unfit).toBeUndefined();
    expect(figures).toMatchObject({ views: 32, compactions: 0, over: 0, illegal: 0, needed: 1, found: 1, far: 0 });
    expect(figures.tokens).toBe(figures.fullTokens);
    expect(figures.cachedTokens).toBe(figures.fullCachedTokens);
  });

  it("tells strategies apart by what they keep of what lies far back", async () => {
    const replay = (name: string) => replayConversation(recorded, setting(name, 2_000), { counter, now });
    const kept = (await replay("hierarchical")).figures;
    const plain = (await replay("sliding-window")).figures;
    for (const figures of [kept, plain]) {
      expect(figures).toMatchObject({ views: 32, over: 0, illegal: 0, needed: 1, far: 1 });
      expect(figures.compactions).toBeGreaterThan(1);
      expect(figures.tokens).toBeLessThan(figures.fullTokens);
    }
    expect(kept).toMatchObject({ found: 1, farFound: 1 });
    expect(plain).toMatchObject({ found: 0, farFound: 0 });
  });

  it("gives the same views each time", async () => {
    const once = () => replayConversation(recorded, setting("hierarchical", 2_000), { counter, now });
    expect(await once()).toEqual(await once());
  });

  it("stops where nothing fits, and says why", async () => {
    const { figures, unfit } = await replayConversation(recorded, setting("sliding-window", 12), {
      counter,
      now,
      reserve: 0,
    });
    expect(figures).toEqual(NO_FIGURES);
    expect(unfit).toMatchObject({ step: 1, reason: expect.stringContaining("the window has 9") });
  });

  it("counts the tools that go with every request", async () => {
    const tools = [{ name: "read", description: "Reads a file.", inputSchema: { type: "object" } }];
    const with_ = new RecordedSteps({ ...coding(2), tools }, counter);
    const without = new RecordedSteps(coding(2), counter);
    const tokens = async (steps: RecordedSteps) =>
      (await replayConversation(steps, setting("hierarchical", 9_000), { counter, now })).figures;
    const [more, less] = [await tokens(with_), await tokens(without)];
    expect(more.tokens - less.tokens).toBe(less.views * counter.tools(tools));
    expect(more.fullTokens).toBe(more.tokens);
  });
});

describe("what a replay costs", () => {
  const figures = { ...NO_FIGURES, views: 2, tokens: 3_000_000, cachedTokens: 1_000_000, fullTokens: 4_000_000 };

  it("is in dollars at the model's prices, with and without its cache", () => {
    const rating = rate(figures, ratesOf({ input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 }));
    expect(rating.cost.plain).toBeCloseTo(9);
    expect(rating.cost.cached).toBeCloseTo(0.3 + 7.5);
    expect(rating.fullCost.plain).toBeCloseTo(12);
  });

  it("is in tokens of input where no prices are known", () => {
    expect(rate(figures, ratesOf(undefined)).cost).toEqual({ plain: 3_000_000, cached: 2_600_000 });
  });

  it("has no shares of nothing", () => {
    expect(rate(NO_FIGURES, ratesOf(undefined))).toMatchObject({ recall: null, farRecall: null, cachedShare: null });
  });
});
