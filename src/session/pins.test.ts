import { describe, expect, it } from "vitest";
import { calls, result, says, system, user, words } from "../../test/support/build.js";
import { EXACT } from "../../test/support/exact.js";
import { messageText } from "../message/content.js";
import type { Message } from "../message/types.js";
import { openVarve } from "./open-varve.js";
import type { Session } from "./session.js";

let time = 1_000;
const open = async (window = 1_000, options = {}): Promise<Session> => {
  time = 1_000;
  return (await openVarve({ now: () => time })).session("s", {
    ...EXACT,
    window,
    strategy: "sliding-window",
    ...options,
  });
};
const turns = (count: number, size = 20): Message[] =>
  Array.from({ length: count }, (_, at) => [user(`request ${at}`), says(words(size))]).flat();
const textOf = async (session: Session): Promise<string> => (await session.view()).messages.map(messageText).join("\n");

describe("a pin", () => {
  it("is listed with who set it, the tokens of its exchange and when it ends", async () => {
    const session = await open();
    await session.append([user("go"), calls("a"), result("a", words(30)), says("done")]);
    session.pin("e2", { by: "agent", turns: 2 });
    session.pin("e0", { until: 5_000 });
    expect(session.pins()).toEqual([
      { entry: "e2", by: "agent", tokens: expect.any(Number), until: { turn: 3 } },
      { entry: "e0", by: "user", tokens: expect.any(Number), until: { time: 5_000 } },
    ]);
    expect(session.pins()[0]!.tokens).toBeGreaterThan(30);
    expect(session.status().pins).toEqual(["e2", "e0"]);
  });

  it("ends after so many turns, and the next receipt says so", async () => {
    const session = await open(300);
    await session.append([user("The port is 5433."), ...turns(10)]);
    session.pin("e0", { turns: 1 });
    await session.append(turns(1));
    expect(await textOf(session)).toContain("5433");
    await session.append(turns(1));
    const { receipt } = await session.view();
    const told = { from: "e0", to: "e0", fate: "unpinned", reason: "its pin ended with turn 12" };
    expect(receipt?.items).toContainEqual(expect.objectContaining(told));
    expect(receipt?.items).toContainEqual(
      expect.objectContaining({ from: "e0", fate: "left-out", reason: "it is no longer pinned" }),
    );
    expect(session.pins()).toEqual([]);
    expect((await session.view()).receipt).toBeUndefined();
  });

  it("ends at a time, also where its entry is still among the newest", async () => {
    const session = await open();
    await session.append([user("hi"), says("hello")]);
    session.pin("e1", { until: 2_000 });
    expect((await session.view()).receipt).toBeUndefined();
    time = 2_000;
    const { receipt, tokens } = await session.view();
    expect(receipt).toMatchObject({ id: "r1", tokensBefore: tokens, tokensAfter: tokens, leftOut: undefined });
    expect(receipt?.items).toMatchObject([{ fate: "unpinned", reason: "its pin ended at 1970-01-01T00:00:02.000Z" }]);
    expect(session.receipts()).toHaveLength(1);
  });

  it("that is set again takes over the new terms", async () => {
    const session = await open();
    await session.append([user("hi"), says("hello")]);
    session.pin("e1", { until: 2_000 });
    session.pin("e1", { by: "agent" });
    expect(session.pins()).toMatchObject([{ entry: "e1", by: "agent", until: {} }]);
  });
});

