import { describe, expect, it } from "vitest";
import { createTokenCounter, type Message, openVarve, type Session, slidingWindow, type View } from "../src/index.js";
import { messageText } from "../src/message/content.js";
import { calls, result, says, system, user, words } from "./support/build.js";

/** What a view leaves out, shortens and mends is all accounted for. */
const counter = createTokenCounter();
const strategy = slidingWindow({ lockLast: 0 });
const open = async (window: number, options = {}): Promise<Session> =>
  (await openVarve()).session("s", { window, strategy, ...options });
const sumOfReceipts = (session: Session): number =>
  session.receipts().reduce((sum, { leftOut }) => sum + (leftOut?.entries ?? 0), 0);
const textOf = ({ messages }: View): string => messages.map(messageText).join("\n");
const turns = (count: number, size = 30): Message[] =>
  Array.from({ length: count }, (_, at) => [user(`request ${at}`), says(words(size))]).flat();

describe("receipts", () => {
  it("add up to what is left out, with requests that were kept for a while", async () => {
    const session = await open(400);
    for (let turn = 0; turn < 24; turn++) {
      await session.append(user(`request ${turn}`));
      for (let at = 0; at < 9; at++) {
        await session.append([calls(`t${turn}c${at}`), result(`t${turn}c${at}`, words(12))]);
        const view = await session.view();
        expect(sumOfReceipts(session)).toBe(view.leftOut);
      }
    }
    expect(session.status().leftOut).toBeGreaterThan(300);
  });

  it("say what the view would have taken: the view before and the new entries", async () => {
    const session = await open(300);
    let before = 0;
    let cuts = 0;
    for (const message of turns(40, 20)) {
      await session.append(message);
      const { tokens, receipt } = await session.view();
      if (receipt !== undefined) expect(receipt.tokensBefore).toBe(before + counter.message(message));
      if (receipt !== undefined) cuts++;
      before = tokens;
    }
    expect(cuts).toBeGreaterThan(4);
  });

  it("say where a size is estimated, and estimate it by the script of the text", async () => {
    const text = "上下文窗口决定了模型一次能读多少内容".repeat(1_200);
    const session = await open(2_000);
    await session.append([user("read it"), calls("a"), result("a", text)]);
    const { receipt } = await session.view();
    const real = counter.text(text);
    expect(receipt?.estimated).toBe(true);
    expect(receipt!.items[0]!.tokensBefore).toBeGreaterThan(real * 0.8);
    expect(receipt!.items[0]!.tokensBefore).toBeLessThan(real * 1.2);
  });

  it("quote only what the view shows in place of what was left out", async () => {
    for (let size = 1_360; size < 1_520; size += 3) {
      const session = await open(1_500);
      await session.append([...turns(10), user(words(size))]);
      const view = await session.view();
      if (view.receipt?.replacedBy !== undefined) expect(textOf(view)).toContain(view.receipt.replacedBy);
      const note = view.messages.find((message) => messageText(message).startsWith("[Memory Summary]"));
      expect(view.receipt?.replacedBy).toBe(note && messageText(note));
    }
  });

  it("name a request that is shortened once it is no longer the latest, at the next cut and not before", async () => {
    const session = await open(1_000);
    await session.append([user(words(300)), ...Array.from({ length: 20 }, (_, at) => step(at)).flat()]);
    const whole = await session.view();
    expect(whole.messages.some((message) => message.role === "user" && message.content === words(300))).toBe(true);
    await session.append(user("something else"));
    const grown = await session.view();
    expect(grown.receipt).toBeUndefined();
    expect(grown.messages.slice(0, whole.messages.length)).toEqual(whole.messages);
  });

  it("are written where the context is shortened or dropped", async () => {
    const session = await open(300);
    await session.append(user("go"));
    const view = await session.view({ context: words(400) });
    expect(view.receipt?.context).toEqual({ tokensBefore: 410, tokensAfter: expect.any(Number) });
    expect(view.receipt!.tokensBefore - view.receipt!.tokensAfter).toBe(410 - view.receipt!.context!.tokensAfter);
    expect((await session.view({ context: words(400) })).receipt).toBeUndefined();
    await session.append(user(words(290)));
    const full = await session.view({ context: "a fact" });
    expect(textOf(full)).not.toContain("a fact");
    expect(full.receipt?.context).toMatchObject({ tokensAfter: 0 });
  });

  it("tell of an instruction from inside the conversation that stays in front of the tail", async () => {
    const session = await open(500);
    await session.append([user("hi"), system("be kind"), ...turns(20)]);
    const { receipt, messages } = await session.view();
    expect(messages.filter(({ role }) => role === "system")).toEqual([system("be kind")]);
    const item = receipt!.items.find(({ from }) => from === "e1");
    expect(item).toMatchObject({ fate: "moved", reason: "it is an instruction", reach: "view" });
  });

  it("leave instructions out that were said again, and the oldest where there is no room for all", async () => {
    const session = await open(1_000);
    await session.append(user("go"));
    const said = Array.from({ length: 30 }, (_, at) => [
      system(`rule ${at % 25} ${words(20)}`),
      user(`q${at}`),
      says("ok"),
    ]);
    await session.append(said.flat());
    await session.append(turns(40));
    const { messages } = await session.view();
    const shown = messages.flatMap(({ role, content }) => (role === "system" ? [String(content).split(" ")[1]] : []));
    expect(shown.length).toBeGreaterThan(2);
    expect(new Set(shown).size).toBe(shown.length);
    expect(shown.at(-1)).toBe("4");
  });

  it("follow a pin and its end, and so does the note", async () => {
    const session = await open(300);
    const [entry] = await session.append(turns(30, 20));
    const before = await session.view();
    session.pin(entry!.id);
    const pinned = await session.view();
    expect(pinned.leftOut).toBe(before.leftOut - 1 + (pinned.receipt?.leftOut?.entries ?? 0));
    expect(textOf(pinned)).toContain(`${pinned.leftOut} earlier messages`);
    session.unpin(entry!.id);
    const unpinned = await session.view();
    expect(unpinned.receipt?.leftOut).toEqual({ from: "e0", to: "e0", entries: 1 });
    expect(textOf(unpinned)).toContain(`${unpinned.leftOut} earlier messages`);
  });

  it("count each entry once across a change of the window", async () => {
    const session = await open(600);
    await session.append(turns(40, 20));
    const first = await session.view();
    session.configure({ window: 300 });
    const second = await session.view();
    expect(second.leftOut).toBeGreaterThan(first.leftOut);
    expect(sumOfReceipts(session)).toBe(second.leftOut);
  });

  it("are not lost with a view that was refused", async () => {
    const session = await open(200);
    for (const message of turns(20, 10)) {
      await session.append(message);
      await session.view({ system: words(190) }).catch(() => undefined);
    }
    const view = await session.view();
    expect(sumOfReceipts(session)).toBe(view.leftOut);
    expect(view.leftOut).toBeGreaterThan(0);
  });
});

