import { describe, expect, it } from "vitest";
import { calls, result, says, user, words } from "../../test/support/build.js";
import type { Message } from "../message/types.js";
import { memoryStore } from "../store/drivers/memory.js";
import { hierarchical } from "../view/strategies/hierarchical.js";
import { importance } from "../view/strategies/importance.js";
import { slidingWindow } from "../view/strategies/sliding-window.js";
import { summarization } from "../view/strategies/summarization.js";
import { openVarve } from "./open-varve.js";

/** A session with some turns, a view in each, as a program leaves it. */
async function talk(turns = 12) {
  const store = memoryStore();
  const varve = await openVarve({ store: { ...store, close: async () => undefined } });
  const session = await varve.session("a", { window: 2_000, strategy: "sliding-window" });
  const turn = async (at: number) => {
    await session.append([user(`request ${at}`), calls(`c${at}`), result(`c${at}`, words(60))]);
    const view = await session.view({ system: "Be brief.", tools: [{ name: "read" }] });
    await session.append(says(`answer ${at}`));
    return view;
  };
  let view = await turn(0);
  for (let at = 1; at < turns; at++) view = await turn(at);
  return { store, varve, session, view, turn };
}

describe("the account of the latest view", () => {
  it("is told without opening the session, with the blocks that the program sent", async () => {
    const { varve, view } = await talk();
    const summary = await varve.describe("a");
    expect(summary?.latest).toMatchObject({
      tokens: view.tokens,
      blocks: view.blocks,
      leftOut: view.leftOut,
      entries: view.entries,
      strategy: "sliding-window",
      views: 12,
    });
    const { user: asked, assistant, tool } = summary!.latest!.roles;
    expect(asked + assistant + tool).toBeCloseTo(1, 2);
    expect(tool).toBeGreaterThan(asked);
  });

  it("knows how much of the views repeats the one before", async () => {
    const { varve } = await talk(8);
    const { sent, repeated } = (await varve.describe("a"))!.latest!;
    expect(repeated / sent).toBeGreaterThan(0.6);
    expect(repeated).toBeLessThan(sent);
  });

  it("takes images and files into account", async () => {
    const varve = await openVarve();
    const session = await varve.session("b", { window: 100_000 });
    const image: Message = { role: "user", content: [{ type: "image", image: "https://example.com/a.png" }] };
    await session.append(image);
    await session.view();
    await session.append([says("I see."), image]);
    await session.view();
    await session.append(says("This one as well."));
    const { roles, sent, repeated } = (await varve.describe("b"))!.latest!;
    expect(roles.user).toBeGreaterThan(0.9);
    expect(repeated).toBeGreaterThan(0.3 * sent);
  });

  it("stays right where a program changes the list of messages that it got", async () => {
    const { varve, session, turn, view } = await talk(6);
    const { messages } = view;
    const [system, first, ...rest] = messages as Message[];
    (messages as Message[]).splice(
      0,
      messages.length,
      first!,
      system!,
      ...rest,
      ...session.entries().map((e) => e.message),
    );
    await turn(6);
    const { roles, sent, repeated } = (await varve.describe("a"))!.latest!;
    expect(roles.user + roles.assistant + roles.tool).toBeCloseTo(1, 2);
    expect(repeated).toBeGreaterThan(0.6 * sent);
  });

  it("is gone on with by another process", async () => {
    const { store, varve } = await talk();
    await varve.close();
    const later = await openVarve({ store });
    const session = await later.session("a");
    await session.view();
    await session.append(user("more"));
    expect((await later.describe("a"))?.latest?.views).toBe(13);
  });

  it("ends with what it speaks of: a step back, another window, another branch", async () => {
    for (const act of ["undo", "configure", "restore"] as const) {
      const { varve, session, turn } = await talk();
      const { id } = await session.checkpoint();
      await session.compact().catch(() => undefined);
      await turn(99);
      if (act === "undo") await session.undo();
      if (act === "configure") session.configure({ window: 3_000 });
      if (act === "restore") await session.restore(id);
      await session.flush();
      expect((await varve.describe("a"))?.latest).toBeUndefined();
    }
  });

  it("can be had for a view that is only tried out, and changes nothing", async () => {
    const { varve, session } = await talk();
    const before = await varve.describe("a");
    const preview = await session.preview({ system: words(100) });
    const { blocks } = before!.latest!;
    expect(preview.blocks[0]!.tokens).toBeGreaterThan(blocks[0]!.tokens);
    await session.flush();
    expect(await varve.describe("a")).toEqual(before);
  });
});

describe("a fork", () => {
  it("has everything that the session has, and both go their own ways", async () => {
    const { varve, session } = await talk();
    await session.checkpoint("here");
    expect(await varve.fork("a", "b")).toEqual({ id: "b", from: "a", entries: 48 });
    const fork = await varve.session("b");
    expect((await fork.view()).messages).toEqual((await session.view()).messages);
    await fork.append(user("only here"));
    expect([session.entries().length, fork.entries().length]).toEqual([48, 49]);
    expect((await fork.restore("here")).entries).toBe(48);
  });

  it("is refused where there is nothing to copy, or something in its place", async () => {
    const { varve } = await talk(1);
    await expect(varve.fork("nobody", "b")).rejects.toMatchObject({ code: "not-found" });
    await expect(varve.fork("a", "a")).rejects.toMatchObject({ code: "invalid-option" });
  });
});

describe("how far the next cut is off", () => {
  const STRATEGIES = { slidingWindow, summarization, hierarchical, importance };
  const settings = [
    { lockLast: 4, after: { entries: 30 } },
    { lockLast: 20, after: { entries: 30 } },
    { lockLast: 4, after: { turns: 8 } },
    { lockLast: 4, after: { tokens: 500 } },
    { lockLast: 4 },
  ];
  const cases = Object.entries(STRATEGIES).flatMap(([name, make]) =>
    settings.map((each) => ({ name, make, options: each })),
  );

  it.each(cases)("is told by $name with its thresholds and what it spares: $options", async ({ make, options }) => {
    const varve = await openVarve();
    const session = await varve.session("s", { window: 1_500, strategy: make(options) });
    const told: number[] = [];
    for (let at = 0; at < 80; at++) {
      await session.append(at % 2 === 0 ? user(`request ${words(17)}`) : says(`answer ${words(17)}`));
      const { receipt } = await session.view({ system: "Be brief." });
      if (receipt !== undefined) break;
      told.push(session.status().nextCut!.entries!);
    }
    expect(told.length).toBeLessThan(80);
    const off = told.map((entries, at) => Math.abs(entries - (told.length - at)));
    expect(Math.max(...off.slice(4))).toBeLessThanOrEqual(3);
    if (options.after?.entries !== undefined) expect(Math.max(...off)).toBe(0);
  });

  it("takes off what has come since the view, also for whoever does not open the session", async () => {
    const varve = await openVarve();
    const session = await varve.session("s", { window: 9_000, strategy: hierarchical({ after: { entries: 20 } }) });
    await session.append(Array.from({ length: 12 }, (_, at) => user(`request ${at}`)));
    await session.view();
    await session.append([says("one"), user("two"), says("three")]);
    expect(session.status().nextCut?.entries).toBe(6);
    expect((await varve.describe("s"))?.latest?.nextCut?.entries).toBe(9);
  });
});
