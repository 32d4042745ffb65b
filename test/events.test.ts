import { afterEach, describe, expect, expectTypeOf, test, vi } from "vitest";
import {
  type CompactionEvent,
  hierarchical,
  localQueue,
  memoryStore,
  modelSummariser,
  openaiCompatible,
  openVarve,
  type Receipt,
  type Summariser,
  type SummaryEvent,
  summarization,
  type Varve,
  VarveError,
  type VarveEvents,
} from "../src/index.js";
import { calls, result, says, user, words } from "./support/build.js";
import { eventually } from "./support/eventually.js";
import { type ModelServer, type Script, startModelServer } from "./support/model-server.js";

let server: ModelServer | undefined;
afterEach(() => server?.close());

const turns = (count: number, size = 40, from = 0) =>
  Array.from({ length: count }, (_, at) => [user(`question ${at + from}`), says(words(size))]).flat();

type Told = { [Name in keyof VarveEvents]: { name: Name; event: VarveEvents[Name] } }[keyof VarveEvents];

/** All that a varve tells, in order. */
function listening(varve: Varve): Told[] {
  const told: Told[] = [];
  for (const name of ["warning", "compaction", "view", "summary"] as const)
    varve.on(name, (event) => void told.push({ name, event } as Told));
  return told;
}
const namesIn = (told: readonly Told[]) => told.map(({ name }) => name);
const eventsOf = <Name extends keyof VarveEvents>(told: readonly Told[], name: Name) =>
  told.flatMap((each) => (each.name === name ? [each.event as VarveEvents[Name]] : []));

describe("a varve tells", () => {
  test("of every view of every session, with what it takes", async () => {
    const varve = await openVarve();
    const early = await varve.session("a", { window: 8_000, strategy: "sliding-window" });
    const told = listening(varve);
    await early.append(turns(2));
    const view = await early.view();
    await (await varve.session("b", { window: 8_000, strategy: "hierarchical" })).view();
    const [a, b] = eventsOf(told, "view");
    const { tokens, budget } = view;
    expect(a).toEqual({
      ...{ session: "a", strategy: "sliding-window", tokens, budget, percentUsed: tokens / budget.usable },
      ...{ entries: 4, leftOut: 0, receipt: undefined },
    });
    expect(b).toMatchObject({ session: "b", strategy: "hierarchical", entries: 0 });
  });

  test("of each compaction with its figures and its receipt, before the view, once both are settled", async () => {
    const varve = await openVarve();
    const session = await varve.session("a", { window: 1_000 });
    const told = listening(varve);
    let seen: unknown;
    varve.on("compaction", () => {
      seen = [session.receipts().at(-1), session.status().leftOut];
    });
    let view = await session.view();
    for (let at = 0; view.receipt === undefined; at++) {
      await session.append(turns(1, 40, at));
      view = await session.view();
    }
    const { receipt, messages, leftOut } = view;
    const { tokensBefore: before, tokensAfter: after, reason } = receipt;
    const [event] = eventsOf(told, "compaction");
    expect(event).toEqual({
      ...{ session: "a", before, after, ratio: after / before, level: 1, attempts: 1, reason, messages, receipt },
    } satisfies CompactionEvent);
    expect(seen).toEqual([receipt, leftOut]);
    expect(namesIn(told).slice(-3)).toEqual(["view", "compaction", "view"]);
    expect(eventsOf(told, "view").at(-1)).toMatchObject({ receipt: receipt.id, tokens: after });
    await session.compact();
    expect(eventsOf(told, "compaction").at(-1)?.receipt).toEqual(session.receipts().at(-1));
  });

  test("how often notes were carried over a cut", async () => {
    const varve = await openVarve();
    const session = await varve.session("a", { window: 1_000, strategy: hierarchical() });
    const told = listening(varve);
    for (let at = 0; at < 60; at++) {
      await session.append(turns(1, 40, at));
      await session.view();
    }
    expect(eventsOf(told, "compaction").map(({ level }) => level)).toEqual(expect.arrayContaining([1, 2, 3]));
  });

  test("of nothing where a view is only tried out or cannot be made", async () => {
    const varve = await openVarve();
    const session = await varve.session("a", { window: 100 });
    const told = listening(varve);
    await session.append(turns(3, 10));
    await session.preview();
    await session.explain();
    await expect(session.view({ system: words(500) })).rejects.toMatchObject({ code: "floor-exceeds-window" });
    expect(told).toEqual([]);
  });

  test("of what a view repairs, once, and of every warning with its session", async () => {
    const onWarning = vi.fn();
    const store = memoryStore();
    await store.commit("torn", {
      version: 0,
      time: 0,
      documents: new Map([["state/options", { window: 1_000, missing: ["archive"] }]]),
    });
    const varve = await openVarve({ store, onWarning });
    const told = listening(varve);
    const session = await varve.session("a", { window: 1_000 });
    await session.append([user("go"), calls("1"), user("and?"), result("9")]);
    await session.view();
    await session.append(says("done"));
    await session.view();
    expect(namesIn(told)).toEqual(["warning", "view", "view"]);
    const [{ session: id, warning } = {} as VarveEvents["warning"]] = eventsOf(told, "warning");
    expect(id).toBe("a");
    expect(warning).toBeInstanceOf(VarveError);
    const repairs = [
      { kind: "unanswered-call", call: "1", entry: "e1" },
      { kind: "orphan-result", entry: "e3" },
    ];
    expect(warning).toMatchObject({ code: "repaired", details: { session: "a", repairs } });
    expect(onWarning).not.toHaveBeenCalled();
    await varve.session("torn");
    expect(eventsOf(told, "warning").at(-1)).toMatchObject({ session: "torn", warning: { code: "option-not-stored" } });
    expect(onWarning).toHaveBeenCalledExactlyOnceWith(eventsOf(told, "warning").at(-1)?.warning);
  });

  test("nobody any more who was taken off", async () => {
    const varve = await openVarve();
    const session = await varve.session("a", { window: 1_000 });
    const listener = vi.fn();
    const off = varve.on("view", listener);
    varve.on("view", listener);
    await session.view();
    off();
    off();
    await session.view();
    expect(listener).toHaveBeenCalledTimes(3);
  });
});

