import { describe, expect, it } from "vitest";
import { type Message, openVarve, slidingWindow } from "../src/index.js";
import { messageText } from "../src/message/content.js";
import { says, user, words } from "./support/build.js";
import { cpuTime } from "./support/cpu-time.js";

const turns = (count: number, size: number): Message[] =>
  Array.from({ length: count }, (_, at) => [user(`request number ${at}.`), says(words(size))]).flat();

describe("pins", () => {
  it("show their own entry, whatever the order in which they are set and however far back it is", async () => {
    const session = await (await openVarve()).session("s", { window: 2_000 });
    await session.append(turns(2_000, 5));
    session.pin("e3800");
    session.pin("e10");
    const { messages } = await session.view();
    const texts = messages.map(messageText);
    expect(texts).toContain("request number 1900.");
    expect(texts).toContain("request number 5.");
    expect(
      texts.filter((text) => text.startsWith("request number 1") && Number.parseInt(text.slice(15), 10) < 1_800),
    ).toEqual([]);
  });

  it("cost a view next to nothing, a thousand of them too", async () => {
    const session = await (await openVarve()).session("s", {
      window: 200_000,
      strategy: slidingWindow({ lockLast: 0 }),
    });
    const entries = await session.append(turns(6_000, 30));
    await session.view();
    const bare = await cpuTime(() => session.view(), 5);
    for (let at = 0; at < 1_000; at++) session.pin(entries[at * 2]!.id);
    await session.view();
    expect(await cpuTime(() => session.view(), 5)).toBeLessThan(bare * 4 + 20);
  });
});

describe("blank messages", () => {
  it("in long runs cost a view no more than others", async () => {
    const session = await (await openVarve()).session("s", { window: 100_000 });
    await session.append([user("go"), ...Array.from({ length: 20_000 }, () => says(" ")), says("done")]);
    await session.view();
    expect(await cpuTime(() => session.view(), 5)).toBeLessThan(60);
  });
});
