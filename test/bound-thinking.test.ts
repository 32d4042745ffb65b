import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import {
  fromAnthropic,
  hierarchical,
  type Message,
  managedStrategy,
  openVarve,
  type SessionOptions,
  slidingWindow,
  toAnthropic,
} from "../src/index.js";

/**
 * Newer Claude models sign thinking together with all that stood before it, and refuse it anywhere else. Here a model
 * does so over the bytes of the requests that it is sent.
 */
function bindingModel() {
  const writtenUnder = new Map<string, string>();
  const stale: string[] = [];
  return {
    stale,
    /** Holds a request against what its thinking was written under, and answers with thinking and a call. */
    answer(request: unknown): Message[] {
      const { system, messages } = request as { system?: unknown; messages: { role: string; content: unknown }[] };
      let before = JSON.stringify([system]);
      for (const { role, content } of messages) {
        before += role;
        for (const block of typeof content === "string" ? [content] : (content as Record<string, unknown>[])) {
          const signature = typeof block === "object" ? (block.signature as string | undefined) : undefined;
          const under = signature && writtenUnder.get(signature);
          if (under !== undefined && under !== before) stale.push(signature!);
          before += JSON.stringify(block);
        }
      }
      const step = writtenUnder.size;
      const signature = `signature-${step}`;
      writtenUnder.set(signature, `${before}assistant`);
      const thought = { type: "thinking", thinking: `I think about ${step}.`, signature };
      const call = { type: "tool_use", id: `t${step}`, name: "read", input: { path: `src/file-${step}.ts` } };
      const content = `line ${step} of the file. `.repeat(20 + ((step * 37) % 60));
      const result = { type: "tool_result", tool_use_id: `t${step}`, content };
      return fromAnthropic({
        messages: [
          { role: "assistant", content: [thought, call] },
          { role: "user", content: [result] },
        ],
      });
    },
  };
}

