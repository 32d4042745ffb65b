import { describe, expect, it, vi } from "vitest";
import { says, user, words } from "../../test/support/build.js";
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
}

function viewerOf({ manager, archive }: Given, messages = turns(4)): { viewer: Viewer; log: Log } {
  const log = new Log();
  for (const [at, message] of messages.entries())
    log.push(entryOf(packMessage(message, at), at, { first: 0, after: -1, time: 0 }));
  const budget = resolveBudget({ window: 1_000 });
  const input = { log, budget, counter: createTokenCounter(), pinned: () => [], ...(archive && { archive }) };
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
    await expect(viewer.view({})).rejects.toThrow("no disk");
    await expect(viewer.view({})).resolves.toMatchObject({ leftOut: 6 });
  });

  it("is refused where it composes no messages", async () => {
    for (const payload of [undefined, "text", { prompt: [] }]) {
      const { viewer } = viewerOf({ manager: { composePayload: () => payload } });
      await expect(viewer.view({})).rejects.toMatchObject({ code: "invalid-plugin", details: { strategy: "mine" } });
    }
  });
});
