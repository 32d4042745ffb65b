import { describe, expect, it } from "vitest";
import {
  contextTools,
  hierarchical,
  importance,
  type Message,
  openVarve,
  type Receipt,
  type Session,
  type Strategy,
  slidingWindow,
} from "../src/index.js";
import { calls, result, says, user, words } from "./support/build.js";
import { expectSums } from "./support/conduct.js";
import { cpuTime } from "./support/cpu-time.js";

const open = async (window: number, options = {}): Promise<Session> =>
  (await openVarve()).session("s", { window, target: 0.75, strategy: slidingWindow({ lockLast: 0 }), ...options });
const turns = (count: number, size = 30): Message[] =>
  Array.from({ length: count }, (_, at) => [user(`request ${at}`), says(`${words(size)} src/file${at}.ts`)]).flat();
const step = (at: number, size = 20): Message[] => [calls(`c${at}`), result(`c${at}`, `${words(size)} src/m${at}.ts`)];

async function firstCut(session: Session, messages: readonly Message[], request = {}): Promise<Receipt> {
  for (const message of messages) {
    await session.append(message);
    const { receipt } = await session.view(request);
    if (receipt?.leftOut !== undefined) return receipt;
  }
  throw new Error("no cut");
}

describe("the items of a receipt", () => {
  it("tell each exchange's fate, reason and tokens", async () => {
    const { items, leftOut } = await firstCut(await open(300), turns(40));
    expect(leftOut?.from).toBe("e0");
    const [first, second] = items;
    expect(first).toMatchObject({ from: "e0", to: "e0", entries: 1, fate: "left-out", estimated: false });
    expect(second).toMatchObject({ from: "e1", to: "e1", tokensAfter: 0, reach: "application" });
    expect(first!.reason).toBe("the history exceeded its part of the window");
    expect(second!.tokensBefore).toBeGreaterThan(30);
  });

  it("name the digest that stands in, by which the original can be had", async () => {
    const session = await open(1_500, { strategy: hierarchical() });
    const { items, unreachable, recover } = await firstCut(session, turns(80), { tools: contextTools(session) });
    const digested = items.filter(({ fate }) => fate === "digested");
    expect(digested.length).toBeGreaterThan(0);
    for (const { digest, reach } of digested) {
      expect(session.expand(digest!).text).toContain("request");
      expect(reach).toBe("model");
    }
    expect(unreachable).toEqual([]);
    expect(recover).toContain("context_expand and context_search");
  });

  it("say that only the application can get at what a digest stands for where the model has no tools", async () => {
    const session = await open(1_500, { strategy: hierarchical() });
    const { unreachable, leftOut, items } = await firstCut(session, turns(80));
    expect(unreachable).toEqual([leftOut]);
    expect(items.every(({ reach }) => reach === "application")).toBe(true);
    const [expand] = contextTools(session);
    const other = await open(1_500, { strategy: hierarchical() });
    expect((await firstCut(other, turns(80), { tools: [expand] })).unreachable).toEqual([]);
    const window = await open(1_500);
    expect((await firstCut(window, turns(80), { tools: [expand] })).unreachable).toHaveLength(1);
  });

  it("name tools also in OpenAI's shape", async () => {
    const tools = [{ type: "function", function: { name: "context_search" } }];
    expect((await firstCut(await open(400), turns(80), { tools })).unreachable).toEqual([]);
  });

  it("tell the exchanges that are kept in full because they matter", async () => {
    const strategy: Strategy = importance({ threshold: 0.05 });
    const receipt = await firstCut(await open(1_500, { strategy }), [user("go"), ...turns(60)]);
    const kept = receipt.items.filter(({ fate }) => fate === "kept");
    expect(kept.length).toBeGreaterThan(0);
    expect(kept[0]).toMatchObject({ reach: "view", reason: "its score is high" });
    expectSums(receipt);
  });

  it("tell that a request was moved in front of the tail, and a pin", async () => {
    const session = await open(400);
    const [, pinned] = await session.append([user("rename it everywhere"), says("the port is 5433")]);
    session.pin(pinned!.id);
    const receipt = await firstCut(session, Array.from({ length: 30 }, (_, at) => step(at)).flat());
    expect(receipt.items[0]).toMatchObject({ from: "e0", fate: "moved", reason: "the rest of its turn follows" });
    expect(receipt.items[1]).toMatchObject({ from: "e1", fate: "moved", reason: "it is pinned", reach: "view" });
    expect(receipt.leftOut?.from).toBe("e2");
    expectSums(receipt);
  });

  it("tell of a cut that only moves a request", async () => {
    const session = await open(300);
    await session.append([user("look at this"), says(words(400))]);
    const { receipt, leftOut } = await session.view();
    expect(leftOut).toBe(0);
    expect(receipt?.items.map(({ from, fate }) => [from, fate])).toEqual([
      ["e0", "moved"],
      ["e1", "shortened"],
    ]);
    await expect(session.undo()).rejects.toMatchObject({ code: "undo-refused" });
  });

  it("tell of a late result whose call was left out before it came", async () => {
    const session = await open(400);
    await session.append([user("go"), calls("slow")]);
    for (const message of turns(30)) {
      await session.append(message);
      await session.view();
    }
    const before = (await session.view()).leftOut;
    const [late] = await session.append(result("slow", words(12)));
    const { receipt, leftOut } = await session.view();
    expect(leftOut).toBe(before + 1);
    expect(receipt?.leftOut).toEqual({ from: late!.id, to: late!.id, entries: 1 });
    expect(receipt?.items[0]).toMatchObject({ fate: "left-out", reason: "its call is left out", tokensAfter: 0 });
    expect(receipt!.items[0]!.tokensBefore).toBeGreaterThan(8);
    expect((await session.view()).receipt).toBeUndefined();
  });

  it("count a late result once, with the exchange that leaves", async () => {
    const session = await open(400);
    await session.append([user("go"), calls("slow"), ...turns(2, 110), result("slow", words(12)), ...turns(1, 110)]);
    const view = await session.view();
    expectSums(view.receipt!);
    expect(view.leftOut).toBe(view.receipt?.leftOut?.entries);
  });

  it("are few however many entries are left out, and quickly made", async () => {
    const session = await open(4_000);
    await session.append(turns(30_000, 8));
    let receipt: Receipt | undefined;
    const time = await cpuTime(async () => {
      ({ receipt } = await session.view());
    });
    expect(time).toBeLessThan(500);
    expect(receipt!.items.length).toBeLessThanOrEqual(200);
    expect(receipt!.leftOut!.entries).toBeGreaterThan(59_000);
    expect(receipt!.estimated).toBe(true);
    expectSums(receipt!);
  });

  it("fold to runs and then to fates where pins part them", async () => {
    const session = await open(60_000, { pinBudget: 0.9 });
    const entries = await session.append(turns(1_500, 40));
    await session.view();
    for (let at = 0; at < 900; at += 3) session.pin(entries[at]!.id);
    await session.view();
    for (let at = 0; at < 900; at += 3) session.unpin(entries[at]!.id);
    const { receipt } = await session.view();
    expect(receipt!.leftOut!.entries).toBe(300);
    expect(receipt!.items.length).toBeLessThanOrEqual(200);
    expect(receipt!.items.every(({ reason }) => reason === "it is no longer pinned")).toBe(true);
    expectSums(receipt!);
  });
});
