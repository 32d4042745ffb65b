import { describe, expect, it } from "vitest";
import { conversation } from "../../test/support/conversation.js";
import { memoryStore } from "../store/drivers/memory.js";
import type { Store } from "../store/store.js";
import { openVarve } from "./open-varve.js";
import type { Session } from "./session.js";

/** Two processes on one store, as far as memory can show it: the first one's next commit waits until it is let go. */
async function twoOnOne(): Promise<{ one: Session; two: Session; hold: () => () => void }> {
  const store = memoryStore();
  let gate: Promise<void> = Promise.resolve();
  const slow: Store = {
    ...store,
    commit: async (...given) => {
      await gate;
      return store.commit(...given);
    },
  };
  const options = { window: 5_000, strategy: "hierarchical" };
  const one = await (await openVarve({ store: slow })).session("s", options);
  await one.append(conversation(10));
  await one.view();
  const two = await (await openVarve({ store })).session("s", options);
  await two.view();
  const hold = () => {
    let release = () => {};
    gate = new Promise((resolve) => {
      release = resolve;
    });
    return release;
  };
  return { one, two, hold };
}

const text = async (session: Session): Promise<string> => JSON.stringify((await session.view()).messages);

describe("two processes on one session", () => {
  it("that compact at once: one wins, and the other returns its receipt and shows its view", async () => {
    const { one, two, hold } = await twoOnOne();
    const release = hold();
    const losing = one.compact();
    const winner = await two.compact();
    release();
    expect(await losing).toEqual(winner);
    expect(one.receipts()).toEqual([winner]);
    expect(await text(one)).toBe(await text(two));
    expect(await one.allReceipts()).toHaveLength(1);
  });

  it("of which one appends while the other compacts: the compaction stays, and nothing is lost", async () => {
    const { one, two, hold } = await twoOnOne();
    const release = hold();
    const compacting = one.compact();
    await two.append(conversation(1, { from: 10 }));
    release();
    const receipt = await compacting;
    expect(one.entries()).toHaveLength(44);
    expect(one.receipts().map(({ id }) => id)).toEqual([receipt.id]);
    expect(await text(one)).toBe(await text(two));
    expect(await text(one)).toContain("value10_1");
  });

  it("of which one goes back to a checkpoint: the other is on that branch with its next view", async () => {
    const { one, two } = await twoOnOne();
    await one.checkpoint("start");
    const before = await text(one);
    await two.append(conversation(5, { from: 10 }));
    await two.view();
    await one.restore("start");
    expect(await text(two)).toBe(before);
    expect(two.entries()).toHaveLength(40);
    expect((await two.append(conversation(1, { from: 70 })))[0]).toMatchObject({ id: "e60", parent: "e39" });
  });

  it("of which one pins while the other does: both pins hold", async () => {
    const { one, two, hold } = await twoOnOne();
    const release = hold();
    one.pin("e30");
    two.pin("e36");
    await two.flush();
    release();
    await one.flush();
    expect(one.status().pins.toSorted()).toEqual(["e30", "e36"]);
    await two.refresh();
    expect(two.status().pins.toSorted()).toEqual(["e30", "e36"]);
  });

  it("of which one is told of usage and facts while the other is: both count", async () => {
    const { one, two } = await twoOnOne();
    one.track({ facts: ["a"] });
    two.track({ facts: ["b"] });
    await Promise.all([one.flush(), two.flush()]);
    one.reportUsage({ inputTokens: 1_000 });
    two.reportUsage({ inputTokens: 500 });
    await one.flush();
    await two.flush();
    await one.refresh();
    expect(one.context().facts.toSorted()).toEqual(["a", "b"]);
    expect(one.context().token_usage.total_input).toBe(1_500);
  });
});

describe("one process", () => {
  it("knows what it was told at once", async () => {
    const session = await (await openVarve()).session("s", { window: 5_000 });
    session.track({ facts: ["a"], tasks: [{ id: "t", description: "Migrate" }] });
    session.track({ facts: ["b", "a"], forget: ["c"], tasks: [{ id: "t", status: "Completed", progress: 1 }] });
    expect(session.context()).toMatchObject({
      facts: ["a", "b"],
      active_tasks: [{ id: "t", description: "Migrate", status: "Completed", progress: 1 }],
    });
  });

  it("keeps what could not be written for the next commit", async () => {
    const store = memoryStore();
    let fails = false;
    const unsafe: Store = {
      ...store,
      commit: async (...given) => {
        if (fails) throw new Error("no connection");
        return store.commit(...given);
      },
    };
    const session = await (await openVarve({ store: unsafe })).session("s", { window: 5_000 });
    await session.append(conversation(8));
    fails = true;
    session.pin("e1");
    session.track({ facts: ["kept"] });
    await expect(session.flush()).rejects.toThrow("no connection");
    await expect(session.compact()).rejects.toThrow("no connection");
    expect(session.receipts()).toEqual([]);
    fails = false;
    await session.append(conversation(1, { from: 8 }));
    const again = await (await openVarve({ store })).session("s");
    expect(again.status().pins).toEqual(["e1"]);
    expect(again.context().facts).toEqual(["kept"]);
  });
});