describe("the budget of pins", () => {
  it("refuses a pin of the user's beyond it, and lists the pins with their sizes", async () => {
    const session = await open(1_000);
    await session.append(Array.from({ length: 4 }, () => user(words(100))));
    session.pin("e0");
    session.pin("e1", { by: "agent" });
    expect(() => session.pin("e2")).toThrow(
      expect.objectContaining({
        code: "pin-refused",
        message: expect.stringContaining("Pinned are e0 (user, 104), e1 (agent, 104)."),
        details: expect.objectContaining({ reason: "budget", budget: 249, tokens: 104, pins: session.pins() }),
      }),
    );
    expect(session.status().pins).toEqual(["e0", "e1"]);
  });

  it("lets the agent's oldest pins give way to a newer one of its own, never the user's", async () => {
    const session = await open(1_000);
    await session.append([...Array.from({ length: 4 }, () => user(words(70))), user(words(160)), user("now")]);
    session.pin("e0");
    session.pin("e1", { by: "agent" });
    session.pin("e2", { by: "agent" });
    const { pin, gaveWay } = session.pin("e3", { by: "agent" });
    expect(pin).toMatchObject({ entry: "e3", by: "agent" });
    expect(gaveWay.map(({ entry }) => entry)).toEqual(["e1"]);
    expect(session.pin("e4", { by: "agent" }).gaveWay.map(({ entry }) => entry)).toEqual(["e2", "e3"]);
    expect(session.status().pins).toEqual(["e0", "e4"]);
    const { items } = (await session.view()).receipt!;
    expect(items.map(({ from, reason }) => [from, reason])).toEqual([
      ["e1", "its pin gave way to the agent's pin of e3"],
      ["e2", "its pin gave way to the agent's pin of e4"],
      ["e3", "its pin gave way to the agent's pin of e4"],
    ]);
  });

  it("keeps all pins where even the agent's giving way makes no room", async () => {
    const session = await open(1_000);
    await session.append([user(words(200)), user(words(20)), user(words(100))]);
    session.pin("e0");
    session.pin("e1", { by: "agent" });
    expect(() => session.pin("e2", { by: "agent" })).toThrow(expect.objectContaining({ code: "pin-refused" }));
    expect(session.status().pins).toEqual(["e0", "e1"]);
    expect((await session.view()).receipt).toBeUndefined();
  });

  it("is a share of the window that can be given, and counts an exchange once", async () => {
    const session = await open(1_000, { pinBudget: 0.12 });
    await session.append([user("go"), calls("a", "b"), result("a", words(30)), result("b", words(30)), user("next")]);
    session.pin("e1");
    session.pin("e2");
    session.pin("e3");
    expect(() => session.pin("e0", { maxTokens: 2 })).toThrow(/more than maxTokens, 2/);
    await expect(open(1_000, { pinBudget: 2 })).rejects.toMatchObject({ code: "invalid-option" });
  });
});

describe("the latest request, unpinned behind a cut", () => {
  it("is shown as before, in front of the tail", async () => {
    const session = await open(300);
    await session.append(user("Find the port."));
    session.pin("e0");
    for (let step = 0; step < 30; step++) {
      await session.append([calls(`c${step}`), result(`c${step}`, words(20))]);
      await session.view();
    }
    const before = await session.view();
    session.unpin("e0");
    expect((await session.view()).messages).toEqual(before.messages);
  });
});

describe("what cannot be pinned", () => {
  it.each([
    ["a result that no call asked for", "e2", "orphan"],
    ["a blank message", "e3", "blank"],
    ["a system message at the start", "e0", "system"],
  ])("%s is refused with a hint", async (_, entry, reason) => {
    const session = await open();
    await session.append([system("be brief"), user("hi"), result("nobody"), says(" "), says("yes")]);
    expect(() => session.pin(entry)).toThrow(
      expect.objectContaining({ code: "pin-refused", hint: expect.any(String), details: { entry, reason } }),
    );
  });

  it("a late result is no orphan, however far back its call is", async () => {
    const session = await open(2_000);
    await session.append([user("go"), calls("slow"), ...turns(400, 2), result("slow", "the port is 5433")]);
    session.pin("e802");
    await session.append(turns(60));
    expect(await textOf(session)).toContain("the port is 5433");
  });

  it.each([{ by: "nobody" }, { maxTokens: 0 }, { turns: -1 }, { until: Number.NaN }])(
    "terms such as %j",
    async (terms) => {
      const session = await open();
      await session.append(user("hi"));
      expect(() => session.pin("e0", terms as object)).toThrow(expect.objectContaining({ code: "invalid-option" }));
    },
  );
});
