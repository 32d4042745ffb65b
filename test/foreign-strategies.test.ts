import { describe, expect, it } from "vitest";
import {
  type Message,
  openVarve,
  type Session,
  type Strategy,
  type StrategyInput,
  VarveError,
  type View,
  type Viewer,
} from "../src/index.js";
import { calls, says, user, words } from "./support/build.js";

const whole = ({ log, budget, counter }: StrategyInput): View => {
  const messages = log.entries.map(({ message }) => message);
  const tokens = messages.reduce((sum, message) => sum + counter.message(message), 0);
  const { length: entries } = messages;
  return { messages, tools: [], tokens, blocks: [], budget, leftOut: 0, entries, receipt: undefined, repairs: [] };
};

const strategyOf = (start: (input: StrategyInput) => Viewer): Strategy => ({
  name: "mine",
  start,
  composePayload: () => Promise.reject(new Error("not here")),
  onTurnComplete: () => Promise.reject(new Error("not here")),
});

const open = async (start: (input: StrategyInput) => Viewer): Promise<Session> =>
  (await openVarve()).session("s", { window: 1_000, strategy: strategyOf(start) });

const TURNS: readonly Message[] = [user("which port?"), says("5433"), user("and which host?"), says("db-1")];

async function viewOf(changed: (view: View) => unknown): Promise<View> {
  const session = await open((input) => ({ cut: 0, view: async () => changed(whole(input)) as View }));
  await session.append(TURNS);
  return session.view();
}

const fault = (reason: string) => ({ code: "invalid-plugin", details: { strategy: "mine", reason } });
const failure = (method: string) => ({
  code: "invalid-plugin",
  message: expect.stringContaining("out of luck"),
  details: { strategy: "mine", method },
});

function outOfLuck(): never {
  throw new TypeError("out of luck");
}

describe("a strategy of somebody else", () => {
  it("has its views handed out where they keep what views promise", async () => {
    expect((await viewOf((view) => view)).messages).toEqual(TURNS);
    const shortened = (view: View) => ({
      ...view,
      messages: [user("<c/>\nand which host?"), ...view.messages.slice(3)],
    });
    expect((await viewOf(shortened)).messages).toHaveLength(2);
  });

  it.each<[string, string, (view: View) => unknown]>([
    ["says that it is too large", "size", (view) => ({ ...view, tokens: 99_999 })],
    ["is too large", "size", (view) => ({ ...view, messages: [...view.messages, user(words(2_000))] })],
    ["leaves a call open", "legality", (view) => ({ ...view, messages: [user("a"), calls("c1"), ...view.messages] })],
    ["starts with the assistant", "legality", (view) => ({ ...view, messages: view.messages.slice(1) })],
    ["is empty", "last-user", (view) => ({ ...view, messages: [] })],
    ["lacks the last request", "last-user", (view) => ({ ...view, messages: view.messages.slice(0, 2) })],
    ["holds no message", "message", (view) => ({ ...view, messages: [null] })],
    ["has no tokens", "shape", (view) => ({ ...view, tokens: Number.NaN })],
    ["has a receipt that is none", "shape", (view) => ({ ...view, receipt: {} })],
    ["is none", "shape", () => undefined],
  ])("is refused a view that %s", async (_case, reason, changed) => {
    await expect(viewOf(changed)).rejects.toMatchObject(fault(reason));
  });

  it("is refused a view without what is pinned", async () => {
    const session = await open((input) => ({
      cut: 0,
      view: async () => ({ ...whole(input), messages: whole(input).messages.slice(2) }),
    }));
    const [first] = await session.append(TURNS);
    await expect(session.view()).resolves.toBeDefined();
    session.pin(first!.id);
    await expect(session.view()).rejects.toMatchObject(fault("pin"));
  });

  it("is named where it fails to start, or starts nothing", async () => {
    await expect(open(outOfLuck)).rejects.toMatchObject(failure("start"));
    await expect(open(() => ({}) as Viewer)).rejects.toMatchObject({ code: "invalid-plugin" });
  });

  it("is named where its viewer fails, and leaves what was appended in the log", async () => {
    let fails = true;
    const session = await open((input) => ({
      cut: 0,
      turnComplete: () => (fails ? outOfLuck() : undefined),
      view: async () => (fails ? outOfLuck() : whole(input)),
      digest: outOfLuck,
    }));
    await session.append(TURNS);
    expect(session.entries()).toHaveLength(4);
    await expect(session.view()).rejects.toMatchObject(failure("turnComplete"));
    await expect(session.view()).rejects.toMatchObject(failure("view"));
    expect(() => session.expand("d1")).toThrow(expect.objectContaining(failure("digest")));
    fails = false;
    expect((await session.view()).messages).toEqual(TURNS);
  });

  it("may say itself, by a VarveError, why it makes no view", async () => {
    const said = new VarveError({ code: "floor-exceeds-window", message: "The map does not fit." });
    const session = await open(() => ({ cut: 0, view: () => Promise.reject(said) }));
    await expect(session.view()).rejects.toBe(said);
  });
});