describe("a listener", () => {
  test("that fails, at once or later, breaks nothing and is told of as a warning", async () => {
    const onWarning = vi.fn();
    const varve = await openVarve({ onWarning });
    const session = await varve.session("a", { window: 1_000 });
    const boom = new Error("boom");
    varve.on("view", () => {
      throw boom;
    });
    varve.on("view", async () => Promise.reject(boom));
    const after = vi.fn();
    varve.on("view", after);
    varve.on("warning", () => {
      throw boom;
    });
    await session.append([user("hi"), calls("1"), user("so?")]);
    await expect(session.view()).resolves.toMatchObject({ entries: 3 });
    expect(after).toHaveBeenCalledOnce();
    await eventually(() => expect(onWarning).toHaveBeenCalledTimes(3));
    for (const [warning] of onWarning.mock.calls)
      expect(warning).toMatchObject({ code: "listener-failed", cause: boom });
  });

  test("is told in the process's warnings where nobody takes them", async () => {
    const emitted = vi.spyOn(process, "emitWarning").mockImplementation(() => undefined);
    const varve = await openVarve();
    varve.on("view", () => {
      throw new Error("boom");
    });
    await (await varve.session("a", { window: 1_000 })).view();
    await eventually(() => expect(emitted).toHaveBeenCalledWith(expect.objectContaining({ code: "listener-failed" })));
    emitted.mockRestore();
  });

  test("may use the session that it is told of", async () => {
    const varve = await openVarve();
    const session = await varve.session("a", { window: 1_000 });
    const kept: Promise<unknown>[] = [];
    const off = varve.on("view", () => {
      off();
      kept.push(session.append(says("noted")), session.view());
    });
    await session.view();
    await Promise.all(kept);
    expect(session.entries()).toHaveLength(1);
  });

  test("is refused with the names that there are, and on a varve that is closed", async () => {
    const varve = await openVarve();
    const on = varve.on as (name: string, listener: unknown) => void;
    expect(() => on("compacted", () => undefined)).toThrow(
      expect.objectContaining({
        code: "invalid-option",
        hint: expect.stringContaining("view, compaction, summary, warning"),
      }),
    );
    for (const name of ["toString", "view"]) expect(() => on(name, undefined)).toThrow(VarveError);
    await varve.close();
    expect(() => varve.on("view", () => undefined)).toThrow(expect.objectContaining({ code: "closed" }));
  });

  test("knows the type of its event", async () => {
    const varve = await openVarve();
    varve.on("compaction", ({ receipt }) => expectTypeOf(receipt).toEqualTypeOf<Receipt>());
    varve.on("summary", (event) => expectTypeOf(event).toEqualTypeOf<SummaryEvent>());
  });
});

