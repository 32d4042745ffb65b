import { describe, expect, it } from "vitest";
import {
  contextTools,
  type Message,
  openVarve,
  PROVIDERS,
  type Session,
  slidingWindow,
  type View,
  type ViewRequest,
  violations,
} from "../src/index.js";
import { messageText } from "../src/message/content.js";
import { call, says, user, words } from "./support/build.js";
import { expectSums } from "./support/conduct.js";

/** At a cut stale results become a line, and old ones where that keeps the last turn together. */
const step = (id: string, input: object, output: string): Message[] => {
  const toolName = "command" in input ? "bash" : "read";
  return [
    { role: "assistant", content: [{ ...call(id, input), toolName }] },
    {
      role: "tool",
      content: [{ type: "tool-result", toolCallId: id, toolName, output: { type: "text", value: output } }],
    },
  ];
};
const read = (id: string, path: string, size = 200): Message[] => step(id, { path }, `${path} begins\n${words(size)}`);
const open = async (options: object = {}): Promise<Session> =>
  (await openVarve()).session("s", {
    window: 2_000,
    target: 0.75,
    strategy: slidingWindow({ clearResults: false }),
    ...options,
  });
const textsOf = ({ messages }: View): string[] => messages.map(messageText);
const marks = (view: View): string[] => textsOf(view).filter((text) => /^\[(?:superseded|cleared):/.test(text));

/** A session that reads one file over and over, and others between, with a view after every step. */
async function reading(session: Session, steps: number, request: ViewRequest = {}): Promise<View[]> {
  await session.append(user("fix it"));
  const views: View[] = [];
  for (let at = 0; at < steps; at++) {
    await session.append(read(`c${at}`, at % 2 === 0 ? "src/main.ts" : `src/other-${"abcdefghijklmnopqrst"[at]}.ts`));
    views.push(await session.view(request));
  }
  return views;
}

describe("a stale result", () => {
  it("becomes one line that names what replaced it, its size and how to get it back", async () => {
    const session = await open();
    const tools = contextTools(session);
    const views = await reading(session, 10, { tools: tools.map(({ name }) => ({ name })) });
    const [mark] = views.flatMap(marks);
    expect(mark).toMatch(/^\[superseded: read again in e\d+; \d{3} tokens; context_expand e\d+\]$/);
    const id = /context_expand (e\d+)/.exec(mark!)![1]!;
    expect(session.expand(id).text).toContain("src/main.ts begins");
    const expand = tools.find(({ name }) => name === "context_expand")!;
    expect(expand.execute({ id })).toContain("src/main.ts begins");
    for (const view of views) for (const provider of PROVIDERS) expect(violations(view.messages, provider)).toEqual([]);
  });

  it("tells of no tool that the model does not have", async () => {
    const [mark] = (await reading(await open(), 10)).flatMap(marks);
    expect(mark).toMatch(/^\[superseded: read again in e\d+; \d{3} tokens; entry e\d+\]$/);
  });

  it("gives way before any exchange does", async () => {
    const views = await reading(await open(), 9);
    const first = views.find(({ receipt }) => receipt !== undefined)!;
    expect(first.leftOut).toBe(0);
    expect(first.receipt!.leftOut).toBeUndefined();
    expect(first.receipt!.items.length).toBeGreaterThan(1);
    for (const item of first.receipt!.items) {
      expect(item).toMatchObject({ fate: "superseded", entries: 1 });
      expect(item.reason).toMatch(/^read again in e\d+$/);
      expect(item.tokensAfter).toBeLessThan(item.tokensBefore / 4);
    }
    expect(first.receipt!.reason).toBe("the history exceeded its part of the window");
    expectSums(first.receipt!);
  });

  it("is whole until a cut, and its line stays as it is until the next", async () => {
    const views = await reading(await open(), 14);
    expect(marks(views[3]!)).toEqual([]);
    for (const [at, view] of views.entries()) {
      const before = views[at - 1];
      if (before === undefined || view.receipt !== undefined) continue;
      expect(view.messages.slice(0, before.messages.length)).toEqual(before.messages);
    }
    const cuts = views.filter(({ receipt }) => receipt !== undefined);
    expect(cuts.length).toBeGreaterThan(1);
    const reported = cuts.flatMap(({ receipt }) => receipt!.items.filter(({ fate }) => fate === "superseded"));
    expect(new Set(reported.map(({ from }) => from)).size).toBe(reported.length);
  });

  it("stays whole among the last two exchanges with results, and where it is pinned", async () => {
    const session = await open();
    await session.append([user("fix it"), ...read("p", "src/main.ts")]);
    session.pin("e2");
    const views = await reading(session, 9);
    const cut = views.find((view) => marks(view).length > 0)!;
    expect(cut.messages).toContain(session.entries()[2]!.message);
    expect(textsOf(cut).slice(-4).join()).not.toContain("[superseded");
    const twice = await open({ strategy: slidingWindow({ clearResults: false, lockLast: 2 }) });
    await twice.append([user("fix it"), says(words(900)), ...read("a", "src/main.ts"), ...read("b", "src/main.ts")]);
    await twice.compact();
    expect(marks(await twice.view())).toEqual([]);
  });

  it("keeps the line that said why a run had failed", async () => {
    const session = await open();
    const run = (id: string, end: string) =>
      step(id, { command: "npm test" }, `${"the tests are running on\n".repeat(60)}${end}`);
    await session.append([user("test"), ...run("a", "FAILED billing: expected 3"), ...run("b", "30 passed")]);
    await session.append([...read("c", "a.ts", 10), ...read("d", "b.ts", 10), ...read("e", "c.ts", 300)]);
    const view = await session.view();
    await session.compact();
    expect(marks(view).concat(marks(await session.view()))[0]).toBe(
      '[superseded: run again in e4; it said "FAILED billing: expected 3"; 370 tokens; entry e2]',
    );
  });

  it("comes back byte for byte when the cut is undone", async () => {
    const session = await open({ window: 2_600 });
    const before = (await reading(session, 8)).at(-1)!;
    expect(before.receipt).toBeUndefined();
    const receipt = await session.compact();
    expect(receipt.items.some(({ fate }) => fate === "superseded")).toBe(true);
    expect(marks(await session.view()).length).toBeGreaterThan(0);
    await session.undo();
    expect(JSON.stringify((await session.view()).messages)).toBe(JSON.stringify(before.messages));
  });

  it("is shown in the same words after usage was reported, and the same log gives the same views", async () => {
    const session = await open({ window: 2_000, model: "claude-sonnet-4-5", reserve: 0 });
    const views = await reading(session, 9);
    const before = views.at(-1)!;
    for (let at = 0; at < 4; at++) session.reportUsage({ inputTokens: Math.round(before.tokens * 0.9) });
    const after = await session.view();
    expect(marks(before).length).toBeGreaterThan(0);
    expect(after.messages).toEqual(before.messages);
    const again = await reading(await open({ window: 2_000, model: "claude-sonnet-4-5", reserve: 0 }), 9);
    expect(again.map(({ messages }) => messages)).toEqual(views.map(({ messages }) => messages));
  });
});

describe("an old result of the last turn", () => {
  const clearing = () => open({ strategy: slidingWindow() });
  const different = (session: Session, steps: number, fails = -1) =>
    Promise.all(
      Array.from({ length: steps }, (_, at) => {
        const output = `file ${at} begins\n${words(160)}${at === fails ? "\nTypeError: x is not a function" : ""}`;
        return session.append(step(`c${at}`, { path: `src/${at}.ts` }, output));
      }),
    );

  it("becomes a line with its beginning where that keeps the turn together; the newest and failures stay", async () => {
    const session = await clearing();
    await session.append([user("before"), says(words(300)), user("now read them all")]);
    await different(session, 9, 1);
    const view = await session.view();
    const texts = textsOf(view);
    expect(texts).toContain("now read them all");
    expect(view.messages.filter(({ role }) => role === "tool")).toHaveLength(9);
    expect(marks(view)[0]).toMatch(/^\[cleared: read; it said "file 0 begins"; \d{3} tokens; entry e4\]$/);
    expect(texts.find((text) => text.startsWith("file 1 begins"))).toContain("TypeError");
    expect(texts.filter((text) => /^file [678] begins/.test(text))).toHaveLength(3);
    expect(view.receipt!.items.filter(({ fate }) => fate === "cleared").length).toBe(marks(view).length);
    expectSums(view.receipt!);
  });

  it("goes with its exchange where clearing would not be enough, or is not wanted", async () => {
    const long = await clearing();
    await long.append(user("read them all"));
    await different(long, 60);
    expect(marks(await long.view())).toEqual([]);
    const unwanted = await open();
    await unwanted.append([user("before"), says(words(300)), user("now read them all")]);
    await different(unwanted, 9);
    const view = await unwanted.view();
    expect(marks(view)).toEqual([]);
    expect(view.messages.filter(({ role }) => role === "tool").length).toBeLessThan(9);
  });
});