const step = (at: number): Message[] => [calls(`c${at}`), result(`c${at}`, words(20))];

describe("the note", () => {
  it("counts the turns whose requests are left out, and quotes no request that is shown", async () => {
    const session = await open(1_500);
    await session.append([
      ...turns(3, 10),
      user("the present one"),
      ...Array.from({ length: 60 }, (_, at) => step(at)).flat(),
    ]);
    const view = await session.view();
    const note = messageText(view.messages[0]!);
    expect(note).toContain("(3 turns)");
    expect(note).not.toContain("the present one");
    expect(view.messages.some((message) => message.role === "user" && message.content === "the present one")).toBe(
      true,
    );
  });
});

describe("repairs", () => {
  it("name a user message that was put in front", async () => {
    const session = await open(1_000);
    await session.append([says("hello"), user("hi"), system("late")]);
    expect((await session.view()).repairs).toEqual([{ kind: "missing-opener", at: 0 }]);
  });

  it("name what stands behind the last message that can be shown", async () => {
    const session = await open(1_000);
    await session.append([user("hi"), says(" "), result("nobody")]);
    expect((await session.view()).repairs.map(({ kind }) => kind)).toEqual(["blank-message", "orphan-result"]);
  });

  it("are the same with an archive, also in a log longer than a first look takes in", async () => {
    const archived: Message[] = [];
    const history = [...turns(400, 12), user("now"), calls("lost"), user("and then"), calls("late"), result("late")];
    const plain = await open(600);
    const kept = await open(600, { archive: (messages: readonly Message[]) => void archived.push(...messages) });
    for (const session of [plain, kept]) await session.append(history);
    const { repairs } = await plain.view();
    expect(repairs).toEqual([{ kind: "unanswered-call", at: 801, call: "lost" }]);
    expect((await kept.view()).repairs).toEqual(repairs);
    expect(archived.length).toBeGreaterThan(500);
  });
});

