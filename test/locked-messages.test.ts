import { describe, expect, test } from "vitest";
import { hierarchical, importance, type Message, openVarve, slidingWindow, summarization } from "../src/index.js";
import { calls, result, says, user, words } from "./support/build.js";

const STRATEGIES = { hierarchical, importance, slidingWindow, summarization };
const turns = (count: number) =>
  Array.from({ length: count }, (_, at) => [
    user(`question ${at} ${words(60)}`),
    says(`answer ${at} ${words(60)}`),
  ]).flat();

describe.each(Object.entries(STRATEGIES))("messages locked by %s", (_name, strategy) => {
  const open = async (lockLast: number, window: number) =>
    (await openVarve()).session("s", { window, strategy: strategy({ lockLast }) });

  test("stay whole as long as something else can go, however often a session is compacted", async () => {
    const session = await open(30, 8_000);
    await session.append(turns(240));
    const locked = session.entries().slice(-30);
    for (let round = 0; round < 3; round++) {
      const { leftOut } = await session.compact();
      const { messages } = await session.view();
      expect(messages.slice(-30)).toEqual(locked.map(({ message }) => message));
      if (Number(leftOut?.to.slice(1)) >= locked[0]!.sequence - 1) break;
    }
  });

  test.each([{ entries: 50 }, { turns: 20 }, { tokens: 4_000 }])("stay whole when %o is exceeded", async (after) => {
    const varve = await openVarve();
    const session = await varve.session("s", { window: 32_000, strategy: strategy({ lockLast: 40, after }) });
    let cuts = 0;
    for (const message of turns(45)) {
      await session.append(message);
      const { receipt, messages } = await session.view();
      if (receipt?.cut !== true) continue;
      cuts++;
      expect(messages.slice(-40)).toEqual(
        session
          .entries()
          .slice(-40)
          .map(({ message }) => message),
      );
    }
    expect(cuts).toBeGreaterThan(0);
  });

  test.each([{ turns: 3 }, { entries: 6 }, { entries: 8 }])("let %o wait until a cut pays", async (after) => {
    const varve = await openVarve();
    const session = await varve.session("s", { window: 32_000, strategy: strategy({ lockLast: 6, after }) });
    let cuts = 0;
    for (const message of turns(40)) {
      await session.append(message);
      const { nextCut } = session.status();
      const isCut = (await session.view()).receipt?.cut === true;
      if (isCut) cuts++;
      if (nextCut?.entries !== undefined && nextCut.entries > 1) expect(isCut).toBe(false);
    }
    expect(cuts).toBeGreaterThan(4);
    expect(cuts).toBeLessThanOrEqual(20);
  });

  test("stay whole with the whole exchange of which they are the end", async () => {
    const batch = [calls("a", "b", "c", "d"), ...["a", "b", "c", "d"].map((id) => result(id, words(30, id)))];
    const log = [...turns(12), ...batch, says("done")];
    for (const options of [{ lockLast: 3, after: { turns: 4 } }, { lockLast: 3 }]) {
      const session = await (await openVarve()).session("s", {
        window: 4_000,
        target: 0.02,
        strategy: strategy(options),
      });
      await session.append(log);
      if (options.after === undefined) await session.compact();
      const { messages, leftOut } = await session.view();
      expect(leftOut).toBeGreaterThan(0);
      expect(messages.slice(-6)).toEqual(log.slice(-6));
    }
  });

  test("hold however little else there is to leave out", async () => {
    const session = await open(10, 32_000);
    await session.append([
      user(words(400)),
      ...turns(5).map((message) => ({ ...message, content: words(2_000) })),
    ] as Message[]);
    await session.compact();
    const { messages } = await session.view();
    expect(messages.slice(-10)).toEqual(
      session
        .entries()
        .slice(-10)
        .map(({ message }) => message),
    );
  });

  test("give way where nothing else is left, so that a view which a provider refused gets smaller", async () => {
    const session = await open(6, 32_000);
    await session.append([user("go"), ...[0, 1, 2].flatMap((at) => [user(`part ${at}`), says(words(5_000))])]);
    const before = await session.view();
    expect((await session.compact()).tokensAfter).toBeLessThan(before.tokens);
  });
});

test("results among the locked messages are not cleared", async () => {
  const session = await (await openVarve()).session("s", { window: 4_000, strategy: slidingWindow({ lockLast: 16 }) });
  await session.append(user("read them all"));
  for (let at = 0; at < 30; at++) {
    await session.append([calls(`c${at}`), result(`c${at}`, words(140, `f${at}`))]);
    const { messages } = await session.view();
    const last = session.entries().slice(-16);
    expect(messages.slice(-last.length)).toEqual(last.map(({ message }) => message));
  }
});
