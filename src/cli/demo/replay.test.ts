import { beforeAll, describe, expect, test } from "vitest";
import { createTokenCounter, fromOpenAI } from "../../index.js";
import { collect, type Replayed } from "./collect.js";
import { demoDocument } from "./document.js";
import { eventsOf } from "./events.js";
import { replay } from "./replay.js";
import { sampleSession } from "./sample-session.js";
import { summarize } from "./summary.js";

const WINDOW = 8_000;
const run = (window: number) => collect(replay({ sample: sampleSession(), window, strategy: "sliding-window" }));

let replayed: Replayed;
beforeAll(async () => {
  replayed = await run(WINDOW);
});

describe("the sample session", () => {
  const messages = fromOpenAI(sampleSession().messages);
  const batches = messages.flatMap(({ role, content }) =>
    role === "assistant" && typeof content !== "string"
      ? [content.filter((part) => part.type === "tool-call").length]
      : [],
  );

  test("is the same every time", () => {
    expect(sampleSession()).toEqual(sampleSession());
  });

  test("is long, and larger than the window several times over", () => {
    const counter = createTokenCounter();
    expect(messages.length).toBeGreaterThanOrEqual(150);
    expect(messages.reduce((sum, message) => sum + counter.message(message), 0)).toBeGreaterThan(5 * WINDOW);
  });

  test("has batches of two to six parallel calls, and results of more than 2,500 tokens", () => {
    const counter = createTokenCounter();
    for (const size of [2, 3, 4, 6]) expect(batches).toContain(size);
    const large = messages.filter((message) => message.role === "tool" && counter.message(message) > 2_500);
    expect(large.length).toBeGreaterThanOrEqual(3);
  });
});

describe("the replay", () => {
  test("makes one view before each message of the agent", () => {
    const answers = sampleSession().messages.filter(({ role }) => role === "assistant").length;
    expect(replayed.steps.map(({ number }) => number)).toEqual(Array.from({ length: answers }, (_, at) => at + 1));
    expect(replayed.steps.every(({ total }) => total === answers)).toBe(true);
  });

  test("shows a log that grows up to the whole session", () => {
    const sizes = replayed.steps.map(({ log }) => log.messages);
    expect(sizes).toEqual([...sizes].sort((a, b) => a - b));
    expect(replayed.log.messages).toBe(sampleSession().messages.length);
  });

  test.each([2_000, 8_000, 30_000])("keeps every view inside a window of %i, and legal", async (window) => {
    const { steps } = await run(window);
    expect(Math.max(...steps.map(({ view }) => view.tokens))).toBeLessThanOrEqual(window);
    expect(steps.flatMap(({ refusedBy }) => refusedBy)).toEqual([]);
  });

  test("divides the window into stretches that add up to it, and to the view", () => {
    for (const { segments, view } of replayed.steps) {
      const sum = (kinds: (kind: string) => boolean) =>
        segments.reduce((total, { kind, tokens }) => total + (kinds(kind) ? tokens : 0), 0);
      expect(sum(() => true)).toBe(WINDOW);
      expect(sum((kind) => kind !== "free" && kind !== "reserve")).toBe(view.tokens);
      expect(sum((kind) => kind === "context")).toBe(view.blocks.find(({ name }) => name === "context")?.tokens);
    }
  });

  test("finds the prefix unchanged but for the steps that cut or shorten", () => {
    for (const [at, { unchanged, view }] of replayed.steps.entries()) {
      const before = replayed.steps[at - 1]?.view;
      if (before === undefined) expect(unchanged).toBe(0);
      else expect(unchanged).toBeLessThanOrEqual(Math.min(before.tokens, view.tokens));
    }
    const growing = replayed.steps.filter(
      ({ unchanged, number }) => unchanged === replayed.steps[number - 2]?.view.tokens,
    );
    expect(growing.length).toBeGreaterThan(replayed.steps.length / 2);
  });

  test("reports each repair once: the interrupted calls, and the late result of one of them", () => {
    const repairs = replayed.steps.flatMap((step) => step.repairs);
    expect(repairs.map(({ kind }) => kind)).toEqual(["unanswered-call", "unanswered-call", "late-result"]);
    expect(repairs[2]?.call).toBe(repairs[1]?.call);
  });
});

describe("the summary", () => {
  test("is added up from the steps", () => {
    const summary = summarize(replayed.steps, replayed.log);
    const { steps } = replayed;
    expect(summary.views).toBe(steps.length);
    expect(summary.tokensSent).toBe(steps.reduce((sum, { view }) => sum + view.tokens, 0));
    expect(summary.largestView).toBe(Math.max(...steps.map(({ view }) => view.tokens)));
    expect(summary.cuts).toBe(steps.filter(({ view }) => view.receipt?.leftOut !== undefined).length);
    expect(summary.repairs).toEqual({ "unanswered-call": 2, "late-result": 1 });
    expect(summary.unchangedShare).toBeCloseTo(summary.tokensUnchanged / summary.tokensSent);
    expect(summary.messagesKept).toBe(sampleSession().messages.length);
    expect(summary).toMatchObject({ viewsOverWindow: 0, viewsRefused: 0, window: WINDOW });
  });

  test("counts the results that the events tell of, each by what became of it", () => {
    const summary = summarize(replayed.steps, replayed.log);
    const events = replayed.steps.flatMap(eventsOf);
    const told = (...fates: string[]) => events.filter(({ what }) => fates.includes(what)).length;
    expect(told("shortened")).toBe(summary.shortened.results);
    expect(told("cleared", "superseded")).toBe(summary.replaced.results);
    expect(summary.shortened.results).toBeGreaterThan(0);
    expect(summary.replaced.results).toBeGreaterThan(0);
  });

  test("counts views over the window where there are any", () => {
    const first = replayed.steps[0]!;
    const over = { ...first, view: { ...first.view, tokens: WINDOW + 1 }, refusedBy: ["gemini" as const] };
    expect(summarize([over], replayed.log)).toMatchObject({ viewsOverWindow: 1, viewsRefused: 1 });
  });

  test("needs no cut in a window that holds all, and sends the log with its repairs", async () => {
    const { steps, log } = await run(200_000);
    const summary = summarize(steps, log);
    expect(summary).toMatchObject({ cuts: 0, entriesLeftOut: 0, recover: null, viewsThatNeededReduction: 0 });
    const repairs = summary.tokensSent - summary.tokensOfWholeLog;
    expect(repairs).toBeGreaterThan(0);
    expect(repairs).toBeLessThan(summary.tokensSent / 1_000);
  });
});

test("the document names each receipt in its step", () => {
  const { steps, receipts } = demoDocument(replayed.steps, summarize(replayed.steps, replayed.log));
  expect(receipts.length).toBeGreaterThan(5);
  for (const { id, step } of receipts) expect(steps[step - 1]).toMatchObject({ step, receipt: id });
});
