import { describe, expect, it } from "vitest";
import { says, user, words } from "../../test/support/build.js";
import { messageText } from "../message/content.js";
import { createTokenCounter } from "../tokens/create-token-counter.js";
import { PROVIDERS, violations } from "../wire/legality/violations.js";
import { ContextBudget } from "./context-budget.js";

const counter = createTokenCounter({ encoding: "o200k" });

describe("ContextBudget", () => {
  it.each([undefined, null, {}, { ...counter, text: 5 }])("refuses %s as a counter", (bad) => {
    expect(() => new ContextBudget({ window: 20, counter: bad as unknown as typeof counter })).toThrow(
      expect.objectContaining({ code: "invalid-option", details: expect.objectContaining({ option: "counter" }) }),
    );
  });

  const message = { role: "user" as const, content: "one two three" };
  const NO_NUMBERS = [Number.NaN, -5, Number.POSITIVE_INFINITY, "x", null] as number[];
  const refusal = (option: string) =>
    expect.objectContaining({ code: "invalid-option", details: expect.objectContaining({ option }) });

  it.each(NO_NUMBERS)("refuses %s as a number of tokens, and its account stays as it was", async (tokens) => {
    if (tokens !== null)
      expect(() => new ContextBudget({ window: 20, counter, used: tokens })).toThrow(refusal("used"));
    const budget = new ContextBudget({ window: 20, counter, used: 3, free: () => tokens });
    const entered = refusal(typeof tokens === "number" ? "tokens" : "message");
    expect(() => budget.add(tokens)).toThrow(entered);
    expect(() => budget.hasSpace(tokens)).toThrow(entered);
    await expect(budget.makeSpace(tokens)).rejects.toEqual(refusal("tokensNeeded"));
    if (tokens !== null) await expect(budget.makeSpace(19)).rejects.toEqual(refusal("free"));
    expect(budget.used).toBe(3);
  });

  it("refuses what can never fit before anything is freed", async () => {
    let asked = 0;
    const free = (tokens: number) => {
      asked++;
      return tokens;
    };
    const budget = new ContextBudget({ window: 100, counter, used: 80, free });
    await expect(budget.makeSpace(101)).rejects.toMatchObject({
      code: "floor-exceeds-window",
      details: { needed: 101 },
    });
    expect([asked, budget.used]).toEqual([0, 80]);
    expect(await budget.makeSpace(100)).toBe(80);
    expect([asked, budget.hasSpace(100)]).toEqual([1, true]);
  });

  it("counts nothing as used where more was freed than was entered", async () => {
    const budget = new ContextBudget({ window: 20, used: 15, counter, free: () => 40 });
    expect(await budget.makeSpace(10)).toBe(40);
    expect(budget.used).toBe(0);
  });

  it("says whether a message fits, and how much is used", () => {
    const budget = new ContextBudget({ window: 20, counter });
    expect(budget.hasSpace(message)).toBe(true);
    budget.add(message);
    budget.add(message);
    expect(budget.used).toBe(14);
    expect(budget.hasSpace(message)).toBe(false);
    expect(budget.percentUsed()).toBeCloseTo(0.7);
  });

  it("makes space through the caller's compaction, and only when there is none", async () => {
    const asked: number[] = [];
    const budget = new ContextBudget({ window: 20, used: 15, counter, free: (tokens) => asked.push(tokens) && tokens });
    expect(await budget.makeSpace(5)).toBe(0);
    expect(await budget.makeSpace(8)).toBe(3);
    expect(asked).toEqual([3]);
    expect(budget.used).toBe(12);
  });

  it("refuses to go on where too little was freed", async () => {
    const budget = new ContextBudget({ window: 20, used: 15, counter, free: () => 2 });
    await expect(budget.makeSpace(18)).rejects.toMatchObject({
      code: "floor-exceeds-window",
      details: { freed: 2, used: 13 },
    });
  });

  it("makes space by itself where no other way is given: the oldest of what was added gives way to a note", async () => {
    const turns = Array.from({ length: 12 }, (_, at) => [user(`question ${at}`), says(words(20))]).flat();
    const budget = new ContextBudget({ window: 400, counter, used: 30 });
    for (const message of turns) budget.add(message);
    const before = budget.used;
    const freed = await budget.makeSpace(150);
    expect([budget.used, budget.hasSpace(150)]).toEqual([before - freed, true]);
    expect(budget.used).toBe(30 + budget.messages.reduce((sum, each) => sum + counter.message(each), 0));
    expect(messageText(budget.messages[0]!)).toMatch(/\d+ earlier messages/);
    expect(budget.messages.slice(-6)).toEqual(turns.slice(-6));
    for (const provider of PROVIDERS) expect(violations(budget.messages, provider)).toEqual([]);
  });

  it("leaves what was added as it is where no cut makes the space", async () => {
    const budget = new ContextBudget({ window: 100, counter, used: 90 });
    budget.add(message);
    await expect(budget.makeSpace(20)).rejects.toMatchObject({ code: "floor-exceeds-window" });
    expect([budget.used, budget.messages]).toEqual([97, [message]]);
  });
});
