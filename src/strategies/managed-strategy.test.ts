import { describe, expect, it, vi } from "vitest";
import { calls, result, says, user, words } from "../../test/support/build.js";
import { resolveBudget } from "../compaction/budget.js";
import { entryOf } from "../message/entry.js";
import { Log } from "../message/log.js";
import { packMessage } from "../message/packed-message.js";
import type { Message } from "../message/types.js";
import { createTokenCounter } from "../tokens/create-token-counter.js";
import { type BareContextManager, managedStrategy } from "./managed-strategy.js";
import type { Archive, Viewer } from "./strategy.js";

const turns = (count: number): Message[] =>
  Array.from({ length: count }, (_, at) => [user(`question ${at}`), says(words(20))]).flat();

interface Given {
  readonly manager: BareContextManager;
  readonly archive?: Archive;
  readonly pinned?: readonly number[];
}

function viewerOf({ manager, archive, pinned = [] }: Given, messages = turns(4)): { viewer: Viewer; log: Log } {
  const log = new Log();
  for (const [at, message] of messages.entries())
    log.push(entryOf(packMessage(message, at), at, { first: 0, after: -1, time: 0 }));
  const budget = resolveBudget({ window: 1_000 });
  const input = { log, budget, counter: createTokenCounter(), pinned: () => pinned, ...(archive && { archive }) };
  return { viewer: managedStrategy("mine", manager).start(input), log };
}

const lastTwo: BareContextManager = { composePayload: (_system, history) => history.slice(-2) };

describe("a context manager as a strategy", () => {
  it("is given the prompt, the history, the tools and the context", async () => {
    const composePayload = vi.fn(lastTwo.composePayload);
    const { viewer } = viewerOf({ manager: { composePayload } });
    const tools = [{ name: "read" }];
    await viewer.view({ system: "be brief", tools, context: "it rains" });
    expect(composePayload).toHaveBeenCalledExactlyOnceWith("be brief", turns(4), tools, "it rains");
  });

  it("keeps the prompt that the manager left out, and adds none that is there", async () => {
    const prompts = async (manager: BareContextManager) => {
      const { messages } = await viewerOf({ manager }).viewer.view({ system: "be brief" });
      return messages.filter(({ content }) => content === "be brief").length;
    };
    expect(await prompts(lastTwo)).toBe(1);
    const prompted = (content: string, history: readonly Message[]) => [{ role: "system", content }, ...history];
    expect(await prompts({ composePayload: prompted })).toBe(1);
  });

  it("accounts once for what is missing, and hands it to the archive", async () => {
    const archive = vi.fn();
    const { viewer } = viewerOf({ manager: lastTwo, archive });
    const dry = await viewer.view({}, { dry: true });
    expect(archive).not.toHaveBeenCalled();
    const view = await viewer.view({});
    expect(view.receipt).toMatchObject({ leftOut: { entries: 6 }, items: [{ fate: "left-out", entries: 6 }] });
    expect(dry.receipt?.leftOut).toEqual(view.receipt?.leftOut);
    expect(view.receipt!.tokensBefore).toBeGreaterThan(view.receipt!.tokensAfter);
    expect(archive).toHaveBeenCalledExactlyOnceWith(turns(4).slice(0, 6));
    expect((await viewer.view({})).receipt).toBeUndefined();
  });

  it("tells the manager of a complete turn, and shows in the next view that it failed", async () => {
    const onTurnComplete = vi.fn<(history: readonly Message[]) => void>();
    const { viewer } = viewerOf({ manager: { ...lastTwo, onTurnComplete } });
    viewer.turnComplete?.();
    await viewer.view({});
    expect(onTurnComplete).toHaveBeenCalledExactlyOnceWith(turns(4));
    onTurnComplete.mockImplementation(() => {
      throw new Error("no disk");
    });
    viewer.turnComplete?.();
    const fault = { code: "invalid-plugin", message: expect.stringContaining("no disk"), cause: expect.any(Error) };
    await expect(viewer.view({})).rejects.toMatchObject(fault);
    await expect(viewer.view({})).resolves.toMatchObject({ leftOut: 6 });
  });

  it("is refused where it composes no messages", async () => {
    for (const payload of [undefined, "text", { prompt: [] }, [], { messages: [] }, [null], [{ role: "user" }]]) {
      const { viewer } = viewerOf({ manager: { composePayload: () => payload } });
      await expect(viewer.view({})).rejects.toMatchObject({ code: "invalid-plugin", details: { strategy: "mine" } });
    }
  });

  it("is refused by name where it throws, at once or later", async () => {
    const fault = { code: "invalid-plugin", details: { strategy: "mine", method: "composePayload" } };
    const throws = () => {
      throw new Error("out of luck");
    };
    for (const composePayload of [throws, async () => throws()]) {
      const { viewer } = viewerOf({ manager: { composePayload } });
      await expect(viewer.view({})).rejects.toMatchObject({
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
      const { viewer } = viewerOf({ manager: { composePayload }, pinned }, messages);
      return (await viewer.view({})).messages;
    };
    const few = [messages[0], messages[4], messages[5], ...messages.slice(-2)];
    expect(await text((_system, history) => history.slice(-2))).toEqual(few);
    expect(await text((_system, history) => [history[0], ...history.slice(-2)])).toEqual(few);
    const whole = await text((_system, history) => history);
    expect(whole).toEqual(expect.arrayContaining(few.slice(0, 3)));
  });

  it("shows the latest request of a turn that is longer than what the manager takes", async () => {
    const messages = [...turns(2), user("go"), ...["a", "b", "c"].flatMap((id) => [calls(id), result(id)])];
    const { viewer } = viewerOf({ manager: lastTwo }, messages);
    expect((await viewer.view({})).messages).toEqual([user("go"), calls("c"), result("c")]);
  });
});