const folder = mkdtempSync(join(tmpdir(), "varve-thinking-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const user = (content: string): Message => ({ role: "user", content });
const MODEL = "claude-opus-5-5";
const STRATEGIES = ["sliding-window", "summarization", "importance", "hierarchical"] as const;
const thoughtsIn = (messages: readonly Message[]) =>
  messages
    .flatMap(({ content }): { type: string }[] => (typeof content === "string" ? [] : [...content]))
    .filter(({ type }) => type === "reasoning");

/** A conversation in which the client sent its whole history each time. */
function ownConversation(steps: number, model = bindingModel()) {
  const messages: Message[] = [{ role: "system", content: "S" }, user("Read all files.")];
  for (let step = 0; step < steps; step++) messages.push(...model.answer(toAnthropic(messages)));
  return { messages, model };
}

async function run(options: SessionOptions, request: (step: number) => object = () => ({ system: "S" })) {
  const session = await (await openVarve()).session("s", { window: 6_000, ...options });
  const model = bindingModel();
  let cuts = 0;
  for (let step = 0; step < 50; step++) {
    if (step % 5 === 0) await session.append(user(`Task ${step}: the parser.`));
    const view = await session.view(request(step));
    if (view.receipt?.cut === true) cuts++;
    await session.append(model.answer(toAnthropic(view)));
  }
  return { stale: model.stale, cuts, view: await session.view(request(50)) };
}

describe("thinking that is bound to its prefix", () => {
  it.each(STRATEGIES)("is never sent under another, and stays from a cut on: %s", async (strategy) => {
    const { stale, cuts, view } = await run({ model: MODEL, strategy });
    expect(stale).toEqual([]);
    expect(cuts).toBeGreaterThan(2);
    expect(view.plan.strategy).toBe(strategy);
  });

  it.each([{}, { model: "claude-next-9" }])("is taken for bound where the model is not known: %o", async (options) => {
    const { stale, cuts } = await run(options);
    expect(stale).toEqual([]);
    expect(cuts).toBeGreaterThan(2);
  });

  it("goes where the context moves, the system prompt changes or a tool is added", async () => {
    const moving = await run({ model: MODEL }, (step) => ({
      system: "S",
      context: `The goal of task ${Math.floor(step / 5)}.`,
    }));
    const changing = await run({ model: MODEL, window: 60_000 }, (step) => ({
      system: `Day ${Math.floor(step / 20)}`,
    }));
    expect([...moving.stale, ...changing.stale]).toEqual([]);
    expect(thoughtsIn(changing.view.messages)).toHaveLength(10);
  });

  it.each(STRATEGIES)("knows its prefix in a process that lives for one step: %s", async (strategy) => {
    const model = bindingModel();
    const lasting = await (await openVarve()).session("s", { window: 6_000, model: MODEL, strategy });
    const lastingModel = bindingModel();
    for (let step = 0; step < 40; step++) {
      const varve = await openVarve({ store: `sqlite:${join(folder, `${strategy}.db`)}` });
      const session = await varve.session("s", { window: 6_000, model: MODEL, strategy });
      if (step % 5 === 0) for (const each of [session, lasting]) await each.append(user(`Task ${step}.`));
      const [view, other] = [await session.view({ system: "S" }), await lasting.view({ system: "S" })];
      expect(view.messages).toEqual(other.messages);
      await session.append(model.answer(toAnthropic(view)));
      await lasting.append(lastingModel.answer(toAnthropic(other)));
      await varve.close();
    }
    expect([...model.stale, ...lastingModel.stale]).toEqual([]);
  });

  it("goes where a session that was opened again gets another system prompt", async () => {
    const store = `sqlite:${join(folder, "reopened.db")}`;
    const model = bindingModel();
    for (const [system, left] of [
      ["S", 12],
      ["T", 0],
    ] as const) {
      const varve = await openVarve({ store });
      const session = await varve.session("s", { window: 60_000, model: MODEL });
      for (let step = 0; system === "S" && step < 12; step++)
        await session.append(model.answer(toAnthropic(await session.view({ system }))));
      const view = await session.view({ system });
      model.answer(toAnthropic(view));
      expect(thoughtsIn(view.messages)).toHaveLength(left);
      await varve.close();
    }
    expect(model.stale).toEqual([]);
  });

  it("is kept of a conversation that is taken over whole, and goes where it is cut", async () => {
    for (const [window, left] of [
      [60_000, 20],
      [4_000, 0],
    ] as const) {
      const { messages, model } = ownConversation(20);
      const session = await (await openVarve()).session("s", { window, model: MODEL });
      await session.append(messages);
      const view = await session.view();
      model.answer(toAnthropic(view));
      expect(thoughtsIn(view.messages)).toHaveLength(left);
      expect(model.stale).toEqual([]);
    }
  });

  it.each([slidingWindow, hierarchical])("holds for strategies alone: $name", async (strategy) => {
    const { messages, model } = ownConversation(20);
    const alone = strategy({ window: 4_000, model: MODEL });
    const history = messages.slice(1);
    for (let step = 0; step < 20; step++) {
      const payload = await alone.composePayload("S", history, []);
      history.push(...model.answer(toAnthropic(payload)));
      await alone.onTurnComplete(history);
    }
    expect(model.stale).toEqual([]);
  });

  it("holds for strategies of others", async () => {
    const composed = async (_system: string, history: readonly Message[]) => history;
    const lastTen = async (_system: string, history: readonly Message[]) => history.slice(-10);
    for (const strategy of [
      managedStrategy("all", { composePayload: composed }),
      managedStrategy("last-ten", { composePayload: lastTen }),
    ]) {
      const { stale, cuts } = await run({ model: MODEL, strategy });
      expect(stale).toEqual([]);
      expect(cuts).toBeLessThan(50);
    }
  });

  it("goes where something before it was forgotten", async () => {
    const varve = await openVarve();
    const scope = { user: "ann" };
    const session = await varve.session("s", { window: 60_000, model: MODEL, memory: { scope } });
    const model = bindingModel();
    await session.append(user("My password phrase is Bluebird Seven, and I live in Zermatt."));
    for (let step = 0; step < 4; step++) await session.append(model.answer(toAnthropic(await session.view())));
    const memory = varve.memory({ scope });
    await memory.forget((await memory.store("My password phrase is Bluebird Seven.")).id);
    expect(JSON.stringify(session.entries())).not.toContain("Bluebird");
    model.answer(toAnthropic(await session.view()));
    expect(model.stale).toEqual([]);
  });
});

describe("the prefix of bound thinking", () => {
  const open = async (options: SessionOptions = {}) =>
    (await openVarve()).session("s", { window: 60_000, model: MODEL, ...options });

  it("is another one where a list of tools is changed in place", async () => {
    const session = await open();
    const model = bindingModel();
    const tools = [{ name: "read", description: "Reads" }];
    await session.append([user("go"), ...model.answer(toAnthropic([user("go")]))]);
    for (let step = 0; step < 3; step++) await session.append(model.answer(toAnthropic(await session.view({ tools }))));
    tools.push({ name: "write", description: "Writes" });
    expect(thoughtsIn((await session.view({ tools })).messages)).toEqual([]);
  });

  it("is there again once a cut is taken back under which nothing was written", async () => {
    const session = await open();
    const model = bindingModel();
    await session.append(user("go"));
    for (let step = 0; step < 10; step++) await session.append(model.answer(toAnthropic(await session.view())));
    await session.append(user("And now?"));
    await session.compact({ force: true });
    await session.undo();
    const view = await session.view();
    model.answer(toAnthropic(view));
    expect(thoughtsIn(view.messages)).toHaveLength(10);
    expect(model.stale).toEqual([]);
  });

  it("is there again where a checkpoint is restored under which it was written", async () => {
    const session = await open();
    const model = bindingModel();
    await session.append(user("go"));
    for (let step = 0; step < 3; step++) await session.append(model.answer(toAnthropic(await session.view())));
    await session.append(user("And now?"));
    await session.view();
    const { id } = await session.checkpoint();
    for (let step = 0; step < 3; step++)
      await session.append(model.answer(toAnthropic(await session.view({ system: "Be brief." }))));
    await session.restore(id);
    const view = await session.view();
    model.answer(toAnthropic(view));
    expect(thoughtsIn(view.messages)).toHaveLength(3);
    expect(model.stale).toEqual([]);
  });

  it("is not known of what was written for a model that binds nothing", async () => {
    const session = await open();
    const model = bindingModel();
    await session.append(user("go"));
    for (let step = 0; step < 3; step++) await session.append(model.answer(toAnthropic(await session.view())));
    session.configure({ model: "claude-opus-4-5", window: 3_000 });
    for (let step = 0; step < 12; step++) await session.append(model.answer(toAnthropic(await session.view())));
    session.configure({ model: MODEL, window: 60_000 });
    expect(thoughtsIn((await session.view()).messages)).toEqual([]);
  });
});

it("reasoning that another process was answered with goes where this one sends something else", async () => {
  const store = `sqlite:${join(folder, "shared.db")}`;
  const options = { window: 60_000, model: MODEL };
  const [one, other] = [await openVarve({ store }), await openVarve({ store })];
  const first = await one.session("s", options);
  await first.append(user("go"));
  await first.view({ system: "A" });
  await first.append({ role: "assistant", content: "Yes." });
  const second = await other.session("s", options);
  const model = bindingModel();
  await second.append(user("read"));
  await second.append(model.answer(toAnthropic(await second.view({ system: "B" }))));
  expect(thoughtsIn((await first.view({ system: "A" })).messages)).toEqual([]);
  await Promise.all([one.close(), other.close()]);
});