describe("a log with nothing to show", () => {
  it("gets a user message, since no provider takes system messages alone", async () => {
    const session = await open(1_000);
    await session.append(user(" "));
    const view = await session.view({ system: "be brief" });
    expect(view.messages.map(({ role }) => role)).toEqual(["system", "user"]);
    expect(view.tokens).toBe(view.messages.reduce((sum, message) => sum + counter.message(message), 0));
    expect(view.repairs.map(({ kind }) => kind)).toEqual(["blank-message", "missing-opener"]);
  });

  it("shows the context", async () => {
    const session = await open(1_000);
    expect(textOf(await session.view({ context: "a fact" }))).toContain("a fact");
    const small = await open(60);
    const { receipt, tokens } = await small.view({ context: words(200) });
    expect(tokens).toBeLessThanOrEqual(60);
    expect(receipt?.context?.tokensBefore).toBeGreaterThan(200);
  });
});

describe("a view whose instructions give way to the last turn", () => {
  it("is the same when it is asked for again", async () => {
    for (let window = 560; window < 700; window += 5) {
      const session = await (await openVarve()).session("s", { window, model: "gpt-4.1", reserve: 0, trigger: 0.8 });
      const rule = (length: number): Message => ({ role: "system", content: words(length) });
      const request = { system: words(490), context: words(8) };
      const view = async () => (await session.view(request).catch(() => undefined))?.messages;
      for (const message of [user("go"), rule(30), says("ok"), user("next"), rule(25), calls("x")]) {
        await session.append(message);
        expect(await view()).toEqual(await view());
      }
    }
  });
});

describe("the archive", () => {
  it("gets again what it failed to take, and nothing is reported before", async () => {
    const archived: Message[] = [];
    let broken = true;
    const archive = (messages: readonly Message[]): void => {
      if (broken) throw new Error("disk full");
      archived.push(...messages);
    };
    const session = await open(300, { archive });
    const history = turns(30, 20);
    await session.append(history);
    await expect(session.view()).rejects.toThrow("disk full");
    expect(session.receipts()).toEqual([]);
    expect(session.status().leftOut).toBeUndefined();
    broken = false;
    const view = await session.view();
    expect(archived).toHaveLength(view.leftOut);
    expect(sumOfReceipts(session)).toBe(view.leftOut);
  });

  it("gets each message once, also across a change of the window and a pin", async () => {
    const archived: Message[] = [];
    const session = await open(600, { archive: (messages: readonly Message[]) => void archived.push(...messages) });
    const entries = await session.append(turns(40, 20));
    await session.view();
    session.pin(entries[20]!.id);
    await session.view();
    session.configure({ window: 300 });
    session.unpin(entries[20]!.id);
    const view = await session.view();
    expect(new Set(archived).size).toBe(archived.length);
    expect(archived).toHaveLength(view.leftOut);
  });

  it("gets a pinned exchange when that leaves the view", async () => {
    const archived: Message[] = [];
    const session = await open(300, { archive: (messages: readonly Message[]) => void archived.push(...messages) });
    const [entry] = await session.append(turns(30, 20));
    session.pin(entry!.id);
    const pinned = await session.view();
    expect(archived).not.toContain(entry!.message);
    expect(archived).toHaveLength(pinned.leftOut);
    session.unpin(entry!.id);
    await session.view();
    expect(archived.at(-1)).toBe(entry!.message);
  });
});
