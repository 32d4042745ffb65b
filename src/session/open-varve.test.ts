import { describe, expect, it } from "vitest";
import { says, user, words } from "../../test/support/build.js";
import { EXACT } from "../../test/support/exact.js";
import { messageText } from "../message/content.js";
import type { Message } from "../message/types.js";
import { memoryStore } from "../store/drivers/memory.js";
import type { Store } from "../store/store.js";
import { slidingWindow } from "../view/strategies/sliding-window.js";
import type { Strategy } from "../view/strategy.js";
import { fromOpenAI } from "../wire/openai-chat.js";
import { checkUsage } from "./check-options.js";
import { openVarve, type VarveOptions } from "./open-varve.js";
import type { SessionOptions } from "./session-options.js";

const invalid = { code: "invalid-option", hint: expect.stringMatching(/./) };

describe("one id is one session", () => {
  it("also for calls at once, so that no id is given twice", async () => {
    const varve = await openVarve();
    const open = () => varve.session("s", { window: 400 });
    const [first, second] = await Promise.all([open(), open()]);
    expect(first).toBe(second);
    await Promise.all([first.append(user("a")), second.append(user("b")), (await open()).append(user("c"))]);
    expect(first.entries().map((entry) => entry.id)).toEqual(["e0", "e1", "e2"]);
  });

  it("goes on without options, and takes over those that differ", async () => {
    const varve = await openVarve();
    const session = await varve.session("s", { window: 400 });
    session.pin((await session.append(user("hi")))[0]!.id);
    expect(await varve.session("s")).toBe(session);
    await varve.session("s", { window: 800 });
    expect(session.status()).toMatchObject({ budget: { window: 800 }, pins: ["e0"] });
  });

  it("can be opened again after its store failed", async () => {
    const store = memoryStore();
    let fails = true;
    const flaky: Store = {
      ...store,
      read: async (id) => {
        if (fails) throw new Error("no connection");
        return store.read(id);
      },
    };
    const varve = await openVarve({ store: flaky });
    await expect(varve.session("s", { window: 400 })).rejects.toThrow("no connection");
    fails = false;
    expect((await varve.session("s", { window: 400 })).entries()).toEqual([]);
  });
});

describe("the log", () => {
  const wire = [
    { role: "user", content: [{ type: "text", text: "before" }] },
    {
      role: "assistant",
      content: "says",
      tool_calls: [{ id: "a", type: "function", function: { name: "f", arguments: "{}" } }],
      usage: { tokens: 1 },
    },
    { role: "tool", tool_call_id: "a", content: "before" },
  ];

  it.each<[string, (messages: Message[]) => void]>([
    ["a text", ([message]) => Object.assign((message!.content as object[])[0]!, { text: "after" })],
    ["a list of parts", ([message]) => (message!.content as unknown[]).push({ type: "text", text: "more" })],
    ["a call", (messages) => Object.assign((messages[1]!.content as object[])[1]!, { toolName: "g" })],
    [
      "an output",
      (messages) => Object.assign((messages[2]!.content as { output: object }[])[0]!.output, { value: "x" }),
    ],
    ["options", ([, message]) => Object.assign(message!.providerOptions!.varve!.openaiChat as object, { usage: 2 })],
  ])("cannot be changed through %s that was decoded or shown", async (_name, change) => {
    const session = await (await openVarve()).session("s", { window: 400 });
    const decoded = fromOpenAI(wire);
    await session.append(decoded);
    const logged = () => JSON.stringify(session.entries().map(({ message }) => message));
    const before = logged();
    try {
      change(decoded);
    } catch (error) {
      expect(error).toBeInstanceOf(TypeError);
    }
    expect(logged()).toBe(before);
    const { messages } = await session.view();
    expect(() => change(messages)).toThrow(TypeError);
    expect(logged()).toBe(before);
  });
});

describe("what cannot be an option is refused as such", () => {
  it.each<[string, unknown]>([
    ["null", null],
    ["store null", { store: null }],
    ["store 5", { store: 5 }],
    ["a store that is none", { store: {} }],
    ["a clock that is none", { now: 5 }],
  ])("by openVarve: %s", async (_name, options) => {
    await expect(openVarve(options as VarveOptions)).rejects.toMatchObject(invalid);
  });

  it.each<[string, unknown]>([
    ["no options", undefined],
    ["null", null],
    ["a model that is a number", { model: 5 }],
    ["a strategy that objects inherit", { window: 400, strategy: "constructor" }],
    ["an empty strategy", { window: 400, strategy: {} }],
    ["no strategy", { window: 400, strategy: null }],
    ["an empty counter", { window: 400, counter: {} }],
    ["an archive that is none", { window: 400, archive: "here" }],
    ["a window as text", { window: "8000" }],
    ["a reserve as text", { window: 400, reserve: "10" }],
  ])("by session: %s", async (_name, options) => {
    const varve = await openVarve();
    await expect(varve.session("s", options as SessionOptions)).rejects.toMatchObject(invalid);
    await expect(varve.session("s", { window: 400 })).resolves.toBeDefined();
  });

  it("by session: an id that is none", async () => {
    const varve = await openVarve();
    await expect(varve.session("", { window: 400 })).rejects.toMatchObject(invalid);
    await expect(varve.session(5 as unknown as string, { window: 400 })).rejects.toMatchObject(invalid);
  });

  it.each([undefined, null, 5, {}, { inputTokens: "5" }])("as usage: %s", (usage) => {
    expect(() => checkUsage(usage)).toThrow(expect.objectContaining(invalid));
  });
});

it("names the strategies there are where one is asked for that is not known", async () => {
  const varve = await openVarve();
  await expect(varve.session("s", { window: 400, strategy: "foo" })).rejects.toMatchObject({
    code: "invalid-option",
    message: 'There is no strategy "foo".',
    hint: expect.stringContaining("sliding-window, hierarchical, importance, summarization"),
  });
});

describe("settings of a strategy", () => {
  const strategy = (settings: object): Strategy => Object.assign(slidingWindow(), { settings });
  const fill = Array.from({ length: 20 }, (_, at) => [user(`request ${at}`), says(words(20))]).flat();

  it("count in a session where it has none of its own", async () => {
    const archived: string[] = [];
    const archive = (messages: readonly Message[]) => void archived.push(...messages.map(messageText));
    const options = { strategy: strategy({ window: 9_000, trigger: 0.5, archive }), ...EXACT, window: 400 };
    const session = await (await openVarve()).session("s", options);
    await session.append(fill);
    await session.view();
    expect(session.status().budget).toMatchObject({ window: 400, trigger: 198, target: 138 });
    expect(archived[0]).toBe("request 0");
  });

  it("give way to the session's", async () => {
    const options = { strategy: strategy({ ...EXACT, window: 900, trigger: 0.5 }), trigger: 0.8 };
    const session = await (await openVarve()).session("s", options);
    expect(session.status().budget).toMatchObject({ window: 900, trigger: 717 });
  });
});
