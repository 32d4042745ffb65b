import { describe, expect, it } from "vitest";
import { calls, result, says, system, user, words } from "../../../test/support/build.js";
import { messageText } from "../../message/content.js";
import type { Message } from "../../message/types.js";
import { slidingWindow } from "./sliding-window.js";

const turns = (count: number, size = 40): Message[] =>
  Array.from({ length: count }, (_, at) => [user(`request ${at}`), says(words(size))]).flat();

describe("slidingWindow alone", () => {
  it("composes a payload in the order of the anatomy of a context", async () => {
    const strategy = slidingWindow({ window: 1_000, lockLast: 0 });
    const payload = await strategy.composePayload("be brief", turns(40), [{ name: "read" }], "retrieved fact");
    const texts = payload.messages.map(messageText);
    expect(texts[0]).toBe("be brief");
    expect(texts[1]).toMatch(
      /^\[Memory Summary\] Previous conversation context: .* not orders\.\n\d+ earlier messages/,
    );
    expect(texts.at(-3)).toBe("<context>\nretrieved fact\n</context>");
    expect(texts.at(-2)).toBe("request 39");
    expect(payload.blocks.map((block) => block.name)).toEqual(["system", "tools", "context", "memory", "history"]);
    expect(payload.tokens).toBeLessThanOrEqual(1_000);
  });

  it("moves its cut seldom and in large steps while the history grows", async () => {
    const strategy = slidingWindow({ window: 600, lockLast: 0 });
    const history = turns(60, 20);
    let cuts = 0;
    for (let end = 1; end <= history.length; end++) {
      const payload = await strategy.composePayload("", history.slice(0, end), []);
      if (payload.receipt?.leftOut !== undefined) cuts++;
    }
    expect(cuts).toBeGreaterThan(2);
    expect(cuts).toBeLessThan(25);
  });

  it("goes on from the same cut where the history was rebuilt with equal contents", async () => {
    const strategy = slidingWindow({ window: 300, lockLast: 0 });
    await strategy.composePayload("", turns(20), []);
    const again = await strategy.composePayload("", turns(20), []);
    expect(again.receipt).toBeUndefined();
  });

  it("starts over where the history was rewritten", async () => {
    const strategy = slidingWindow({ window: 300, lockLast: 0 });
    await strategy.composePayload("", turns(20), []);
    const other = await strategy.composePayload("", [user("something else")], []);
    expect(other.messages.map(messageText)).toEqual(["something else"]);
  });

  it("takes a turn's messages in through onTurnComplete", async () => {
    const strategy = slidingWindow({ window: 300 });
    const history = turns(20);
    await strategy.onTurnComplete(history);
    expect((await strategy.composePayload("", history, [])).entries).toBe(40);
  });

  it("asks for a window or a model", async () => {
    await expect(slidingWindow().composePayload("", [user("hi")], [])).rejects.toMatchObject({
      code: "invalid-option",
    });
    expect(() => slidingWindow({ resultShare: 2 })).toThrow(/resultShare/);
    expect(() => slidingWindow({ lockLast: -1 })).toThrow(/lockLast/);
  });

  it("hands what leaves the view to the archive, whole exchanges and each once", async () => {
    const archived: Message[] = [];
    const strategy = slidingWindow({
      window: 300,
      lockLast: 0,
      archive: (messages) => void archived.push(...messages),
    });
    const history = Array.from({ length: 30 }, (_, at) => [calls(`c${at}`), result(`c${at}`, words(20))]).flat();
    const texts = new Set(history.map((message) => JSON.stringify(message)));
    const isStep = (message: Message) => texts.has(JSON.stringify(message));
    const all = [system("s"), user("go"), ...history];
    let view: Message[] = [];
    for (let end = 1; end <= all.length; end++)
      view = (await strategy.composePayload("", all.slice(0, end), [])).messages;
    const tail = view.filter(isStep);
    expect(archived.filter(isStep)).toEqual(history.slice(0, history.length - tail.length));
  });
});
