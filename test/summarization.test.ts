import { afterEach, describe, expect, test, vi } from "vitest";
import {
  type Message,
  modelSummariser,
  openaiCompatible,
  openVarve,
  type Summariser,
  type SummarizationOptions,
  summarization,
  type View,
} from "../src/index.js";
import { messageText } from "../src/message/content.js";
import { says, user, words } from "./support/build.js";
import { eventually } from "./support/eventually.js";
import { type ModelServer, type Script, startModelServer } from "./support/model-server.js";

let server: ModelServer;
afterEach(() => server?.close());

const PROSE = "- Goal: answer the questions of the user";
const SLOW = 250;

/** A model on loopback that takes its time. */
async function slowModel(script: Script = [{ text: PROSE, after: SLOW }]): Promise<Summariser> {
  server = await startModelServer(script);
  const model = openaiCompatible({ baseURL: `${server.url}/v1`, model: "small", timeout: 5_000, retries: 0 });
  return modelSummariser(model, { window: 20_000 });
}

const turns = (count: number, size = 20, from = 0): Message[] =>
  Array.from({ length: count }, (_, at) => [user(`question ${at + from}`), says(words(size))]).flat();

/** A strategy of ten turns with a slow model, and whether its summaries have come. */
async function slowStrategy(options: SummarizationOptions = { after: { turns: 10 } }) {
  const onSummary = vi.fn();
  const summariser = await slowModel();
  return { strategy: summarization({ window: 20_000, summariser, onSummary, ...options }), onSummary };
}

const texts = ({ messages }: View): string[] => messages.map(messageText);
const questions = (view: View): string[] => texts(view).filter((text) => text.startsWith("question "));
const came = (onSummary: ReturnType<typeof vi.fn>, times = 1) =>
  eventually(() => expect(onSummary).toHaveBeenCalledTimes(times));

describe("summarization by thresholds", () => {
  test("starts in the background when a turn is complete, without a view", async () => {
    const { strategy, onSummary } = await slowStrategy();
    await strategy.onTurnComplete(turns(10));
    await strategy.onTurnComplete(turns(11));
    await came(onSummary);
    expect(server.requests).toHaveLength(1);
    expect(server.requests[0]?.prompt).toContain("question 4");
    expect(server.requests[0]?.prompt).not.toContain("question 5");
  });

  test("never keeps a view waiting that fits: it stays whole until the summary is there", async () => {
    const { strategy, onSummary } = await slowStrategy();
    await strategy.onTurnComplete(turns(11));
    const view = await strategy.composePayload("be brief", turns(11), []);
    expect(onSummary).not.toHaveBeenCalled();
    expect(questions(view)).toHaveLength(11);
    expect(view.receipt).toBeUndefined();
  });

  test("swaps in when ready: right after the system prompt, for the turns that it read", async () => {
    const { strategy, onSummary } = await slowStrategy();
    await strategy.onTurnComplete(turns(11));
    await came(onSummary);
    const view = await strategy.composePayload("be brief", turns(12), []);
    expect(texts(view)[0]).toBe("be brief");
    expect(texts(view)[1]).toMatch(new RegExp(`^\\[Memory Summary\\] Previous conversation context: .*\\n${PROSE}`));
    expect(questions(view)).toEqual(Array.from({ length: 7 }, (_, at) => `question ${at + 5}`));
    expect(view.receipt).toMatchObject({
      reason: "the history exceeded a threshold of its strategy",
      leftOut: { entries: 10 },
    });
    expect(view.receipt!.tokensAfter).toBe(view.tokens);
  });

  test("reads the summary so far and the next turns, each turn once", async () => {
    const { strategy, onSummary } = await slowStrategy();
    await strategy.onTurnComplete(turns(11));
    await came(onSummary);
    await strategy.composePayload("", turns(11), []);
    await strategy.onTurnComplete(turns(16));
    await came(onSummary, 2);
    expect(server.requests[1]?.prompt).toContain("answer the questions of the user");
    expect(server.requests[1]?.prompt).toContain("question 9");
    expect(server.requests[1]?.prompt).not.toContain("question 4");
    const view = await strategy.composePayload("", turns(16), []);
    expect(questions(view)[0]).toBe("question 10");
  });

  test.each<[string, SummarizationOptions]>([
    ["entries", { after: { entries: 20 } }],
    ["tokens", { after: { tokens: 250 } }],
    ["turns under the name of the plug-in", { threshold: 10 }],
  ])("counts %s too", async (_, options) => {
    const { strategy, onSummary } = await slowStrategy(options);
    const before = await strategy.composePayload("", turns(5), []);
    expect(before.receipt).toBeUndefined();
    await strategy.onTurnComplete(turns(11));
    await came(onSummary);
    const view = await strategy.composePayload("", turns(11), []);
    expect(questions(view).length).toBeLessThan(8);
    expect(questions(view)).toContain("question 10");
  });

  test("needs no model: the summary is then there at once", async () => {
    const strategy = summarization({ window: 20_000, after: { turns: 10 } });
    await strategy.onTurnComplete(turns(11));
    const view = await strategy.composePayload("be brief", turns(11), []);
    expect(texts(view)[1]).toMatch(/\n\[e0-e1\]\nUser: question 0\n(?:.*\n)*\[e8-e9\]\nUser: question 4/);
    expect(questions(view)).toHaveLength(6);
  });

  test("does without the model where the window cannot wait", async () => {
    const { strategy, onSummary } = await slowStrategy({ window: 600, after: { turns: 10 } });
    await strategy.onTurnComplete(turns(11, 40));
    const view = await strategy.composePayload("", turns(14, 40), []);
    expect(onSummary).not.toHaveBeenCalled();
    expect(view.tokens).toBeLessThanOrEqual(600);
    expect(texts(view)[0]).toMatch(/\n\[e0-e\d+\]\nUser: question 0\n/);
    await came(onSummary);
    expect((await strategy.composePayload("", turns(14, 40), [])).tokens).toBeLessThanOrEqual(600);
  });

  test("a model that fails leaves an extractive summary, and is not asked for the same turns at every view", async () => {
    const summariser = await slowModel([{ status: 500 }]);
    const onSummary = vi.fn();
    const strategy = summarization({ window: 20_000, summariser, onSummary, after: { turns: 10 } });
    await strategy.onTurnComplete(turns(11));
    await came(onSummary);
    expect(onSummary.mock.calls[0]?.[0]).toMatchObject({ path: "fallback" });
    for (let view = 0; view < 5; view++) await strategy.composePayload("", turns(11), []);
    expect(server.requests).toHaveLength(1);
    expect(questions(await strategy.composePayload("", turns(11), []))).toHaveLength(6);
  });
});

