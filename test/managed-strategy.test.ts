import { describe, expect, it, vi } from "vitest";
import type { Message } from "../src/message/types.js";
import { openVarve } from "../src/session/open-varve.js";
import type { Session } from "../src/session/session.js";
import { type BareContextManager, managedStrategy } from "../src/view/strategies/managed-strategy.js";
import { slidingWindow } from "../src/view/strategies/sliding-window.js";
import type { Archive } from "../src/view/strategy.js";
import { calls, result, says, system, user, words } from "./support/build.js";

const turns = (count: number): Message[] =>
  Array.from({ length: count }, (_, at) => [user(`question ${at}`), says(words(20))]).flat();

interface Given {
  readonly manager: BareContextManager;
  readonly archive?: Archive;
  readonly pinned?: readonly number[];
}

async function sessionOf({ manager, pinned = [], ...options }: Given, messages = turns(4)): Promise<Session> {
  const strategy = managedStrategy("mine", manager);
  const session = await (await openVarve()).session("s", { window: 1_000, strategy, ...options });
  await session.append(messages);
  for (const at of pinned) session.pin(`e${at}`);
  return session;
}

const lastTwo: BareContextManager = { composePayload: (_system, history) => history.slice(-2) };

describe("a context manager as a strategy", () => {
  it("is given the prompt, the history, the tools and the context", async () => {
    const composePayload = vi.fn(lastTwo.composePayload);
    const session = await sessionOf({ manager: { composePayload } });
    const tools = [{ name: "read" }];
    await session.view({ system: "be brief", tools, context: "it rains" });
    expect(composePayload).toHaveBeenCalledExactlyOnceWith("be brief", turns(4), tools, "it rains");
  });

  it("keeps the prompt that the manager left out, and adds none that is there", async () => {
    const prompts = async (manager: BareContextManager) => {
      const { messages } = await (await sessionOf({ manager })).view({ system: "be brief" });
      return messages.filter(({ content }) => content === "be brief").length;
    };
    expect(await prompts(lastTwo)).toBe(1);
    const prompted = (content: string, history: readonly Message[]) => [{ role: "system", content }, ...history];
    expect(await prompts({ composePayload: prompted })).toBe(1);
  });

  it("does not repeat the prompt in front of one that holds it and the log's own", async () => {
    const manager = slidingWindow({ window: 1_000 });
    const session = await sessionOf({ manager }, [system("be kind"), ...turns(2)]);
    const { messages } = await session.view({ system: "be brief" });
    expect(messages.filter(({ role }) => role === "system").map(({ content }) => content)).toEqual([
      "be brief\n\nbe kind",
    ]);
  });

  it("accounts once for what is missing, and hands it to the archive", async () => {
    const archive = vi.fn();
    const session = await sessionOf({ manager: lastTwo, archive });
    const dry = await session.explain();
    expect(archive).not.toHaveBeenCalled();
    const view = await session.view();
    expect(view.receipt).toMatchObject({ leftOut: { entries: 6 }, items: [{ fate: "left-out", entries: 6 }] });
    expect(dry?.leftOut).toEqual(view.receipt?.leftOut);
    expect(view.receipt!.tokensBefore).toBeGreaterThan(view.receipt!.tokensAfter);
    expect(archive).toHaveBeenCalledExactlyOnceWith(turns(4).slice(0, 6));
    expect((await session.view()).receipt).toBeUndefined();
  });

  it("tells the manager of a complete turn, and shows in the next view that it failed", async () => {
    const onTurnComplete = vi.fn<(history: readonly Message[]) => void>();
    const session = await sessionOf({ manager: { ...lastTwo, onTurnComplete } });
    await session.view();
    expect(onTurnComplete).toHaveBeenCalledExactlyOnceWith(turns(4));
    onTurnComplete.mockImplementation(() => {
      throw new Error("no disk");
    });
    await session.append([user("more"), says("more")]);
    const fault = { code: "invalid-plugin", message: expect.stringContaining("no disk"), cause: expect.any(Error) };
    await expect(session.view()).rejects.toMatchObject(fault);
    await expect(session.view()).resolves.toMatchObject({ leftOut: 8 });
  });

  it("is refused where it composes no messages", async () => {
    for (const payload of [undefined, "text", { prompt: [] }, [], { messages: [] }, [null], [{ role: "user" }]]) {
      const session = await sessionOf({ manager: { composePayload: () => payload } });
      await expect(session.view()).rejects.toMatchObject({ code: "invalid-plugin", details: { strategy: "mine" } });
    }
  });

  it("is refused by name where it throws, at once or later", async () => {
    const fault = { code: "invalid-plugin", details: { strategy: "mine", method: "composePayload" } };
    const throws = () => {
      throw new Error("out of luck");
    };
    for (const composePayload of [throws, async () => throws()]) {
      const session = await sessionOf({ manager: { composePayload } });
      await expect(session.view()).rejects.toMatchObject({
        ...fault,
        message: expect.stringContaining("out of luck"),
      });
    }
  });

  it("shows what is pinned, in its place and whatever the manager leaves out", async () => {
    const messages = [
      user("metric units"),
      says("Noted."),
      user("read it"),
      says("Will do."),
      calls("c1"),
      result("c1"),
      ...turns(40),
    ];
    const pinned = [0, 4];
    const text = async (composePayload: BareContextManager["composePayload"]) => {
      const session = await sessionOf({ manager: { composePayload }, pinned }, messages);
      return (await session.view()).messages;
    };
    const few = [messages[0], messages[4], messages[5], ...messages.slice(-2)];
    expect(await text((_system, history) => history.slice(-2))).toEqual(few);
    expect(await text((_system, history) => [history[0], ...history.slice(-2)])).toEqual(few);
    const whole = await text((_system, history) => history);
    expect(whole).toEqual(expect.arrayContaining(few.slice(0, 3)));
  });

  it("shows the latest request of a turn that is longer than what the manager takes", async () => {
    const messages = [...turns(2), user("go"), ...["a", "b", "c"].flatMap((id) => [calls(id), result(id)])];
    const session = await sessionOf({ manager: lastTwo }, messages);
    expect((await session.view()).messages).toEqual([user("go"), calls("c"), result("c")]);
  });

  it("is counted anew where the manager changes its messages in place", async () => {
    const kept = { role: "user" as const, content: "question 3" };
    const session = await sessionOf({ manager: { composePayload: () => [kept] } });
    const first = await session.view();
    kept.content = `question 3 ${words(3_000)}`;
    await session.append(says("more"));
    expect((await session.view()).tokens).toBeLessThanOrEqual(1_000);
    expect(first.messages.at(-1)?.content).toBe("question 3");
  });
});
