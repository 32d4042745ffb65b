import { describe, expect, it } from "vitest";
import { user } from "../../test/support/build.js";
import { conversation } from "../../test/support/conversation.js";
import { memoryStore } from "../store/drivers/memory.js";
import { slidingWindow } from "../view/strategies/sliding-window.js";
import type { Strategy } from "../view/strategy.js";
import { openVarve } from "./open-varve.js";

const OPTIONS = { window: 5_000 };

describe("a session that was deleted elsewhere", () => {
  async function remade() {
    const store = memoryStore();
    const [here, there] = [await openVarve({ store }), await openVarve({ store })];
    const old = await here.session("s", OPTIONS);
    await old.append(user("old secret"));
    await there.delete("s");
    const made = await there.session("s", OPTIONS);
    await made.append([user("new 1"), user("new 2"), user("new 3")]);
    return { here, old, made };
  }

  it.each(["append", "view", "flush"] as const)("says so at %s, and does not go on in a new one", async (act) => {
    const { old, made } = await remade();
    old.track({ facts: ["of the old one"] });
    const acts = { append: () => old.append(user("late")), view: () => old.view(), flush: () => old.flush() };
    await expect(acts[act]()).rejects.toMatchObject({ code: "not-found" });
    await expect(old.append(user("later"))).rejects.toMatchObject({ code: "not-found" });
    expect(() => old.pin("e0")).toThrow(expect.objectContaining({ code: "not-found" }));
    await made.refresh();
    expect(made.entries().map(({ message }) => message.content)).toEqual(["new 1", "new 2", "new 3"]);
    expect(made.context().facts).toEqual([]);
  });

  it("is the new one when it is asked for again", async () => {
    const { here, old } = await remade();
    await expect(old.view()).rejects.toMatchObject({ code: "not-found" });
    const again = await here.session("s");
    expect(again.entries()).toHaveLength(3);
    await again.append(user("new 4"));
    await here.close();
  });
});

describe("a session that is closed", () => {
  it("refuses what would be written nowhere", async () => {
    const varve = await openVarve();
    const session = await varve.session("s", OPTIONS);
    await session.append(user("a"));
    session.pin("e0");
    await varve.close();
    const closed = expect.objectContaining({ code: "closed" });
    expect(() => session.pin("e0")).toThrow(closed);
    expect(() => session.unpin("e0")).toThrow(closed);
    expect(() => session.track({ facts: ["a"] })).toThrow(closed);
    expect(() => session.configure({ window: 9_000 })).toThrow(closed);
    expect(() => session.reportUsage({ inputTokens: 5 })).toThrow(closed);
    await expect(session.append(user("b"))).rejects.toEqual(closed);
    await session.close();
  });

  it("can be opened again while its store is open", async () => {
    const varve = await openVarve();
    const session = await varve.session("s", OPTIONS);
    await session.append(user("a"));
    await session.close();
    const again = await varve.session("s");
    expect(again).not.toBe(session);
    expect(again.entries()).toHaveLength(1);
  });
});

describe("a step back", () => {
  it("from a reduction that another process has gone on from leaves that one's view", async () => {
    const store = memoryStore();
    const options = { window: 5_000, strategy: "hierarchical" };
    const one = await (await openVarve({ store })).session("s", options);
    await one.append(conversation(10));
    await one.compact();
    const two = await (await openVarve({ store })).session("s");
    await two.append(conversation(10, { from: 10 }));
    await two.compact();
    await one.undo();
    const [mine, theirs] = [await one.view(), await two.view()];
    expect(mine.messages).toEqual(theirs.messages);
    expect(one.receipts().map(({ id }) => id)).toEqual(two.receipts().map(({ id }) => id));
  });
});

describe("options for a session that the store holds", () => {
  it("are laid over those it was left with", async () => {
    const store = memoryStore();
    const first = await (await openVarve({ store })).session("s", { window: 5_000, trigger: 0.5 });
    await first.append(user("a"));
    const { budget } = first.status();
    const again = await (await openVarve({ store })).session("s", { strategy: "hierarchical", trigger: undefined! });
    expect(again.status()).toMatchObject({ strategy: "hierarchical", budget });
    const other = await (await openVarve({ store })).session("s", { window: 9_000 });
    expect(other.status().budget.window).toBe(9_000);
  });

  it("name a strategy that only its process knew as missing, and take it when it is passed", async () => {
    const store = memoryStore();
    const strategy = Object.assign(Object.create(slidingWindow()) as Strategy, { name: "own" });
    const first = await (await openVarve({ store })).session("s", { window: 5_000, strategy });
    await first.append(user("a"));
    const varve = await openVarve({ store });
    const refusal = { code: "invalid-option", hint: expect.stringContaining("by its name") };
    await expect(varve.session("s")).rejects.toMatchObject(refusal);
    expect((await varve.session("s", { strategy })).status().strategy).toBe("own");
  });
});