describe("summarization in a session", () => {
  async function sessionOf(summariser: Summariser, onSummary = vi.fn()) {
    const strategy = summarization({ summariser, onSummary, after: { turns: 4 } });
    return { session: await (await openVarve()).session("s", { window: 20_000, strategy }), onSummary };
  }

  test("is prepared by appending an answer", async () => {
    const { session, onSummary } = await sessionOf(await slowModel());
    await session.append(turns(5));
    await came(onSummary);
    expect(questions(await session.view())).toEqual(["question 2", "question 3", "question 4"]);
  });

  test("undo gives back the view before, byte for byte, until the log grows", async () => {
    const { session, onSummary } = await sessionOf(await slowModel());
    await session.append(turns(5));
    const before = await session.view();
    await came(onSummary);
    const after = await session.view();
    expect(after.messages).not.toEqual(before.messages);
    await session.undo();
    for (let view = 0; view < 3; view++) expect((await session.view()).messages).toEqual(before.messages);
    expect(server.requests).toHaveLength(1);
    await session.append(turns(1, 20, 5));
    await came(onSummary, 2);
    expect(questions(await session.view())).toHaveLength(3);
  });

  test("undo of a second cut gives back the first summary", async () => {
    const summariser = await slowModel([{ text: PROSE }, { text: `${PROSE} again` }]);
    const { session, onSummary } = await sessionOf(summariser);
    await session.append(turns(5));
    await came(onSummary);
    await session.view();
    await session.append(turns(2, 20, 5));
    const first = await session.view();
    await came(onSummary, 2);
    expect(texts(await session.view())[0]).toContain("again");
    await session.undo();
    expect((await session.view()).messages).toEqual(first.messages);
  });

  test("explaining asks no model", async () => {
    const { session } = await sessionOf(await slowModel());
    await session.append(turns(3, 200));
    await session.view();
    expect((await session.explain())?.leftOut).toBeDefined();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(server.requests).toEqual([]);
  });
});