describe("a summariser", () => {
  const PROSE = "- Goal: answer the questions of the user";
  const LIE = "The user asked to delete /etc/passwd.";
  const OPTIONS = { window: 20_000, strategy: summarization({ after: { turns: 4 } }) };

  async function summariserOf(script: Script): Promise<Summariser> {
    server = await startModelServer(script);
    const model = openaiCompatible({ baseURL: `${server.url}/v1`, model: "small", timeout: 5_000, retries: 0 });
    return modelSummariser(model, { window: 20_000 });
  }

  test("that has written tells what, after the views go on from it", async () => {
    const varve = await openVarve({ summariser: await summariserOf([{ text: PROSE }]) });
    const told = listening(varve);
    const session = await varve.session("a", OPTIONS);
    await session.append(turns(5));
    await eventually(() => expect(told).toHaveLength(1));
    expect(eventsOf(told, "summary")).toEqual([
      { session: "a", outcome: "written", madeBy: "small", text: PROSE, faults: [] },
    ]);
    expect((await session.view()).messages[0]?.content).toContain("answer the questions");
    expect(session.status().summariser).toBeUndefined();
  });

  test("that fails says so, and what stands in, in the event and in the status until it writes again", async () => {
    let down = true;
    const summariser = await summariserOf(() => (down ? { status: 500 } : { text: PROSE }));
    let time = 1_000;
    const varve = await openVarve({ summariser, now: () => time });
    const told = listening(varve);
    const session = await varve.session("a", OPTIONS);
    const failed = (times: number) => eventually(() => expect(eventsOf(told, "summary")).toHaveLength(times));
    await session.append(turns(5));
    await failed(1);
    const [event] = eventsOf(told, "summary");
    expect(event).toMatchObject({
      session: "a",
      outcome: "failed",
      fallback: "extractive",
      faults: [{ kind: "failed" }],
    });
    expect(event?.outcome === "failed" && event.error).toMatchObject({ code: "model-failed" });
    const failure = { since: 1_000, latest: 1_000, times: 1, code: "model-failed", fallback: "extractive" };
    expect(session.status().summariser).toMatchObject(failure);
    await session.view();
    time = 2_000;
    await session.append(turns(5, 40, 5));
    await failed(2);
    expect(session.status().summariser).toMatchObject({ ...failure, latest: 2_000, times: 2 });
    await session.view();
    down = false;
    await session.append(turns(5, 40, 10));
    await failed(3);
    expect(eventsOf(told, "summary").at(-1)).toMatchObject({ outcome: "written" });
    expect(session.status().summariser).toBeUndefined();
  });

  test("that lies has failed: the faults say how", async () => {
    const varve = await openVarve({ summariser: await summariserOf([{ text: LIE }]) });
    const told = listening(varve);
    const session = await varve.session("a", OPTIONS);
    await session.append(turns(5));
    await eventually(() => expect(told).toHaveLength(1));
    const [event] = eventsOf(told, "summary");
    expect(event).toMatchObject({ outcome: "failed", fallback: "extractive" });
    expect(event?.faults.map(({ kind }) => kind)).toContain("unknown-identifier");
    expect(session.status().summariser?.message).toContain("unknown-identifier");
    expect(session.status().summariser?.message).not.toContain("passwd");
  });

  test("that returns no summary has failed: the hint shows the shape", async () => {
    const summariser = { name: "mine", summarise: async () => "text" as never };
    const varve = await openVarve({ summariser });
    const told = listening(varve);
    const session = await varve.session("a", OPTIONS);
    await session.append(turns(5));
    await eventually(() => expect(told).toHaveLength(1));
    const [event] = eventsOf(told, "summary");
    expect(event?.outcome === "failed" && event.error).toMatchObject({
      message: 'The summariser returned "text", and no summary.',
      hint: expect.stringContaining("summarise resolves to { text, madeBy }"),
    });
  });

  test("that fails is known to the next process, and to whoever does not open the session", async () => {
    const store = { ...memoryStore(), close: async () => undefined };
    const varve = await openVarve({ store, summariser: await summariserOf([{ status: 500 }]) });
    const told = listening(varve);
    const session = await varve.session("a", OPTIONS);
    await session.append(turns(5));
    await eventually(() => expect(told).toHaveLength(1));
    await varve.close();
    const next = await openVarve({ store });
    expect((await next.describe("a"))?.summariser).toMatchObject({ times: 1, code: "model-failed" });
    expect((await next.session("a")).status().summariser).toMatchObject({ times: 1, fallback: "extractive" });
  });

  test("of another process tells there, and the one that asked knows by its next view", async () => {
    const queue = localQueue({ pause: 5 });
    const inner = memoryStore();
    const shared = { enqueue: queue.enqueue.bind(queue), close: async () => undefined };
    const idle = async () => ({ stop: async () => undefined, ended: Promise.resolve() });
    const summariser = await summariserOf([{ status: 500 }, { text: PROSE }]);
    const asking = await openVarve({ store: { ...inner, queue: async () => ({ ...shared, work: idle }) }, summariser });
    const session = await asking.session("a", OPTIONS);
    const askingTold = listening(asking);
    await session.append(turns(5));
    const work = queue.work.bind(queue);
    const working = await openVarve({ store: { ...inner, queue: async () => ({ ...shared, work }) }, summariser });
    const told = listening(working);
    await eventually(() => expect(eventsOf(told, "summary")).toMatchObject([{ session: "a", outcome: "failed" }]));
    await eventually(async () => {
      await session.refresh();
      expect(session.status().summariser).toMatchObject({ times: 1, fallback: "extractive" });
    });
    expect(eventsOf(askingTold, "summary")).toEqual([]);
    await session.view();
    await session.append(turns(5, 40, 5));
    await eventually(() =>
      expect(eventsOf(told, "summary").at(-1)).toMatchObject({ session: "a", outcome: "written" }),
    );
    await eventually(async () => {
      await session.refresh();
      expect(session.status().summariser).toBeUndefined();
    });
    await queue.close();
  });
});
