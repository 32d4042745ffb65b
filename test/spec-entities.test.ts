import { describe, expect, it } from "vitest";
import { z } from "zod";
import { openVarve } from "../src/index.js";
import { messageText } from "../src/message/content.js";
import { entities } from "../src/view/strategies/entities/entities.js";
import { says, user } from "./support/build.js";

const schema = z.object({ destination: z.string(), date: z.string() });

describe("entities in a session", () => {
  it("shows pinned entries beside the last turns", async () => {
    const varve = await openVarve();
    const session = await varve.session("s", { window: 2_000, strategy: entities({ schema, keepTurns: 1 }) });
    const [pinned] = await session.append([
      user("always use metric units"),
      says("Noted."),
      user("to Paris"),
      says("Ok."),
    ]);
    session.pin(pinned!.id);
    await session.append(user("on 12 May"));
    const { messages } = await session.view({ system: "You book flights." });
    expect(messages.map(messageText)).toEqual([
      "You book flights.",
      expect.stringContaining('{"destination":"Paris","date":"12 May"}'),
      "always use metric units",
      "on 12 May",
    ]);
  });

  it("keeps its state, and reads no message again, when the session goes on with another window", async () => {
    let calls = 0;
    const extractor = {
      name: "counting",
      complete: async () => ({ text: JSON.stringify({ destination: `call ${++calls}` }), finish: "stop" as const }),
    };
    const strategy = entities({ schema, extractor });
    const session = await (await openVarve()).session("s", { window: 2_000, strategy });
    await session.append(user("to Paris"));
    await session.view();
    session.configure({ window: 4_000 });
    const view = await session.view();
    expect(messageText(view.messages[0]!)).toContain('{"destination":"call 1"}');
    expect(calls).toBe(1);
  });

  it("keeps the states of two sessions apart", async () => {
    const varve = await openVarve();
    const strategy = entities({ schema });
    const sessions = await Promise.all(["a", "b"].map((id) => varve.session(id, { window: 2_000, strategy })));
    await sessions[0]!.append(user("to Paris"));
    await sessions[1]!.append(user("to Oslo"));
    const blocks = await Promise.all(sessions.map(async (session) => messageText((await session.view()).messages[0]!)));
    expect(blocks[0]).toContain('{"destination":"Paris"}');
    expect(blocks[1]).toContain('{"destination":"Oslo"}');
  });
});

describe("a reduction by entities", () => {
  const turns = (count: number) =>
    Array.from({ length: count }, (_, at) => [user(`leg ${at}`), says(`ok ${at}`)]).flat();
  const texts = (view: { messages: Parameters<typeof messageText>[0][] }) => view.messages.map(messageText);

  it("can be taken back, and does not come again until the log has grown", async () => {
    const session = await (await openVarve()).session("s", {
      window: 4_000,
      strategy: entities({ schema, keepTurns: 2 }),
    });
    await session.append(turns(2));
    const before = await session.view();
    await session.append(turns(3));
    const cut = await session.view();
    expect(cut.leftOut).toBe(6);
    session.undo();
    const undone = await session.view();
    expect(texts(undone).slice(0, before.messages.length)).toEqual(texts(before));
    expect(undone).toMatchObject({ leftOut: 0, entries: 10 });
    expect(texts(await session.view())).toEqual(texts(undone));
    await session.append(user("to Paris"));
    expect((await session.view()).leftOut).toBe(8);
  });

  it("comes again at once where it is asked for", async () => {
    const session = await (await openVarve()).session("s", {
      window: 4_000,
      strategy: entities({ schema, keepTurns: 2 }),
    });
    await session.append(turns(5));
    await session.view();
    session.undo();
    expect((await session.compact()).leftOut).toMatchObject({ entries: 6 });
  });

  it("reaches the archive once, also where it was taken back between", async () => {
    const archived: string[] = [];
    const session = await (await openVarve()).session("s", {
      window: 4_000,
      strategy: entities({ schema, keepTurns: 2 }),
      archive: (messages) => void archived.push(...messages.map(messageText)),
    });
    await session.append(turns(5));
    await session.view();
    session.undo();
    await session.view();
    await session.append(user("to Paris"));
    await session.view();
    expect(archived).toEqual(turns(4).map(messageText));
  });

  it("may be explained while a view is made", async () => {
    const session = await (await openVarve()).session("s", {
      window: 4_000,
      strategy: entities({ schema, keepTurns: 2 }),
    });
    await session.append(turns(5));
    const [receipt, view] = await Promise.all([session.explain(), session.view()]);
    expect(receipt?.leftOut).toMatchObject({ entries: 6 });
    expect(view.leftOut).toBe(6);
  });

  it("leaves the next view alone where it failed", async () => {
    const session = await (await openVarve()).session("s", {
      window: 400,
      strategy: entities({ schema, keepTurns: 2 }),
    });
    await session.append(turns(5));
    const { messages } = await session.view();
    const refused = session.view({ system: "rules ".repeat(900) });
    await expect(refused).rejects.toMatchObject({ code: "floor-exceeds-window" });
    expect((await session.view()).messages).toEqual(messages);
  });
});
