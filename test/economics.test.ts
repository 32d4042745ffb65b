import { describe, expect, it } from "vitest";
import { hierarchical, type Message, openVarve, type Session, slidingWindow, summarization } from "../src/index.js";
import { calls, result, says, user, words } from "./support/build.js";
import { EXACT } from "./support/exact.js";

/** A cut says what it costs, and on a cold cache one is made early where it pays. */
let time = 0;
const MINUTE = 60_000;
const open = async (options: object): Promise<Session> => {
  time = 0;
  return (await openVarve({ now: () => time })).session("s", { strategy: slidingWindow({ lockLast: 0 }), ...options });
};
const step = (at: number, size: number): Message[] => [calls(`c${at}`), result(`c${at}`, words(size))];

async function fill(session: Session, tokens: number, size = 20): Promise<void> {
  await session.append(user("go"));
  for (let at = 0; (await session.view()).tokens < tokens; at++) await session.append(step(at, size));
}

describe("the economics of a cut", () => {
  it("stand in its receipt, in money where the model's prices are known", async () => {
    const session = await open({ model: "claude-sonnet-4-5", window: 4_000 });
    await session.append(user("go"));
    for (let at = 0; session.receipts().length < 2; at++) {
      await session.append(step(at, 60));
      await session.view();
    }
    const { economics, tokensBefore, tokensAfter, memory } = session.receipts().at(-1)!;
    expect(economics).toMatchObject({ unit: "USD" });
    const { saving, cost, steps } = economics!;
    expect(saving).toBeCloseTo(((tokensBefore - tokensAfter) * 0.3 * steps) / 1e6, 10);
    expect(cost).toBeLessThanOrEqual((tokensAfter * 3.45) / 1e6);
    expect(cost).toBeGreaterThan(((tokensAfter - memory.tokensAfter) * 3.45 * 0.9) / 1e6);
    expect(economics!.text).toMatch(
      /^The cut (pays|does not pay by itself): \$0\.0\d+ saved in \d+ steps for \$0\.0\d+\.$/,
    );
  });

  it("are in tokens without prices, look ahead by the growth so far, and count the summariser's call", async () => {
    const summariser = { name: "brief", summarise: async () => ({ text: "Goal: go on.", madeBy: "brief" }) };
    const session = await open({ window: 2_000, strategy: summarization({ summariser }) });
    await session.append(user("go"));
    for (let at = 0; session.receipts().length < 1; at++) {
      await session.append(step(at, 20));
      await session.view();
    }
    const { economics, tokensAfter } = session.receipts()[0]!;
    expect(economics?.unit).toBe("tokens");
    const growth = 47;
    const room = session.status().budget.trigger - tokensAfter;
    expect(Math.abs(economics!.steps - room / growth)).toBeLessThan(3);
    expect(economics!.lines.at(-1)).toMatch(/^cost: a summariser reads [\d,]+ tokens and writes \d+ = /);
  });

  it("count what stays of the view as cached", async () => {
    const session = await open({ window: 3_000, strategy: hierarchical() });
    await session.append(user("go"));
    for (let at = 0; session.receipts().length < 2; at++) {
      await session.append(step(at, 40));
      await session.view();
    }
    const [, second] = session.receipts();
    const rewritten = second!.economics!.cost / 0.9;
    expect(rewritten).toBeLessThanOrEqual(second!.tokensAfter);
  });
});

describe("a cold cache", () => {
  it("is used for a cut that the window does not demand, and a warm one is left alone", async () => {
    const session = await open({ ...EXACT, window: 2_000 });
    await fill(session, 1_900);
    expect((await session.view({ cache: "warm" })).receipt).toBeUndefined();
    const { receipt, tokens } = await session.view({ cache: "cold" });
    expect(receipt).toMatchObject({ reason: "the cache was cold, and a smaller view pays", economics: { pays: true } });
    expect(receipt?.items.find(({ fate }) => fate === "left-out")?.reason).toBe(receipt?.reason);
    expect(tokens).toBeLessThanOrEqual(1_500);
    expect((await session.view({ cache: "cold" })).receipt).toBeUndefined();
  });

  it("is not used where little would go", async () => {
    const session = await open({ ...EXACT, window: 2_000 });
    await fill(session, 1_390);
    expect((await session.view({ cache: "cold" })).receipt).toBeUndefined();
  });

  it("is not used where a summariser's call costs more than it saves", async () => {
    const summariser = { name: "brief", summarise: async () => ({ text: "Goal: go on.", madeBy: "brief" }) };
    const cutWith = async (options: object) => {
      const session = await open({
        model: "claude-sonnet-4-5",
        window: 3_000,
        strategy: summarization({ ...options, summaryShare: 0.5 }),
      });
      await fill(session, session.status().budget.usable * 0.9, 200);
      return (await session.view({ cache: "cold" })).receipt;
    };
    expect((await cutWith({}))?.reason).toContain("cold");
    expect(await cutWith({ summariser })).toBeUndefined();
  });

  it("is found out from the time since the latest view", async () => {
    const session = await open({ ...EXACT, window: 2_000 });
    await fill(session, 1_900);
    time += 4 * MINUTE;
    expect((await session.view()).receipt).toBeUndefined();
    time += 6 * MINUTE;
    expect((await session.view()).receipt?.reason).toContain("cold");
    const lasting = await open({ ...EXACT, window: 2_000, cacheLifetime: 60 * MINUTE });
    await fill(lasting, 1_900);
    time += 6 * MINUTE;
    expect((await lasting.view()).receipt).toBeUndefined();
  });

  it("can be taken back like any cut, and does not come again at once", async () => {
    const session = await open({ ...EXACT, window: 2_000 });
    await fill(session, 1_900);
    const before = await session.view();
    await session.view({ cache: "cold" });
    await session.undo();
    expect((await session.view({ cache: "cold" })).messages).toEqual(before.messages);
  });

  it("is told by its two words only", async () => {
    const session = await open({ ...EXACT, window: 2_000 });
    await session.append(says("hi"));
    await expect(session.view({ cache: "tepid" as "cold" })).rejects.toMatchObject({ code: "invalid-option" });
  });
});

describe("the depth of a cut", () => {
  const cutsOf = async (options: object, size: number): Promise<number[]> => {
    const session = await open({ window: 20_000, reserve: 0, ...options });
    await session.append(user("go"));
    for (let at = 0; session.receipts().length < 4; at++) {
      await session.append(step(at, size));
      await session.view();
    }
    return session.receipts().map(({ tokensAfter }) => tokensAfter / session.status().budget.usable);
  };

  it("is the usual one where cuts are far apart, or a target is given", async () => {
    for (const options of [{ model: "claude-sonnet-4-5" }, {}])
      for (const after of await cutsOf(options, 100)) expect(after).toBeGreaterThan(0.64);
    for (const after of await cutsOf({ model: "claude-sonnet-4-5", target: 0.75 }, 2_000))
      expect(after).toBeGreaterThan(0.57);
  });

  it("frees room for four steps at least, whatever they take", async () => {
    for (const after of (await cutsOf({}, 2_800)).slice(1)) expect(after).toBeLessThan(1 - (4 * 2_800) / 20_000);
  });

  it("is greater where frequent cuts are dear, with prices that are known and without", async () => {
    for (const options of [{ model: "claude-sonnet-4-5" }, {}])
      for (const after of (await cutsOf(options, 1_200)).slice(1)) expect(after).toBeLessThan(0.67);
  });
});
