import { describe, expect, it } from "vitest";
import { calls, result, says, system, user, words } from "../../test/support/build.js";
import { EXACT } from "../../test/support/exact.js";
import { messageText } from "../message/content.js";
import { OPENER } from "../message/repair.js";
import type { Message } from "../message/types.js";
import { memoryStore } from "../store/drivers/memory.js";
import { createTokenCounter } from "../tokens/create-token-counter.js";
import { PROVIDERS, violations } from "../wire/legality/violations.js";
import { fromOpenAI, toOpenAI } from "../wire/openai-chat.js";
import { openVarve } from "./open-varve.js";

const open = async (window = 400) =>
  (await openVarve({ now: () => 1_000 })).session("user:agent:1", { ...EXACT, window, strategy: "sliding-window" });

describe("a session", () => {
  it("gives entries ids, order, parents, origins and times", async () => {
    const session = await open();
    const entries = await session.append([user("hi"), says("hello")]);
    expect(entries).toMatchObject([
      { id: "e0", sequence: 0, parent: null, time: 1_000, origin: "user" },
      { id: "e1", sequence: 1, parent: "e0", origin: "agent" },
    ]);
    expect(session.entries()).toHaveLength(2);
  });

  it("does not change when the caller changes an appended message", async () => {
    const session = await open();
    const message = { role: "user" as const, content: [{ type: "text" as const, text: "before" }] };
    await session.append(message);
    message.content[0]!.text = "after";
    message.content.push({ type: "text", text: "more" });
    expect((await session.view()).messages.map(messageText)).toEqual(["before"]);
  });

  it("refuses what is no message, by its index, and takes in none of the rest", async () => {
    const session = await open();
    await expect(session.append([user("fine"), { role: "robot" } as unknown as Message])).rejects.toMatchObject({
      code: "invalid-message",
      details: { index: 1 },
    });
    expect(session.entries()).toHaveLength(0);
  });

  it("goes on where the store left off", async () => {
    const store = memoryStore();
    const first = await (await openVarve({ store })).session("s", { window: 400 });
    await first.append([user("remember me"), says("yes")]);
    const second = await (await openVarve({ store })).session("s", { window: 400 });
    await second.append(user("again"));
    expect(second.entries().map((entry) => entry.id)).toEqual(["e0", "e1", "e2"]);
    expect((await second.view()).messages).toHaveLength(3);
  });

  it("shows an entry as long as it is pinned, with its whole exchange", async () => {
    const session = await open(500);
    const [, pinned] = await session.append([user("start"), calls("keep"), result("keep", "the port is 5433")]);
    session.pin(pinned!.id);
    await session.append(Array.from({ length: 40 }, (_, at) => [user(`request ${at}`), says(words(30))]).flat());
    const view = await session.view();
    expect(view.messages.map(messageText).join("\n")).toContain("the port is 5433");
    expect(view.messages.some((message) => messageText(message).includes("keep"))).toBe(true);
    session.unpin(pinned!.id);
    expect((await session.view()).messages.map(messageText).join("\n")).not.toContain("5433");
    expect(() => session.pin("e999")).toThrow(expect.objectContaining({ code: "not-found" }));
  });

  it("refuses pins that do not fit, and names them", async () => {
    const session = await (await openVarve()).session("s", { ...EXACT, window: 300, pinBudget: 1 });
    const [first, second] = await session.append(Array.from({ length: 6 }, () => user(words(140))));
    for (const entry of [first!, second!]) session.pin(entry.id);
    await expect(session.view()).rejects.toMatchObject({ code: "floor-exceeds-window", details: { largest: "pins" } });
  });

  it("reports its state: blocks, budget, turns, what is left out", async () => {
    const session = await open(300);
    await session.append([
      system("be brief"),
      ...Array.from({ length: 20 }, (_, at) => [user(`r ${at}`), says(words(20))]).flat(),
    ]);
    const view = await session.view();
    const status = session.status();
    expect(status).toMatchObject({
      id: "user:agent:1",
      strategy: "sliding-window",
      turns: 20,
      entries: 41,
      tokens: view.tokens,
      receipts: 1,
    });
    expect(status.leftOut).toBeGreaterThan(10);
    expect(status.blocks.reduce((sum, block) => sum + block.tokens, 0)).toBe(view.tokens);
    expect(status.percentUsed).toBeCloseTo(view.tokens / 297);
  });

  it("accounts for a cut in a receipt: what, why, tokens, what stands in, how to get it back", async () => {
    const session = await open(300);
    for (let at = 0; at < 30; at++) {
      await session.append([user(`request ${at}`), says(words(20))]);
      await session.view();
    }
    const receipts = session.receipts();
    expect(receipts.length).toBeGreaterThan(1);
    for (const receipt of receipts) {
      expect(receipt.tokensAfter).toBeLessThan(receipt.tokensBefore);
      expect(receipt.estimated).toBe(false);
      expect(receipt.replacedBy).toContain("[Memory Summary]");
      expect(receipt.recover).not.toBe("");
    }
    const covered = receipts.reduce((sum, receipt) => sum + (receipt.leftOut?.entries ?? 0), 0);
    expect(covered).toBe(session.status().leftOut);
  });

  it("keeps a system message from inside the conversation in its place", async () => {
    const session = await open();
    await session.append([system("first"), user("hi"), system("second"), says("yes"), system("second")]);
    expect((await session.view()).messages.map(messageText)).toEqual(["first", "hi", "second", "yes", "second"]);
  });

  it.each([
    { log: [], prompt: "be kind" },
    { log: [system("be brief")], prompt: "be kind\n\nbe brief" },
  ])(
    "gives a view that can be sent of a log without a conversation, with one system message",
    async ({ log, prompt }) => {
      const session = await open();
      await session.append(log);
      const { messages, repairs } = await session.view({ system: "be kind" });
      expect(messages).toEqual([system(prompt), OPENER]);
      for (const provider of PROVIDERS) expect(violations(messages, provider)).toEqual([]);
      expect(repairs).toEqual([{ kind: "missing-opener", at: log.length }]);
    },
  );

  it("has no opener where the context already speaks from the user's side", async () => {
    const session = await open();
    await session.append([says("Hello, how can I help?"), says("I am here.")]);
    const opened = (await session.view()).messages;
    expect(opened).toEqual([OPENER, says("Hello, how can I help?"), says("I am here.")]);
    const { messages, tokens, repairs } = await session.view({ context: "The user has src/a.ts open." });
    expect(messages.map(({ role }) => role)).toEqual(["user", "assistant", "assistant"]);
    expect(messageText(messages[0]!)).toContain("src/a.ts");
    expect(tokens).toBe(messages.reduce((sum, message) => sum + createTokenCounter().message(message), 0));
    expect(repairs).toEqual([]);
  });

  it("fits its window as it is sent, with the fields that a wire format carries", async () => {
    const session = await open(1_000);
    const reasoning_details = [{ type: "reasoning.text", text: words(8_000) }];
    await session.append(
      fromOpenAI([user("hi"), { role: "assistant", content: "yes", reasoning_details }, user("go on")]),
    );
    const { messages } = await session.view();
    expect(createTokenCounter().text(JSON.stringify(toOpenAI(messages)))).toBeLessThan(1_000);
  });

  it("needs a window or a model, and an open store", async () => {
    const varve = await openVarve();
    await expect(varve.session("s", {})).rejects.toMatchObject({ code: "invalid-option" });
    await expect(varve.session("s", { window: 400, strategy: "magic" })).rejects.toMatchObject({
      code: "invalid-option",
    });
    await expect(openVarve({ store: "nowhere:" })).rejects.toMatchObject({ code: "invalid-option" });
    await varve.close();
    await expect(varve.session("s", { window: 400 })).rejects.toMatchObject({ code: "closed" });
  });

  it("corrects its counting by reported usage, and keeps the prefix of its views", async () => {
    const session = await (await openVarve()).session("s", { model: "claude-sonnet-4-5", window: 4_000 });
    await session.append(Array.from({ length: 60 }, (_, at) => [user(`request ${at}`), says(words(90))]).flat());
    const before = await session.view();
    for (let report = 0; report < 6; report++) session.reportUsage({ inputTokens: Math.round(before.tokens * 0.8) });
    const after = await session.view();
    expect(session.status().counter).toMatch(/×0\.8$/);
    expect(after.tokens / before.tokens).toBeCloseTo(0.8, 1);
    expect(after.messages.slice(0, 10)).toEqual(before.messages.slice(0, 10));
    expect(after.receipt).toBeUndefined();
  });

  it("keeps within a model's largest input where that is less than its window", async () => {
    const { budget } = (await (await openVarve()).session("s", { model: "gpt-5" })).status();
    expect(budget.usable).toBeLessThanOrEqual(272_000);
    expect(budget.window).toBe(400_000);
  });

  it("takes window, reserve and tokenizer from a known model", async () => {
    const session = await (await openVarve()).session("s", { model: "gpt-4o" });
    const { budget } = session.status();
    expect(budget.window).toBe(128_000);
    expect(budget.reserve).toBeGreaterThan(0);
    await expect((await openVarve()).session("s", { model: "nobody/knows" })).rejects.toMatchObject({
      code: "unknown-model",
    });
    const given = await (await openVarve()).session("s", { model: "nobody/knows", window: 32_000 });
    expect(given.status().budget.window).toBe(32_000);
  });
});
