/** Views whose reading from the provider's cache costs no more than was said. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findModel, type Message, openVarve, type SessionOptions, slidingWindow, summarization } from "../src/index.js";
import { memoryStore } from "../src/store/drivers/memory.js";
import { calls, result, user, words } from "./support/build.js";
import { runs } from "./support/runs.js";

const MODEL = "claude-sonnet-4-5";
const CACHED = findModel(MODEL)!.price!.cacheRead! / 1_000_000;
const STRATEGIES = ["hierarchical", "sliding-window", "importance", "summarization"];
const open = async (options: SessionOptions) => (await openVarve()).session("s", options);
const step = (at: number, size = 300): Message[] => [calls(`c${at}`), result(`c${at}`, words(size, `part-${at}-`))];
const TOOLS = Array.from({ length: 6 }, (_, at) => ({ name: `tool${at}`, description: words(80) }));

/** The price of each view's reading, and how many of them cut. */
async function played(options: SessionOptions, { steps = 120, size = 300 } = {}) {
  const session = await open({ model: MODEL, window: 1_000_000, ...options });
  await session.append(user("Mend the parser."));
  const prices: number[] = [];
  let cuts = 0;
  for (let at = 0; at < steps; at++) {
    const view = await session.view({ system: "Be brief.", tools: TOOLS });
    prices.push(view.tokens * (1 + session.status().errorBound) * CACHED);
    if (view.receipt?.cut) {
      cuts++;
      expect(view.receipt.reason).toBe("the price of a step exceeded maxSpend");
    }
    await session.append(step(at, size));
  }
  return { session, prices, cuts };
}

describe("maxSpend", () => {
  test.each(STRATEGIES)("cuts views of %s long before a window of a million tokens is full", async (strategy) => {
    const { session, prices, cuts } = await played({ strategy, maxSpend: 0.005 });
    expect(Math.max(...prices)).toBeLessThanOrEqual(0.005);
    expect(Math.max(...prices)).toBeGreaterThan(0.004);
    expect(cuts).toBeGreaterThan(1);
    expect(cuts).toBeLessThanOrEqual(120 / 4);
    expect(session.receipts().at(-1)?.reason).toBe("the price of a step exceeded maxSpend");
    const { budget } = session.status();
    expect(budget.affordable).toBeCloseTo(0.005 / CACHED / (1 + session.status().errorBound), -1);
    expect(budget.trigger).toBe(budget.affordable);
    expect(budget.target).toBeLessThan(budget.trigger);
  });

  test("never sends a view above the price once it is worth more than a few steps", async () => {
    const cases = fc.record({
      strategy: fc.constantFrom(...STRATEGIES),
      maxSpend: fc.double({ min: 0.008, max: 0.02, noNaN: true }),
      size: fc.integer({ min: 20, max: 400 }),
      trigger: fc.constantFrom(undefined, 0.02, 0.5, 1),
    });
    await fc.assert(
      fc.asyncProperty(cases, async ({ strategy, maxSpend, size, trigger }) => {
        const session = await open({ model: MODEL, window: 200_000, strategy, maxSpend, ...(trigger && { trigger }) });
        await session.append([user("Mend the parser."), ...step(0, size)]);
        for (let at = 1; at < 60; at++) {
          const view = await session.view({ system: "Be brief.", tools: TOOLS });
          expect(view.tokens * (1 + session.status().errorBound) * CACHED).toBeLessThanOrEqual(maxSpend);
          await session.append(step(at, size));
        }
      }),
      { numRuns: runs(10) },
    );
  });

  test.each(STRATEGIES)(
    "that system prompt and tools exceed by themselves makes no cut a step of %s",
    async (strategy) => {
      const { cuts } = await played({ strategy, maxSpend: 0.0001 });
      expect(cuts).toBeGreaterThan(1);
      expect(cuts).toBeLessThanOrEqual(120 / 4);
    },
  );

  test("cuts a long history at its first view, and leaves one tool result its room", async () => {
    const session = await open({ model: MODEL, window: 1_000_000, maxSpend: 0.01 });
    await session.append([user("Mend the parser."), ...Array.from({ length: 100 }, (_, at) => step(at)).flat()]);
    const view = await session.view();
    expect(view.receipt?.reason).toBe("the price of a step exceeded maxSpend");
    expect(view.tokens * CACHED).toBeLessThanOrEqual(0.01);
  });

  test("changes nothing where the window is the smaller limit", async () => {
    const budgetOf = async (options: SessionOptions) => (await open(options)).status().budget;
    const plain = await budgetOf({ model: MODEL, window: 20_000 });
    expect(await budgetOf({ model: MODEL, window: 20_000, maxSpend: 10 })).toEqual(plain);
    const early = await budgetOf({ model: MODEL, window: 20_000, trigger: 0.2, maxSpend: 0.004 });
    expect(early.trigger).toBe(Math.floor(early.usable * 0.2));
  });

  test("leaves memories their share of the price", async () => {
    const varve = await openVarve();
    const scope = { user: "ann" };
    const memory = varve.memory({ scope });
    for (let at = 0; at < 10; at++) await memory.store(`The parser of part ${at} reads ${words(60, `word-${at}-`)}`);
    const session = await varve.session("s", { model: MODEL, maxSpend: 0.006, memory: { scope } });
    await session.append(user("Which words does the parser of part 3 read?"));
    for (let at = 0; at < 60; at++) {
      const view = await session.view();
      expect(view.tokens * (1 + session.status().errorBound) * CACHED).toBeLessThanOrEqual(0.006);
      await session.append(step(at));
    }
    expect(session.status().recalled.length).toBeGreaterThan(0);
  });

  test("is kept by the store, and works alone and of a strategy's own", async () => {
    const store = memoryStore();
    const varve = await openVarve({ store });
    const session = await varve.session("s", { strategy: summarization({ model: MODEL, maxSpend: 0.01 }) });
    await session.append(user("Mend the parser."));
    const { affordable } = session.status().budget;
    expect(affordable).toBeGreaterThan(0);
    const again = await (await openVarve({ store })).session("s");
    expect(again.status().budget.affordable).toBe(affordable);
    const strategy = slidingWindow({ model: MODEL, maxSpend: 0.003 });
    const history = [user("Mend the parser."), ...Array.from({ length: 60 }, (_, at) => step(at)).flat()];
    const { messages } = await strategy.composePayload("Be brief.", history, []);
    expect(messages.length).toBeLessThan(history.length);
  });

  test.each([
    ["no model", { window: 8_000 }, "no model is named"],
    ["a model without prices", { window: 8_000, model: "my-own-model" }, 'those of "my-own-model" are not known'],
  ])("is refused with %s, with what to do", async (_, options, message) => {
    await expect(open({ ...options, maxSpend: 0.05 })).rejects.toMatchObject({
      code: "invalid-option",
      message: expect.stringContaining(message),
      hint: expect.stringContaining("trigger"),
    });
  });

  test.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY, "0.05"])("is refused as %s", async (maxSpend) => {
    const options = { model: MODEL, maxSpend } as SessionOptions;
    await expect(open(options)).rejects.toMatchObject({ code: "invalid-option", details: { option: "maxSpend" } });
  });
});
