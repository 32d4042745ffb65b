import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import {
  hierarchical,
  type Message,
  openVarve,
  PROVIDERS,
  type Session,
  summarization,
  type View,
  violations,
} from "../src/index.js";
import { messageText } from "../src/message/content.js";
import { calls, result, says, system, user, words } from "./support/build.js";

/** Failures that users of other context managers reported, by their number in the list of scenarios. */
const open = async (window: number, strategy: Parameters<typeof Object>[0] = "hierarchical"): Promise<Session> =>
  (await openVarve()).session("s", { window, strategy: strategy as string });
const step = (at: number, size = 40): Message[] => [
  calls(`c${at}`),
  result(`c${at}`, `${words(size)} src/module${at}.ts`),
];
const steps = (count: number, size = 40): Message[] => Array.from({ length: count }, (_, at) => step(at, size)).flat();
const textOf = (messages: readonly Message[]): string => messages.map(messageText).join("\n");
const hash = (messages: readonly Message[]): string =>
  createHash("sha256").update(JSON.stringify(messages)).digest("hex");

async function viewsOf(session: Session, messages: readonly Message[]) {
  const views = [];
  for (const message of messages) {
    await session.append(message);
    views.push(await session.view());
  }
  return views;
}

describe("scenarios: what compaction must survive", () => {
  it("10: a summariser that shrinks nothing is asked at most twice for a cut, and the digest stands without it", async () => {
    let asked = 0;
    const growing = {
      name: "growing",
      summarise: async ({ messages }: { messages: readonly Message[] }) => {
        asked++;
        return { text: textOf(messages).repeat(3), madeBy: "growing" };
      },
    };
    const session = await open(1_000, summarization({ summariser: growing }));
    let cuts = 0;
    for (const view of await viewsOf(session, [user("go"), ...steps(120)])) {
      expect(view.tokens).toBeLessThanOrEqual(1_000);
      if (view.receipt?.leftOut !== undefined) cuts++;
    }
    expect(cuts).toBeGreaterThan(3);
    expect(asked).toBeGreaterThan(0);
    expect(asked).toBeLessThanOrEqual(2 * cuts);
  });

  it("12: usage reported before a compaction does not trigger the next one", async () => {
    const session = await (await openVarve()).session("s", {
      window: 2_000,
      model: "claude-sonnet-4-5",
      strategy: "hierarchical",
    });
    await viewsOf(session, [user("go"), ...steps(40)]);
    const before = (await session.view()).tokens;
    await session.compact();
    const cuts = session.receipts().length;
    session.reportUsage({ inputTokens: before });
    session.reportUsage({ inputTokens: before });
    await session.view();
    expect(session.receipts()).toHaveLength(cuts);
  });

  it("13: after 20 compactions in a row pins, constraints and the size are as they should be", async () => {
    const session = await open(1_500);
    const [first] = await session.append([
      user("Deploy key is K-77-ALPHA. Never touch the migrations folder."),
      says("Understood."),
    ]);
    session.pin(first!.id);
    let made = 0;
    for (let at = 0; made < 20; at++) {
      await session.append(step(at));
      const view = await session.view();
      expect(view.tokens).toBeLessThanOrEqual(1_500);
      if (view.receipt?.leftOut !== undefined) made++;
      expect(textOf(view.messages)).toContain("K-77-ALPHA");
      expect(textOf(view.messages)).toContain("Never touch the migrations folder.");
    }
  });

  it("16: one user turn with 500 tool steps is compacted inside the turn and keeps its request", async () => {
    const session = await open(4_000);
    const request = "Rename the retry helper everywhere.";
    for (const view of await viewsOf(session, [user(request), ...steps(500)])) {
      expect(view.tokens).toBeLessThanOrEqual(4_000);
      expect(view.messages.some((message) => message.role === "user" && message.content === request)).toBe(true);
      for (const provider of PROVIDERS) expect(violations(view.messages, provider)).toEqual([]);
    }
    expect(session.receipts().length).toBeGreaterThan(2);
  });

  it("17: a finished turn gets no invented continuation", async () => {
    const session = await open(800);
    for (let at = 0; at < 40; at++) {
      await session.append([user(`request ${at}`), ...step(at), says(`done ${at}`)]);
      const { messages } = await session.view();
      expect(messages.at(-1)).toMatchObject({ role: "assistant", content: `done ${at}` });
    }
  });

  it("19: of two compactions at once one wins and the other sees it", async () => {
    const session = await open(4_000);
    await viewsOf(session, [user("go"), ...steps(30)]);
    const outcomes = await Promise.allSettled([session.compact(), session.compact()]);
    const ranges = session.receipts().flatMap(({ leftOut }) => (leftOut === undefined ? [] : [leftOut]));
    expect(outcomes.some(({ status }) => status === "fulfilled")).toBe(true);
    expect(new Set(ranges.map(({ from }) => from)).size).toBe(ranges.length);
    expect((await session.view()).tokens).toBeLessThanOrEqual(4_000);
  });

  it("23: between two cuts the prefix of every view is the view before it", async () => {
    const session = await open(3_000);
    await session.append([system("be careful"), user("go")]);
    const views: View[] = [];
    for (let at = 0; at < 200; at++) {
      await session.append(step(at, 20));
      views.push(await session.view());
    }
    let stable = 0;
    for (const [at, view] of views.entries()) {
      const before = views[at - 1];
      if (before === undefined || view.receipt !== undefined) continue;
      expect(hash(view.messages.slice(0, before.messages.length))).toBe(hash(before.messages));
      stable++;
    }
    expect(stable).toBeGreaterThan(100);
  });

  it("24: undo gives back the view before, byte for byte, twice in a row", async () => {
    const session = await open(4_000);
    await viewsOf(session, [user("go"), ...steps(40)]);
    const first = await session.view();
    await session.compact();
    const second = await session.view();
    await session.compact();
    expect(hash((await session.view()).messages)).not.toBe(hash(second.messages));
    await session.undo();
    expect(hash((await session.view()).messages)).toBe(hash(second.messages));
    await session.undo();
    expect(hash((await session.view()).messages)).toBe(hash(first.messages));
    await expect(session.undo()).rejects.toMatchObject({ code: "not-found" });
  });

  it("24: a 1 MB result is paged through exactly", async () => {
    const session = await open(4_000);
    const text = Array.from({ length: 20_000 }, (_, line) => `line ${line}: 日本語 ${"x".repeat(30)}`).join("\n");
    const entries = await session.append([user("read it"), calls("a"), result("a", text)]);
    let paged = "";
    for (let offset: number | undefined = 0; offset !== undefined; ) {
      const page = session.expand(entries[2]!.id, { offset, limit: 65_537 });
      paged += page.text;
      offset = page.next;
    }
    expect(paged).toBe(text);
  });

  it("26: every stretch that a view names can be expanded to what it stands for", async () => {
    const session = await open(1_500);
    let named = 0;
    for (const view of await viewsOf(session, [user("go"), ...steps(150)])) {
      for (const [, id] of textOf(view.messages).matchAll(/^\[(e\d+(?:-e\d+)?)\]$/gm)) {
        expect(session.expand(id!).total).toBeGreaterThan(0);
        named++;
      }
    }
    expect(named).toBeGreaterThan(0);
  });

  it("28: instructions survive: the system prompt, later system messages and pins", async () => {
    const session = await open(1_500, hierarchical());
    const rule = "AGENTS.md: run the linter before every commit.";
    await session.append([system("You are careful."), user("go"), says("ok"), system(rule)]);
    for (const view of await viewsOf(session, steps(120))) {
      expect(textOf(view.messages)).toContain("You are careful.");
      expect(textOf(view.messages)).toContain(rule);
    }
  });
});
