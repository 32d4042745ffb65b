import { describe, expect, it } from "vitest";
import { z } from "zod";
import { openVarve } from "../src/index.js";
import { messageText } from "../src/message/content.js";
import { entities } from "../src/strategies/entities/entities.js";
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
