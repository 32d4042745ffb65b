import { describe, expect, it, vi } from "vitest";
import { says, user, words } from "../../test/support/build.js";
import type { VarveError } from "../errors.js";
import type { Summariser } from "../notes/summariser.js";
import { memoryStore } from "../store/drivers/memory.js";
import type { Store } from "../store/store.js";
import { hierarchical } from "../view/strategies/hierarchical.js";
import { slidingWindow } from "../view/strategies/sliding-window.js";
import { summarization } from "../view/strategies/summarization.js";
import { openVarve } from "./open-varve.js";
import type { SessionOptions } from "./session-options.js";

const turns = (count: number) =>
  Array.from({ length: count }, (_, at) => [user(`question ${at}`), says(words(20))]).flat();

/** An instance of a class, of which no field can be seen. */
class Silent implements Summariser {
  get name() {
    return "silent";
  }

  async summarise() {
    return { text: "", madeBy: "silent" };
  }
}

/** Opens the session in a process of its own, as it were, and says what it was warned of. */
async function opened(store: Store, options?: SessionOptions, more: { readonly summariser?: Summariser } = {}) {
  const warnings: VarveError[] = [];
  const varve = await openVarve({ store, onWarning: (warning) => warnings.push(warning), ...more });
  const session = await varve.session("s", options);
  await session.append(turns(1));
  return { session, warnings };
}

const storedIn = async (store: Store): Promise<Record<string, unknown>> => {
  const stored = await store.read("s", { documents: ["state/options"] });
  return JSON.parse(stored?.documents.get("state/options") ?? "{}") as Record<string, unknown>;
};

describe("a strategy's own options", () => {
  it.each<[string, SessionOptions | undefined]>([
    ["without options", undefined],
    ["by its name", { strategy: "summarization" }],
    ["with other options", { trigger: 0.7 }],
  ])("go on when the session is opened again %s", async (_, options) => {
    const store = memoryStore();
    await opened(store, { window: 20_000, strategy: summarization({ after: { turns: 4 }, keepLastTurns: 2 }) });
    const { session, warnings } = await opened(store, options);
    await session.append(turns(4));
    const { receipt } = await session.view();
    expect(receipt).toMatchObject({ reason: "the history exceeded a threshold of its strategy" });
    expect(warnings).toEqual([]);
    expect(await storedIn(store)).toMatchObject({ strategyOptions: { after: { turns: 4 }, keepLastTurns: 2 } });
  });

  it("give way to another strategy, and to the same one made anew", async () => {
    const store = memoryStore();
    await opened(store, { window: 20_000, strategy: slidingWindow({ lockLast: 3, clearResults: false }) });
    expect(await storedIn(store)).toMatchObject({ strategyOptions: { lockLast: 3, clearResults: false } });
    await opened(store, { strategy: slidingWindow({ lockLast: 4 }) });
    expect(await storedIn(store)).toMatchObject({ strategy: "sliding-window", strategyOptions: { lockLast: 4 } });
    await opened(store, { strategy: "hierarchical" });
    expect(await storedIn(store)).toEqual({ window: 20_000, strategy: "hierarchical" });
  });

  it("stay when an open session is configured with the name of its strategy", async () => {
    const store = memoryStore();
    const { session } = await opened(store, { window: 20_000, strategy: slidingWindow({ lockLast: 3 }) });
    session.configure({ strategy: "sliding-window", window: 10_000 });
    await session.flush();
    expect(await storedIn(store)).toMatchObject({ window: 10_000, strategyOptions: { lockLast: 3 } });
  });

  it("that another release has stored, and this one does not know, are told and passed over", async () => {
    const store = memoryStore();
    const { session } = await opened(store, { window: 20_000, strategy: hierarchical({ fanout: 3 }) });
    await session.flush();
    const document = { ...(await storedIn(store)), strategyOptions: { fanout: 3, colour: "red" } };
    const documents = new Map([["state/options", document]]);
    await store.commit("s", { version: await store.version("s"), time: 0, documents });
    const again = await opened(store);
    expect(again.warnings).toMatchObject([{ code: "invalid-option", details: { option: "colour" } }]);
    expect(again.session.status().strategy).toBe("hierarchical");
  });
});

describe("options that cannot be stored", () => {
  const archive = () => undefined;
  const strategy = () => hierarchical({ fanout: 3, summariser: new Silent(), onSummary: vi.fn() });
  const missing = ["archive", "strategy.summariser", "strategy.onSummary"];

  it("are named once each time that a session goes on without them", async () => {
    const store = memoryStore();
    expect((await opened(store, { window: 20_000, archive, strategy: strategy() })).warnings).toEqual([]);
    for (let time = 0; time < 2; time++) {
      const { session, warnings } = await opened(store);
      await session.view();
      expect(warnings).toMatchObject([{ code: "option-not-stored", details: { session: "s", missing } }]);
      expect(warnings[0]?.hint).toContain("openVarve({ summariser })");
    }
    expect(await storedIn(store)).toMatchObject({ strategyOptions: { fanout: 3 }, missing });
  });

  it("are not named where they are given again, or the strategy is another", async () => {
    const store = memoryStore();
    await opened(store, { window: 20_000, archive, strategy: strategy() });
    expect((await opened(store, { archive, strategy: strategy() })).warnings).toEqual([]);
    expect((await opened(store, { archive })).warnings).toMatchObject([{ details: { missing: missing.slice(1) } }]);
    expect((await opened(store, { strategy: "hierarchical" })).warnings).toHaveLength(1);
    expect((await opened(store, { archive, strategy: "sliding-window" })).warnings).toEqual([]);
    expect((await opened(store)).warnings).toMatchObject([{ details: { missing: ["archive"] } }]);
  });

  it("do without the strategy's own summariser where openVarve has one for all", async () => {
    const store = memoryStore();
    await opened(store, { window: 20_000, strategy: hierarchical({ summariser: new Silent() }) });
    expect((await opened(store, undefined, { summariser: new Silent() })).warnings).toEqual([]);
    expect((await opened(store)).warnings).toHaveLength(1);
  });
});
