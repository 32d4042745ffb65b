import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it, test } from "vitest";
import { z } from "zod";
import { entities, openVarve, type Session, type SessionOptions, type Varve } from "../src/index.js";
import type { Message } from "../src/message/types.js";
import { conversation } from "./support/conversation.js";
import { hasPostgres, startPostgres } from "./support/postgres.js";

const folder = mkdtempSync(join(tmpdir(), "varve-stores-"));
const server = hasPostgres() ? await startPostgres() : undefined;
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await server?.stop();
});

let places = 0;
const ADDRESSES: Record<string, (place: string) => string> = {
  file: (place) => `file:${join(folder, place)}`,
  sqlite: (place) => `sqlite:${join(folder, place, "varve.db")}`,
  ...(server && { postgres: (place: string) => `${server.url()}?schema=${place}` }),
};
const SYSTEM = "You are a careful engineer.";
const textOf = (messages: readonly Message[]) => JSON.stringify(messages);

describe.each(Object.entries(ADDRESSES))("a session in the store %s", (_name, addressOf) => {
  const place = () => addressOf(`place-${++places}`);
  const opened = async (store: string, options?: SessionOptions): Promise<{ varve: Varve; session: Session }> => {
    const varve = await openVarve({ store });
    return { varve, session: await varve.session("user:agent:1", options) };
  };

  it("ends where another process has deleted it, also when that has made a new one under its id", async () => {
    const store = place();
    const one = await opened(store, { window: 6_000 });
    await one.session.append({ role: "user", content: "old secret" });
    const two = await openVarve({ store });
    await two.delete("user:agent:1");
    const made = await two.session("user:agent:1", { window: 6_000 });
    await made.append(["new 1", "new 2", "new 3"].map((content) => ({ role: "user", content })));
    await expect(one.session.append({ role: "user", content: "late" })).rejects.toMatchObject({ code: "not-found" });
    const again = await one.varve.session("user:agent:1");
    expect(again.entries().map(({ message }) => message.content)).toEqual(["new 1", "new 2", "new 3"]);
    await one.varve.close();
    await two.close();
  });

  describe.each(["sliding-window", "hierarchical", "importance", "summarization"])("with %s", (strategy) => {
    const options = { window: 6_000, strategy };

    it("shows the same view to the byte when it is opened again, and goes on as if it had never been closed", async () => {
      const store = place();
      const first = await opened(store, options);
      const whole = await (await openVarve()).session("whole", options);
      for (let at = 0; at < 40; at += 5) {
        await first.session.append(conversation(5, { from: at }));
        await whole.append(conversation(5, { from: at }));
        await first.session.view({ system: SYSTEM });
        await whole.view({ system: SYSTEM });
      }
      const shown = await first.session.view({ system: SYSTEM });
      const receipts = first.session.receipts().length;
      expect(receipts).toBeGreaterThan(0);
      await first.varve.close();

      const { varve, session } = await opened(store, options);
      const again = await session.view({ system: SYSTEM });
      expect(textOf(again.messages)).toBe(textOf(shown.messages));
      expect(again.tokens).toBe(shown.tokens);
      expect(again.receipt).toBeUndefined();
      expect(session.receipts().length).toBe(receipts);
      for (let at = 40; at < 60; at += 5) {
        await session.append(conversation(5, { from: at }));
        await whole.append(conversation(5, { from: at }));
        const [view, live] = [await session.view({ system: SYSTEM }), await whole.view({ system: SYSTEM })];
        expect(textOf(view.messages)).toBe(textOf(live.messages));
        expect(view.receipt?.items).toEqual(live.receipt?.items);
      }
      await varve.close();
    });

    it("takes reductions back that another process made", async () => {
      const store = place();
      const first = await opened(store, options);
      await first.session.append(conversation(6));
      const before = textOf((await first.session.view()).messages);
      const { id } = await first.session.compact();
      await first.varve.close();
      const { varve, session } = await opened(store, options);
      expect((await session.undo()).id).toBe(id);
      expect(textOf((await session.view()).messages)).toBe(before);
      await varve.close();
      const third = await opened(store, options);
      expect(textOf((await third.session.view()).messages)).toBe(before);
      expect(third.session.receipts()).toEqual([]);
      await expect(third.session.undo()).rejects.toMatchObject({ code: "not-found" });
      await third.varve.close();
    });
  });

  test("knows the state of its entities when it is opened again, without reading the log once more", async () => {
    const store = place();
    let told = 0;
    const strategy = () =>
      entities({
        schema: z.object({ destination: z.string(), budget: z.string() }),
        keepTurns: 2,
        onUpdate: () => told++,
      });
    const first = await opened(store, { window: 4_000, strategy: strategy() });
    await first.session.append([
      { role: "user", content: "I want to fly to Paris." },
      { role: "assistant", content: "Noted." },
      ...conversation(5),
    ]);
    const shown = await first.session.view();
    expect(textOf(shown.messages)).toContain("Paris");
    await first.varve.close();
    const before = told;
    const { varve, session } = await opened(store, { window: 4_000, strategy: strategy() });
    const again = await session.view();
    expect(textOf(again.messages)).toBe(textOf(shown.messages));
    expect(again.receipt).toBeUndefined();
    expect(told).toBe(before);
    await varve.close();
  });

  test("goes on with the options, pins, calibration and notes that it had", async () => {
    const store = place();
    const { varve, session } = await opened(store, { model: "gpt-4o", window: 9_000, trigger: 0.9 });
    await session.append(conversation(4));
    session.pin("e2", { by: "agent" });
    session.track({ facts: ["User speaks English"], workspace: "/work", tasks: [{ id: "t1", progress: 0.5 }] });
    const view = await session.view();
    for (let at = 0; at < 4; at++)
      session.reportUsage({ inputTokens: Math.round(view.tokens * 1.3), outputTokens: 10 });
    const status = session.status();
    await varve.close();
    const second = await opened(store);
    expect(second.session.status()).toMatchObject({ budget: status.budget, counter: status.counter, pins: ["e2"] });
    expect(second.session.context()).toMatchObject({
      facts: ["User speaks English"],
      system_state: { last_workspace: "/work" },
      active_tasks: [{ id: "t1", progress: 0.5, status: "Running" }],
      tool_stats: { total_calls: 4, by_tool: { read_file: 4 }, failures: 0 },
      token_usage: { total_output: 40 },
    });
    await second.varve.close();
  });

  test("carries an append with a key out once, whoever sends it", async () => {
    const store = place();
    const { varve, session } = await opened(store, { window: 9_000 });
    const [message] = conversation(1);
    const sent = await session.append(message!, { key: "k1" });
    await varve.close();
    const second = await opened(store);
    const again = await second.session.append(message!, { key: "k1" });
    expect(again.map(({ id }) => id)).toEqual(sent.map(({ id }) => id));
    expect(second.session.entries()).toHaveLength(1);
    await second.varve.close();
  });

  test("is one for two processes: each sees what the other appends, pins and reduces", async () => {
    const store = place();
    const one = await opened(store, { window: 4_000, strategy: "hierarchical" });
    const two = await opened(store, { window: 4_000, strategy: "hierarchical" });
    await one.session.append(conversation(3));
    await two.session.append(conversation(3, { from: 3 }));
    await one.session.append(conversation(3, { from: 6 }));
    const seen = await two.session.view();
    expect(seen.entries).toBe(36);
    expect(textOf((await one.session.view()).messages)).toBe(textOf(seen.messages));
    expect(two.session.entries().map(({ message }) => message.content)).toEqual(
      one.session.entries().map(({ message }) => message.content),
    );
    one.session.pin("e30");
    two.session.pin("e34");
    await Promise.all([one.session.flush(), two.session.flush()]);
    await Promise.all([one.session.refresh(), two.session.refresh()]);
    expect(one.session.status().pins.toSorted()).toEqual(["e30", "e34"]);
    expect(two.session.status().pins.toSorted()).toEqual(["e30", "e34"]);
    await one.varve.close();
    await two.varve.close();
  });

  test("that two processes compact has one order of reductions, and both see all", async () => {
    const store = place();
    const one = await opened(store, { window: 8_000 });
    await one.session.append(conversation(10));
    await one.session.view();
    const two = await opened(store);
    await two.session.view();
    const receipts = await Promise.all([one.session.compact(), two.session.compact()]);
    expect(textOf((await one.session.view()).messages)).toBe(textOf((await two.session.view()).messages));
    const ids = (await one.session.allReceipts()).map(({ id }) => id);
    expect(ids).toEqual([...new Set(receipts.map(({ id }) => id))].sort());
    await one.varve.close();
    await two.varve.close();
  });

  test("comes back to a checkpoint days later, in another process, and keeps the other branch", async () => {
    const store = place();
    const { varve, session } = await opened(store, { window: 5_000, strategy: "hierarchical" });
    await session.append(conversation(20));
    session.pin("e70");
    const shown = await session.view();
    const { id } = await session.checkpoint("before the refactor");
    session.unpin("e70");
    await session.append(conversation(20, { from: 20 }));
    await session.view();
    await varve.close();

    const second = await opened(store);
    expect(second.session.checkpoints()).toMatchObject([{ id, name: "before the refactor", head: "e79", entries: 80 }]);
    const diff = second.session.diff(id);
    expect([diff.common, diff.removed.length, diff.added.length]).toEqual(["e79", 0, 80]);
    await second.session.restore("before the refactor");
    expect(textOf((await second.session.view()).messages)).toBe(textOf(shown.messages));
    expect(second.session.status().pins).toEqual(["e70"]);
    await second.session.append(conversation(10, { from: 100 }));
    const view = await second.session.view();
    expect(second.session.entries()).toHaveLength(120);
    expect(second.session.allEntries()).toHaveLength(200);
    expect(second.session.expand("e159").text).toContain("value39_1");
    expect(second.session.entries().at(80)).toMatchObject({ id: "e160", parent: "e79" });
    const other = second.session.diff(id);
    expect([other.common, other.removed.length, other.added.length]).toEqual(["e79", 0, 40]);
    await second.session.deleteCheckpoint(id);
    expect(second.session.checkpoints()).toEqual([]);
    await second.varve.close();

    const third = await opened(store);
    expect(third.session.entries()).toHaveLength(120);
    expect(textOf((await third.session.view()).messages)).toBe(textOf(view.messages));
    await third.varve.close();
  });

  test("makes checkpoints by itself every so many messages, and keeps the latest", async () => {
    const { varve, session } = await opened(place(), { window: 9_000, checkpointEvery: 10 });
    for (const message of conversation(30)) await session.append(message);
    const heads = session.checkpoints().map(({ head }) => head);
    expect(heads).toEqual(["e9", "e19", "e29", "e39", "e49", "e59", "e69", "e79", "e89", "e99", "e109", "e119"]);
    expect(session.checkpoints().every(({ automatic }) => automatic)).toBe(true);
    await session.restore("c3");
    expect(session.entries().at(-1)!.id).toBe("e29");
    await varve.close();
  });

  test("that was deleted is gone for whoever has it open", async () => {
    const store = place();
    const one = await opened(store, { window: 9_000 });
    await one.session.append(conversation(2));
    const two = await opened(store);
    expect(await one.varve.delete("user:agent:1")).toMatchObject({ entries: 8 });
    await expect(two.session.append(conversation(1))).rejects.toMatchObject({ code: "not-found" });
    await expect(one.session.append(conversation(1))).rejects.toMatchObject({ code: "not-found" });
    expect((await (await one.varve.session("user:agent:1", { window: 400 })).append(conversation(1)))[0]!.id).toBe(
      "e0",
    );
    await one.varve.close();
    await two.varve.close();
  });
});
